import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// One bit that is not as it was is found, wherever it is.
@Suite struct FlippedBitTests {
    private static let size = 1 << 20
    private static let count = Soak.isWanted ? 100 : 25

    /// A file, and what the first server has in its place.
    private struct Case {
        var good: [UInt8]
        var bad: [UInt8]
    }

    private static func cases() -> [Case] {
        let base = Content.pattern(count: size).allBytes
        var dice = SeededDice(0x9e37_79b9)
        return (0..<count).map { number in
            var good = base
            good[0] = UInt8(truncatingIfNeeded: number)
            var bad = good
            bad[dice.below(size)] ^= 1 << UInt8(dice.below(8))
            return Case(good: good, bad: bad)
        }
    }

    @Test func theMirrorsCopyIsPublishedEveryTime() async throws {
        let cases = Self.cases()
        let server = try FaultServer()
        var tasks: [String] = []
        for (index, one) in cases.enumerated() {
            server.serve("/bad/\(index)", ServedFile(.bytes(one.bad)))
            server.serve("/good/\(index)", ServedFile(.bytes(one.good)))
            tasks.append(
                "  - {id: f\(index), download: '\(server.url("/bad/\(index)"))', to: f\(index),"
                    + " mirrors: ['\(server.url("/good/\(index)"))'], sha256: \(Content.bytes(one.good).sha256)}")
        }
        let bench = try JobBench()
        let outcome = try await bench.run(tasks.joined(separator: "\n"))
        #expect(outcome.finished.exitStatus == 0)
        let wrong = cases.indices.filter { bench.bytes("f\($0)") != cases[$0].good }
        #expect(wrong.isEmpty)
        for (index, one) in cases.enumerated() { expectEvidence(of: one, at: index, server, outcome) }
    }

    /// Both tries at the first server are told with the digests of what came and of what was meant.
    private func expectEvidence(of one: Case, at index: Int, _ server: FaultServer, _ outcome: JobBench.Outcome) {
        let attempts = outcome.events.compactMap { event -> AttemptFailed? in
            guard case .attemptFailed(let attempt) = event.kind, attempt.task.text == "f\(index)" else { return nil }
            return attempt
        }
        #expect(attempts.map(\.failure.faultClass) == [.integrity, .integrity])
        for attempt in attempts {
            #expect(attempt.url == server.url("/bad/\(index)"))
            let message = attempt.failure.message
            #expect(message.contains(Content.bytes(one.bad).sha256), "\(message)")
            #expect(message.contains(Content.bytes(one.good).sha256), "\(message)")
        }
        #expect(outcome.task("f\(index)")?.digest?.hex == Content.bytes(one.good).sha256)
        #expect(outcome.task("f\(index)")?.finalURL == server.url("/good/\(index)"))
    }
}
