extension Duration {
    /// The duration in the spelling of the job file: `350ms`, `1.2s`, `45s`, `2m05s`, `3h07m`, `2d03h`.
    public var words: String {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return "0ms" }
        let milliseconds = attoseconds / 1_000_000_000_000_000
        switch seconds {
        case 0: return "\(milliseconds)ms"
        case ..<10: return milliseconds < 100 ? "\(seconds)s" : "\(seconds).\(milliseconds / 100)s"
        case ..<60: return "\(seconds)s"
        case ..<3600: return "\(seconds / 60)m" + Self.twoDigits(seconds % 60, "s")
        case ..<86_400: return "\(seconds / 3600)h" + Self.twoDigits(seconds / 60 % 60, "m")
        default: return "\(seconds / 86_400)d" + Self.twoDigits(seconds / 3600 % 24, "h")
        }
    }

    private static func twoDigits(_ number: Int64, _ unit: String) -> String {
        number == 0 ? "" : (number < 10 ? "0" : "") + "\(number)\(unit)"
    }
}
