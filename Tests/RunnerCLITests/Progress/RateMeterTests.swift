import RunnerCLI
import Testing

/// Rates over the last few seconds.
@Suite struct RateMeterTests {
    /// The rate after samples of (milliseconds, bytes).
    static func rate(_ samples: [(Int64, Int64)]) -> Int64 {
        var meter = RateMeter()
        return samples.map { meter.rate(bytes: $0.1, at: $0.0) }.last ?? 0
    }

    @Test(
        arguments: [
            ([], 0), ([(0, 0)], 0), ([(0, 0), (400, 1000)], 0), ([(0, 0), (500, 1000)], 2000),
            ([(0, 500), (1000, 1500)], 1000),
            ([(0, 0), (1000, 1000), (1000, 1000)], 1000), ([(1000, 100), (0, 200)], 0), ([(0, 100), (1000, 0)], 0),
            ([(.min, 0), (.max, .max)], 1000),
        ] as [([(Int64, Int64)], Int64)])
    func rates(samples: [(Int64, Int64)], rate: Int64) {
        #expect(Self.rate(samples) == rate)
    }

    @Test func whatIsLongAgoIsForgotten() {
        let fast = (0...40).map { (Int64($0) * 100, Int64($0) * 100_000) }
        let slow = (1...60).map { (4000 + Int64($0) * 100, 4_000_000 + Int64($0) * 100) }
        #expect(Self.rate(fast) == 1_000_000)
        #expect(Self.rate(fast + slow) < 1100)
    }
}
