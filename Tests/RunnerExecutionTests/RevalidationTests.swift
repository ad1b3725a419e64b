import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// A plan that asks whether the file that is there is still right.
@Suite struct RevalidationTests {
    private func run(_ bench: JobBench, _ url: String, _ validators: RevalidationValidators) async throws
        -> JobBench.Outcome
    {
        _ = try bench.folder.write("a", "old")
        return try await bench.run(
            "  - {id: a, download: '\(url)', to: a}",
            change: { plan in
                plan.tasks[0].verdict = .revalidate
                plan.tasks[0].recollection = .validators(validators)
            })
    }

    @Test func notModifiedKeepsTheFile() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.text("new"), etag: "\"v1\"")])
        let bench = try JobBench()
        server.on("/a", when: { $0.header("If-None-Match") == "\"v1\"" }, .status(304))
        let outcome = try await run(bench, server.url("/a"), RevalidationValidators(source: 0, etag: "\"v1\""))
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.task("a")?.outcome == .upToDate)
        #expect(outcome.task("a")?.bytes == 3)
        #expect(bench.bytes("a") == Array("old".utf8))
        #expect(server.requests.count == 1)
    }

    @Test func anotherVersionReplacesIt() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.text("new"), etag: "\"v2\"")])
        let bench = try JobBench()
        let outcome = try await run(bench, server.url("/a"), RevalidationValidators(source: 0, etag: "\"v1\""))
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("a") == Array("new".utf8))
    }

    @Test func anUnreachableServerLeavesTheFile() async throws {
        let server = try FaultServer()
        server.on("/a", .status(503))
        let bench = try JobBench()
        let outcome = try await run(
            bench, server.url("/a"), RevalidationValidators(source: 0, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
        #expect(outcome.finished.exitStatus == 1)
        #expect(bench.bytes("a") == Array("old".utf8))
        #expect(server.requests.first?.header("If-Modified-Since") == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(server.requests.count == 4)
    }
}
