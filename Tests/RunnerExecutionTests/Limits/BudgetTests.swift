import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@Suite struct BudgetTests {
    private let content = Content.pattern(count: 400_000)

    @Test func bytesParkTheRunAndTheNextGoesOn() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"1\""), "/b": .text("b")])
        server.on("/a", nth: 1, .stall(after: 300_000))
        let bench = try JobBench()
        let list = """
              - {id: a, download: '\(server.url("/a"))', to: a}
              - {id: b, download: '\(server.url("/b"))', to: b, needs: [a]}
            """
        let first = try await bench.run(list, top: "limits: {budget: {bytes: 200kB}}")
        #expect(first.finished.exitStatus == 3)
        #expect(first.finished.outcome == .parked)
        #expect(first.finished.reason == "the budget of 200000 bytes is used up (limits.budget.bytes)")
        #expect(first.task("a")?.outcome == .skipped)
        #expect(first.task("b")?.outcome == .skipped)
        #expect(first.failedAttempts.isEmpty)
        let second = try await bench.run(list, top: "limits: {budget: {bytes: 300kB}}")
        #expect(second.finished.exitStatus == 0)
        #expect(second.task("a")?.resumedFrom ?? 0 >= 190_000)
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test func timeParksTheRun() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .stall(after: 1000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", top: "limits: {budget: {time: 200ms}}")
        #expect(outcome.finished.exitStatus == 3)
        #expect(outcome.finished.reason == "the budget of 200ms is used up (limits.budget.time)")
        #expect(outcome.task("a")?.outcome == .skipped)
    }

    @Test func aRunWithinItsBudgetSaysNothingOfIt() async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", top: "limits: {budget: {bytes: 1, time: 1h}}")
        // What has all its bytes is put in place, even where they were the last that were allowed.
        #expect(bench.bytes("a") == Array("a".utf8))
        #expect(outcome.task("a")?.outcome == .succeeded)
        // Nothing is left to do, so that the budget has stopped nothing.
        #expect(outcome.finished.outcome == .succeeded && outcome.finished.exitStatus == 0)
        #expect(outcome.finished.reason == nil)
    }

    @Test(arguments: [("stop", 1), ("2", 2), ("50%", 2), ("continue", 4)])
    func failuresEndTheRun(limit: String, failed: Int) async throws {
        let server = try FaultServer(files: [:])
        let bench = try JobBench()
        let list = (0..<4).map { "  - {download: '\(server.url("/a\($0)"))', to: a\($0)}" }.joined(separator: "\n")
        let outcome = try await bench.run(list, top: "limits: {concurrency: 1, failures: \(limit)}")
        #expect(outcome.finished.exitStatus == 1)
        #expect(outcome.finished.counts[.failed] == failed)
        #expect(outcome.finished.counts[.skipped] ?? 0 == 4 - failed)
        #expect((outcome.finished.reason != nil) == (limit != "continue"))
    }
}
