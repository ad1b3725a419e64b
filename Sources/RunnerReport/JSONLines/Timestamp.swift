/// A moment as the report writes it: RFC 3339, UTC, milliseconds.
package enum Timestamp {
    /// Writes milliseconds since 1970 as `2026-11-29T03:15:00.042Z`; years beyond 9999 are cut off there.
    static func text(_ milliseconds: Int64) -> String {
        // 9999-12-31T23:59:59.999Z; RFC 3339 has four digits for the year.
        let moment = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let day = moment.flooredQuotient(86_400_000)
        let rest = moment - day * 86_400_000
        let (year, month, dayOfMonth) = civil(day)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(year, 4, "-", to: &text)
        append(month, 2, "-", to: &text)
        append(dayOfMonth, 2, "T", to: &text)
        append(rest / 3_600_000, 2, ":", to: &text)
        append(rest / 60_000 % 60, 2, ":", to: &text)
        append(rest / 1000 % 60, 2, ".", to: &text)
        append(rest % 1000, 3, "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// As ``text(_:)``, in whole seconds: `2026-11-29T03:15:00Z`.
    package static func seconds(_ milliseconds: Int64) -> String {
        String(text(milliseconds).prefix(19)) + "Z"
    }

    /// The time that ``text(_:)`` wrote; nil for anything else.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let frame = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == frame.count else { return nil }
        var numbers: [Int64] = [0]
        for (byte, mark) in zip(bytes, frame) {
            if mark == UInt8(ascii: "0") {
                guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
            } else {
                guard byte == mark else { return nil }
                numbers.append(0)
            }
        }
        guard 1...12 ~= numbers[1], 1...31 ~= numbers[2] else { return nil }
        let seconds = numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        return (day(numbers[0], numbers[1], numbers[2]) * 86_400 + seconds) * 1000 + numbers[6]
    }

    /// The day counted from 1970-01-01; the way back of ``civil(_:)``.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredQuotient(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Year, month and day in the Gregorian calendar of a day counted from 1970-01-01.
    ///
    /// Eras of 400 years that begin in March, as in Howard Hinnant's "chrono-compatible low-level date algorithms".
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func append(_ number: Int64, _ digits: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: end))
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
