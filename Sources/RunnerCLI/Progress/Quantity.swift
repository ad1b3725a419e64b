internal import RunnerJob
internal import RunnerReport

/// Amounts that only the screen shows.
enum Quantity {
    /// The time that bytes take at a rate; nil where one of them is unknown, or the answer is beyond a year.
    static func timeLeft(_ bytes: Int64?, rate: Int64) -> String? {
        guard let bytes, bytes >= 0, rate > 0 else { return nil }
        let seconds = bytes / rate + (bytes % rate > 0 ? 1 : 0)
        return seconds < 31_536_000 ? Duration.seconds(seconds).words : nil
    }

    /// The time between two instants in whole seconds.
    static func time(from start: Int64, to end: Int64) -> String {
        let seconds = max(0, end.saturatingSubtract(start)) / 1000
        return seconds == 0 ? "0s" : Duration.seconds(seconds).words
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
