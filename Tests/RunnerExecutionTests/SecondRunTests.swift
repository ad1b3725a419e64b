import Glibc
import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// What the ledger makes of a second run.
@Suite struct SecondRunTests {
    let content = Content.pattern(count: 10_000)

    private func verdicts(_ bench: JobBench, _ tasks: String) throws -> [Verdict] {
        try bench.plan(tasks).tasks.map(\.verdict)
    }

    @Test func aKnownFileWithItsDigestIsNotEvenRead() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try JobBench()
        let tasks = "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(content.sha256)}"
        _ = try await bench.run(tasks)
        #expect(try verdicts(bench, tasks) == [.upToDate])
        let outcome = try await bench.run(tasks)
        #expect(outcome.task("a")?.outcome == .upToDate)
        #expect(server.requests.count == 1)
        #expect(!outcome.events.contains { if case .taskStarted = $0.kind { true } else { false } })
    }

    @Test func aFileWithoutDigestIsAskedAbout() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", when: { $0.header("If-None-Match") == "\"v1\"" }, .status(304))
        let bench = try JobBench()
        let tasks = "  - {id: a, download: '\(server.url("/a"))', to: a}"
        _ = try await bench.run(tasks)
        #expect(try verdicts(bench, tasks) == [.revalidate])
        let outcome = try await bench.run(tasks)
        #expect(outcome.task("a")?.outcome == .upToDate)
        #expect(outcome.task("a")?.http?.status == 304)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: ["sha256", "nothing"]) func anEditedFileIsFetchedAnew(guard key: String) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        let bench = try JobBench()
        let digest = key == "sha256" ? ", sha256: \(content.sha256)" : ""
        let tasks = "  - {id: a, download: '\(server.url("/a"))', to: a\(digest)}"
        _ = try await bench.run(tasks)
        _ = try bench.folder.write("a", [UInt8](repeating: 7, count: 10_000))
        let outcome = try await bench.run(tasks)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test(arguments: ["sha256", "nothing"]) func anotherModeIsGivenToTheFileThatIsThere(guard key: String) async throws
    {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", when: { $0.header("If-None-Match") == "\"v1\"" }, .status(304))
        let bench = try JobBench()
        let digest = key == "sha256" ? ", sha256: \(content.sha256)" : ""
        func tasks(_ mode: String) -> String {
            "  - {id: a, download: '\(server.url("/a"))', to: a, mode: \"\(mode)\"\(digest)}"
        }
        _ = try await bench.run(tasks("0600"))
        #expect(try permissions(bench) == 0o600)
        for mode in ["0644", "0644", "0400"] {
            #expect(try await bench.run(tasks(mode)).task("a")?.outcome == .upToDate)
            #expect(try permissions(bench) == UInt32(mode, radix: 8))
        }
        // The bytes came once; with a digest nobody was asked again.
        #expect(server.requests.count { $0.header("If-None-Match") == nil } == 1)
        #expect(server.requests.count == (key == "sha256" ? 1 : 4))
        #expect(try verdicts(bench, tasks("0400")) == [key == "sha256" ? .upToDate : .revalidate])
        #expect(try bench.plan(tasks("0600")).tasks.map(\.reason).first == .modeDiffers || key != "sha256")
    }

    private func permissions(_ bench: JobBench) throws -> UInt32 {
        var status = stat()
        try #require(stat(bench.folder.path("a"), &status) == 0)
        return status.st_mode & 0o7777
    }

    @Test func twoRunsOfOneJobDoNotMeet() throws {
        let bench = try JobBench()
        let job = try bench.plan("  []").job
        let first = JobSite(job, identity: "job")
        let second = JobSite(job, identity: "job")
        let other = JobSite(job, identity: "another job")
        try first.occupy(run: "one")
        #expect(throws: SiteRefusal.self) { try second.occupy(run: "two") }
        try other.occupy(run: "three")
        first.leave()
        try second.occupy(run: "two")
        second.leave()
        other.leave()
    }
}
