/// How far a date lies from now: whole days of the calendar, and seconds.
struct DateShift: Hashable, Sendable {
    var days = 0
    var seconds = 0

    init() {}

    /// Reads `-1d`, `+12h`, `-1w2d`; nothing for no shift; nil for anything else.
    init?(_ text: some StringProtocol) {
        guard let sign = text.utf8.first else { return }
        guard sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return nil }
        let factor = sign == UInt8(ascii: "-") ? -1 : 1
        var number: Int?
        for byte in text.utf8.dropFirst() {
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                // Enough for centuries, and far from any overflow.
                if next > 99_999_999 { return nil }
                number = next
                continue
            }
            guard let amount = number.map({ $0 * factor }) else { return nil }
            number = nil
            switch byte {
            case UInt8(ascii: "w"): days += amount * 7
            case UInt8(ascii: "d"): days += amount
            case UInt8(ascii: "h"): seconds += amount * 3600
            case UInt8(ascii: "m"): seconds += amount * 60
            case UInt8(ascii: "s"): seconds += amount
            default: return nil
            }
        }
        // Ten thousand years in either direction.
        if number != nil || text.utf8.count < 3 || abs(days + seconds / 86_400) > 3_652_500 { return nil }
    }
}

extension JobClock {
    /// Local time, shifted.
    ///
    /// Days move the date and leave the time of day, also over a change of the clocks.
    func time(shiftedBy shift: DateShift) -> LocalTime {
        var time = local(now + Int64(shift.seconds))
        guard shift.days != 0 else { return time }
        let there = local(now + Int64(shift.seconds) + Int64(shift.days) * 86_400)
        time.setDate(daysSince1970: time.daysSince1970 + shift.days)
        time.offset = there.offset
        time.zone = there.zone
        return time
    }
}
