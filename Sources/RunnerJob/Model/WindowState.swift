/// Whether transfers may run at a time, and until when that holds.
public enum WindowState: Hashable, Sendable {
    /// Until that second since 1970; nil for always.
    case open(until: Int64?)
    case closed(until: Int64)

    private static let week: Int64 = 7 * 86_400

    /// What some windows say of a time; none of them means always open.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - local: Breaks a time into local time, as `localtime_r(3)` does.
    public init(_ windows: [TimeWindow], at now: Int64, local: (Int64) -> LocalTime) {
        guard !windows.isEmpty else {
            self = .open(until: nil)
            return
        }
        let time = local(now)
        let today = (time.weekday + 6) % 7
        let second = Int64(today * 86_400 + time.hour * 3600 + time.minute * 60 + min(time.second, 59))
        guard let left = Self.left(windows, second) else {
            let wait = Self.wait(windows, second)
            self = .closed(until: Self.instant(after: wait, from: now, time, local))
            return
        }
        self = .open(until: left >= Self.week ? nil : Self.instant(after: left, from: now, time, local))
    }

    /// Seconds that windows stay open from a second of the week on, as one leads to the next; nil when none is open.
    private static func left(_ windows: [TimeWindow], _ second: Int64) -> Int64? {
        var end = second
        while end - second < week {
            let further = windows.flatMap { window in
                window.days.compactMap { day -> Int64? in
                    let passed = (end - begin(window, day)).modulo(week)
                    let length = Int64(window.length) * 60
                    return passed < length ? end + length - passed : nil
                }
            }.max()
            guard let further else { break }
            end = further
        }
        return end > second ? end - second : nil
    }

    /// Seconds until the next window opens.
    private static func wait(_ windows: [TimeWindow], _ second: Int64) -> Int64 {
        windows.flatMap { window in window.days.map { (begin(window, $0) - second).modulo(week) } }.min() ?? week
    }

    private static func begin(_ window: TimeWindow, _ day: Weekday) -> Int64 {
        Int64(day.rawValue * 86_400 + window.begin * 60)
    }

    /// The instant at which the clock on the wall has gone on that far; clocks that are set in between make the
    /// difference.
    private static func instant(
        after seconds: Int64, from now: Int64, _ time: LocalTime, _ local: (Int64) -> LocalTime
    ) -> Int64 {
        let guess = now + seconds
        return max(now + 1, guess + Int64(time.offset - local(guess).offset))
    }
}

extension Int64 {
    /// The remainder from 0 on.
    fileprivate func modulo(_ divisor: Int64) -> Int64 { (self % divisor + divisor) % divisor }
}

extension LocalTime {
    /// `22:00` on the day of `now`, `Sat 22:00` on another.
    public func clockText(seenFrom now: LocalTime) -> String {
        func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let text = "\(digits(hour)):\(digits(minute))"
        if daysSince1970 == now.daysSince1970 { return text }
        return (Weekday(rawValue: (weekday + 6) % 7)?.shortName ?? "") + " " + text
    }
}
