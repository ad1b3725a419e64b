/// A number of bytes in words, as every text for people writes it.
public enum ByteCount {
    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// `0 B`, `999 B`, `3.6 GiB`, `740 MiB`: powers of 1024, one decimal below 100.
    public static func text(_ bytes: Int64) -> String {
        guard bytes.magnitude >= 1024 else { return "\(bytes) B" }
        var unit = 0
        var scale: UInt64 = 1024
        // Rounded to what will be printed, so that 1023.97 KiB becomes 1.0 MiB.
        while unit + 1 < units.count, rounded(bytes.magnitude, by: scale) >= 10_240 {
            unit += 1
            scale *= 1024
        }
        let tenths = rounded(bytes.magnitude, by: scale)
        let sign = bytes < 0 ? "-" : ""
        if tenths >= 1000 { return "\(sign)\(tenths / 10) \(units[unit])" }
        return "\(sign)\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// `3.6 GiB/s`.
    public static func rate(_ bytesPerSecond: Int64) -> String { text(bytesPerSecond) + "/s" }

    /// Tenths of a unit, rounded to what is shown: to whole units from 100 on.
    private static func rounded(_ bytes: UInt64, by scale: UInt64) -> UInt64 {
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: scale)
        let tenths = whole * 10 + (rest * 10 + scale / 2) / scale
        return tenths >= 1000 ? (whole + (rest >= scale / 2 ? 1 : 0)) * 10 : tenths
    }
}
