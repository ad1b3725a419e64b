import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// One bit that is not as it was is found, wherever it is.
@Suite struct FlippedBitTests {
    private static let count = 40

    /// Places that are the same in every run of the test.
    private struct Dice {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
    }

    @Test func theMirrorsCopyIsPublishedEveryTime() async throws {
        let good = Content.pattern(count: 70_000).allBytes
        let server = try FaultServer(files: ["/good": ServedFile(.bytes(good))])
        var dice = Dice()
        var tasks: [String] = []
        for index in 0..<Self.count {
            var bad = good
            bad[dice.next(below: bad.count)] ^= 1 << UInt8(dice.next(below: 8))
            server.on("/bad/\(index).", .content(.bytes(bad)))
            tasks.append(
                "  - {download: '\(server.url("/bad/\(index).x"))', mirrors: ['\(server.url("/good"))'], to: f\(index),"
                    + " sha256: \(Content.bytes(good).sha256)}")
        }
        let bench = try JobBench()
        let outcome = try await bench.run(tasks.joined(separator: "\n"))
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == Array(repeating: .integrity, count: 2 * Self.count))
        for index in 0..<Self.count { #expect(bench.bytes("f\(index)") == good) }
    }
}
