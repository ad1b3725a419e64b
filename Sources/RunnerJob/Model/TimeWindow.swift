/// A day of the week, numbered from Monday.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// `Mon` to `Sun`.
    public var shortName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][rawValue] }

    /// Takes the short or the full English name in any case.
    init?(_ name: some StringProtocol) {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        let name = name.lowercased()
        guard let index = names.firstIndex(where: { $0 == name || $0.prefix(3) == name }) else { return nil }
        self.init(rawValue: index)
    }
}

/// A span of local time in which transfers may run: `22:00-06:00`, `Mon-Fri 22:00-06:00`.
public struct TimeWindow: Hashable, Sendable {
    /// Days on which it begins; never empty.
    public var days: Set<Weekday>
    /// Minutes from midnight to its beginning, 0 to 1439.
    public var begin: Int
    /// Minutes that it lasts, 1 to 1440; it may lead over midnight.
    public var length: Int

    public init(days: Set<Weekday> = Set(Weekday.allCases), begin: Int, length: Int) {
        self.days = days
        self.begin = begin
        self.length = length
    }
}

/// Why a text is no ``TimeWindow``; the words go on from the quoted text.
public enum TimeWindowFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not two times with a `-` between them.
    case noTimes
    case badTime(String)
    /// Begins at the end of a day.
    case lateBegin
    case badDay(String)
    /// Begins when it ends.
    case empty

    public var description: String {
        switch self {
        case .noTimes: "is no window; write begin and end, such as 22:00-06:00, with days before them if need be"
        case .badTime(let text): "has \(shown(text)) where a time from 00:00 to 24:00 is wanted"
        case .lateBegin: "begins at 24:00, where a day is over; write 00:00"
        case .badDay(let text): "has the unknown day \(shown(text)); write Mon, Tue, Wed, Thu, Fri, Sat, Sun"
        case .empty: "ends when it begins; a whole day is 00:00-24:00"
        }
    }
}

extension TimeWindow {
    /// Reads a window as a person writes it: days, if any, then two times; an end before the begin is the next day's.
    ///
    /// - Throws: ``TimeWindowFault``.
    public init(_ text: String) throws(TimeWindowFault) {
        let words = text.split(separator: " ")
        guard let times = words.last, times.contains(":") else { throw .noTimes }
        let ends = times.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { throw .noTimes }
        let begin = try Self.minutes(ends[0])
        let end = try Self.minutes(ends[1])
        if begin == end || begin == 1440 { throw begin == end ? .empty : .lateBegin }
        let days = words.count == 1 ? Set(Weekday.allCases) : try Self.days(words.dropLast().joined())
        self.init(days: days, begin: begin, length: end > begin ? end - begin : end + 1440 - begin)
    }

    /// Minutes after midnight of `HH:MM`.
    private static func minutes(_ text: Substring) throws(TimeWindowFault) -> Int {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }
        guard parts.count == 2, areDigits, parts[1].utf8.count == 2, let hour = Int(parts[0]),
            let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1440
        else { throw .badTime(String(text)) }
        return hour * 60 + minute
    }

    /// `Mon-Fri`, `Sat,Sun`; a span may lead over the end of the week.
    private static func days(_ text: String) throws(TimeWindowFault) -> Set<Weekday> {
        var days: Set<Weekday> = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = item.split(separator: "-", omittingEmptySubsequences: false)
            guard let name = ends.first, ends.count <= 2, let first = Weekday(name) else {
                throw .badDay(String(item))
            }
            guard let last = Weekday(ends[ends.count - 1]) else { throw .badDay(String(ends[ends.count - 1])) }
            for step in 0...((last.rawValue - first.rawValue + 7) % 7) {
                if let day = Weekday(rawValue: (first.rawValue + step) % 7) { days.insert(day) }
            }
        }
        return days
    }
}
