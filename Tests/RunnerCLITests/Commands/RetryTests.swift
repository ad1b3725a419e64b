import TestSupport
import Testing

/// `run --retry-failed`, `--rehash` and `--wait`, by the built program.
@Suite struct RetryTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/a": ServedFile(.text("a")), "/b": ServedFile(.text("b")), "/c": ServedFile(.text("c")),
            "/slow": ServedFile(.pattern(count: 100_000)),
        ])
    }

    private func task(_ name: String, _ fields: String = "") -> String {
        "  - {download: \"\(server.url("/" + name))\", to: \(name)\(fields)}\n"
    }

    private func write(_ tasks: String...) throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {retry: {attempts: 1}, timeout: {stall: 10m}}\ntasks:\n"
                + tasks.joined())
    }

    private func run(_ words: String...) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(["run", "job.yaml"] + words, in: folder.path)
    }

    private func asked(since count: Int) -> [String] { server.requests.dropFirst(count).map(\.target).sorted() }

    @Test func onlyWhatFailedIsTriedAgain() async throws {
        server.on("/b", from: 1, through: 2, [.status(404)])
        try write(task("a"), task("b"), task("c", ", needs: [b]"))
        #expect(try await run().status == 1)
        let count = server.requests.count
        #expect(try await run("--retry-failed").status == 1)
        #expect(asked(since: count) == ["/b"])
        // The job file was edited: other ids, another order, one task more.
        try write(task("slow"), task("c", ", needs: [bee]"), task("b", ", id: bee"), task("a"))
        #expect(try await run("--retry-failed").status == 0)
        #expect(asked(since: count) == ["/b", "/b", "/c"])
        #expect(folder.read("out/slow") == nil)
        let last = try await run("--retry-failed")
        #expect(last.status == 0)
        #expect(last.errorOutput == "job.yaml: the last run got everything done; nothing to try again\n")
        #expect(asked(since: count).count == 3)
    }

    /// The destination is the name in the URL, so that another URL makes another task of it.
    @Test func aTaskWhoseNameWasPutRightIsTaken() async throws {
        try write(task("a"), "  - \"\(server.url("/bb"))\"\n")
        #expect(try await run().status == 1)
        try write(task("a"), "  - \"\(server.url("/b"))\"\n")
        let count = server.requests.count
        let outcome = try await run("--retry-failed")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(asked(since: count) == ["/b"])
        #expect(folder.read("out/b") == Array("b".utf8))
    }

    @Test func aFailedTaskThatIsGoneIsNotCalledDone() async throws {
        try write(task("a"), task("none"))
        #expect(try await run().status == 1)
        try write(task("a"))
        let outcome = try await run("--retry-failed")
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("nothing of what the last run did not get done is in the job any more"))
    }

    @Test func whatIsNoLongerInTheJobIsNamed() async throws {
        try write(task("a"), task("none"), task("nowhere"))
        #expect(try await run().status == 1)
        try write(task("a"), task("nowhere"))
        let outcome = try await run("--retry-failed")
        #expect(outcome.status == 1)
        #expect(
            outcome.errorOutput.contains(
                "runner: warning: 'none' failed in the last run and is no longer in the job"))
    }

    @Test func withoutAnEarlierRunNothingIsTriedAgain() async throws {
        try write(task("a"))
        let outcome = try await run("--retry-failed")
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("no earlier run of this job is known"))
        #expect(server.requests.isEmpty)
        #expect(try await run("--retry-failed", "--only", "a").status == 2)
    }

    @Test func aReportThatIsGoneIsToldAsThat() async throws {
        try write(task("a"), task("none"))
        #expect(try await run().status == 1)
        for name in folder.files() where name.hasSuffix(".jsonl") { try folder.write(name, "{") }
        let outcome = try await run("--retry-failed")
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("is missing or damaged"), "\(outcome.errorOutput)")
    }

    @Test func aKilledRunIsGoneOnWith() async throws {
        server.on("/slow", nth: 1, .stall(after: 50_000))
        try write(task("a"), task("slow"), task("b", ", needs: [slow]"))
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await process.waitForLine { $0.text.contains("\"task.finished\",\"task\":\"a\"") } != nil)
        #expect(await process.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"slow\"") } != nil)
        // Once the status knows of the run, its row is there.
        while try await RunnerBinary.run(["status", "job.yaml"], in: folder.path).output.hasPrefix("no run") {}
        process.signal(9)
        _ = await process.wait()
        let count = server.requests.count
        #expect(try await run("--retry-failed").status == 0)
        #expect(asked(since: count) == ["/b", "/slow"])
    }

    @Test func rehashReadsWhatTheLedgerKnows() async throws {
        try write(task("a", ", sha256: \(Content.text("a").sha256)"))
        #expect(try await run().status == 0)
        #expect(try await run("--verbose").errorOutput.contains("up to date"))
        let outcome = try await RunnerBinary.run(["plan", "job.yaml", "--rehash"], in: folder.path)
        #expect(outcome.output.hasPrefix("verify"))
        #expect(try await run("--rehash").status == 0)
        #expect(server.requests.count == 1)
    }

    @Test func waitGoesOnOnceTheOtherRunHasEnded() async throws {
        let gate = try Gate()
        server.on("/slow", nth: 1, .stall(after: 50_000, until: gate))
        try write(task("slow", ", sha256: \(Content.pattern(count: 100_000).sha256)"))
        let first = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await first.waitForLine { $0.text.contains("\"attempt.started\"") } != nil)
        let second = try RunnerBinary.start(["run", "job.yaml", "--wait"], in: folder.path)
        let line = await second.waitForLine { $0.text.hasPrefix("runner: waiting, as another run of this job") }
        #expect(line?.text.contains("process \(first.pid)") == true)
        gate.open()
        #expect(await first.wait() == .exited(0))
        #expect(await second.wait() == .exited(0))
        #expect(String(decoding: second.errorOutput, as: UTF8.self).contains("1 up to date"))
        #expect(server.requests.count == 1)
    }
}
