/// Words for amounts and times on the screen.
package enum Quantity {
    /// `512 B`, `12.3 KiB`, `3.6 GiB`: at most nine characters.
    package static func bytes(_ count: Int64) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        guard count >= 1000 else { return "\(count) B" }
        var value = Double(count) / 1024
        var unit = 0
        // From 999.95 on the text would read 1000.0.
        while value >= 999.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// `0:07`, `12:05`, `3:00:09`; from a hundred hours on `5d 04h`.
    package static func clock(seconds: Int64) -> String {
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        if hours >= 100 { return "\(hours / 24)d \(two(hours % 24))h" }
        if hours > 0 { return "\(hours):\(two(minutes)):\(two(rest))" }
        return "\(minutes):\(two(rest))"
    }

    /// The time that bytes take at a rate; nil where one of them is unknown, or the answer is beyond a year.
    package static func timeLeft(_ bytes: Int64?, rate: Int64) -> String? {
        guard let bytes, bytes >= 0, rate > 0 else { return nil }
        let seconds = bytes / rate + (bytes % rate > 0 ? 1 : 0)
        return seconds < 31_536_000 ? clock(seconds: seconds) : nil
    }

    private static func two(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension Duration {
    /// Milliseconds, rounded down, held at the ends of the range.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product.saturatingAdd(attoseconds / 1_000_000_000_000_000)
    }
}
