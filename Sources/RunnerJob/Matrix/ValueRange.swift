/// Why a text that looks like a range of values is none.
struct ValueRangeFault: Error, CustomStringConvertible {
    var description: String
}

/// The values of `001..100`, `0..90..10`, `a..f`, `2026-01-01..2026-01-31..7d` and `2026-01..2026-12`.
struct ValueRange: Sequence {
    /// Values that one range may have.
    static let ceiling = 10_000_000

    private enum Kind {
        /// Padded with zeros to a width.
        case number(width: Int)
        case letter
        /// Days since 1970.
        case day
        /// Months since the year 0.
        case month
    }

    private let kind: Kind
    private let first: Int
    private let step: Int
    let count: Int

    /// Reads a range; nil for a text that is none, and stands for itself.
    init?(_ text: String) throws(ValueRangeFault) {
        guard let dots = text.utf8.firstIndex(of: UInt8(ascii: ".")), dots > text.startIndex else { return nil }
        let parts = Self.parts(text)
        guard 2...3 ~= parts.count else { return nil }
        guard let (kind, first) = Self.end(parts[0]) else {
            guard Self.isDate(parts[0]) else { return nil }
            throw ValueRangeFault(description: "begins with \(shown(parts[0])), which is no day of the calendar")
        }
        guard let (other, last) = Self.end(parts[1]), Self.areAlike(kind, other) else {
            throw ValueRangeFault(
                description:
                    "is no range: both ends must be numbers, letters, days such as 2026-01-31, or months such as"
                    + " 2026-01")
        }
        // Between the letters of the two cases lie characters that are none.
        guard Self.isLetter(kind) == false || (first < 0x61) == (last < 0x61) else {
            throw ValueRangeFault(
                description: "goes from one letter case to the other; write two ranges, such as [a..z, A..Z]")
        }
        if case .number(let width) = kind, case .number(let otherWidth) = other {
            let isPadded = Self.isPadded(parts[0]) || Self.isPadded(parts[1])
            self.kind = .number(width: isPadded ? Swift.max(width, otherWidth) : 0)
        } else {
            self.kind = kind
        }
        let step = parts.count == 3 ? try Self.step(parts[2], of: kind) : 1
        let distance = abs(last - first)
        guard distance / step < Self.ceiling else {
            throw ValueRangeFault(description: "has more than \(Self.ceiling) values")
        }
        self.first = first
        self.step = last < first ? -step : step
        count = distance / step + 1
    }

    private static func parts(_ text: String) -> [String] {
        var parts: [String] = [""]
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == ".", rest.first == "." {
                rest.removeFirst()
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
        }
        return parts
    }

    private static func areAlike(_ one: Kind, _ other: Kind) -> Bool {
        switch (one, other) {
        case (.number, .number), (.letter, .letter), (.day, .day), (.month, .month): true
        default: false
        }
    }

    private static func isLetter(_ kind: Kind) -> Bool {
        if case .letter = kind { true } else { false }
    }

    /// Whether a number has a zero in front that counts.
    private static func isPadded(_ text: String) -> Bool {
        text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "0")
    }

    private static func end(_ text: String) -> (Kind, Int)? {
        let bytes = Array(text.utf8)
        let digits = bytes.first == UInt8(ascii: "-") ? bytes[1...] : bytes[...]
        if !digits.isEmpty, digits.count <= 15, digits.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text) {
            return (.number(width: bytes.count), number)
        }
        if bytes.count == 1, bytes[0].isASCIILetter { return (.letter, Int(bytes[0])) }
        let numbers = text.split(separator: "-").compactMap { Int($0) }
        guard isDate(text), 1...12 ~= numbers[1] else { return nil }
        if numbers.count == 2 { return (.month, numbers[0] * 12 + numbers[1] - 1) }
        let day = LocalTime(year: numbers[0], month: numbers[1], day: numbers[2])
        var same = day
        // 30 February is 2 March, and so no day at all.
        same.setDate(daysSince1970: day.daysSince1970)
        return same == day ? (.day, day.daysSince1970) : nil
    }

    /// Whether a text has the form of a day or a month.
    private static func isDate(_ text: String) -> Bool {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        let lengths = fields.map(\.utf8.count)
        return (lengths == [4, 2, 2] || lengths == [4, 2])
            && fields.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    }

    private static func step(_ text: String, of kind: Kind) throws(ValueRangeFault) -> Int {
        let digits = text.utf8.prefix { 0x30...0x39 ~= $0 }
        let unit = String(Substring(text.utf8.dropFirst(digits.count)))
        let factor: Int? =
            switch (kind, unit) {
            case (.number, ""), (.letter, ""), (.day, "d"), (.month, "mo"): 1
            case (.day, "w"): 7
            case (.month, "y"): 12
            default: nil
            }
        guard let factor, digits.count <= 9, let number = Int(String(Substring(digits))), number > 0 else {
            let wanted =
                switch kind {
                case .number, .letter: "a whole number from 1, such as 10"
                case .day: "days or weeks, such as 7d or 2w"
                case .month: "months or years, such as 3mo or 1y"
                }
            throw ValueRangeFault(description: "has the step \(shown(text)); it wants \(wanted)")
        }
        return number * factor
    }

    func makeIterator() -> AnyIterator<String> {
        var index = 0
        return AnyIterator {
            guard index < count else { return nil }
            defer { index += 1 }
            return text(first + index * step)
        }
    }

    private func text(_ value: Int) -> String {
        switch kind {
        case .number(let width): return Self.padded(value, width)
        case .letter: return String(Unicode.Scalar(UInt8(truncatingIfNeeded: value)))
        case .day:
            var time = LocalTime(year: 1970, month: 1, day: 1)
            time.setDate(daysSince1970: value)
            return [Self.padded(time.year, 4), Self.padded(time.month, 2), Self.padded(time.day, 2)].joined(
                separator: "-")
        case .month: return Self.padded(value / 12, 4) + "-" + Self.padded(value % 12 + 1, 2)
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let sign = number < 0 ? "-" : ""
        return sign + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count - sign.utf8.count)) + digits
    }
}
