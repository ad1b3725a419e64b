/// Measures bytes a second over the last few seconds.
package struct RateMeter: Hashable, Sendable {
    /// How far back the measure looks, in milliseconds.
    private static let window: Int64 = 4000
    /// Shortest time between two samples that are kept, in milliseconds.
    private static let spacing: Int64 = 500

    private struct Sample: Hashable {
        var time: Int64
        var bytes: Int64
    }

    private var samples: [Sample] = []

    package init() {}

    /// Takes how many bytes are there at a time; 0 as long as too little time has passed to tell.
    package mutating func rate(bytes: Int64, at time: Int64) -> Int64 {
        if let last = samples.last, time < last.time || bytes < last.bytes { samples.removeAll() }
        if samples.last.map({ time.saturatingSubtract($0.time) >= Self.spacing }) ?? true {
            samples.append(Sample(time: time, bytes: bytes))
            while samples.count > 2, time.saturatingSubtract(samples[1].time) >= Self.window { samples.removeFirst() }
        }
        guard let first = samples.first, time.saturatingSubtract(first.time) >= Self.spacing else { return 0 }
        let perMillisecond = Double(bytes.saturatingSubtract(first.bytes)) / Double(time.saturatingSubtract(first.time))
        return Int64(exactly: (perMillisecond * 1000).rounded()) ?? .max
    }
}
