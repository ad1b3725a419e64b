import Glibc
import TestSupport
import Testing

/// `runner status`, `runner history` and what runs leave for them, by the built program.
@Suite struct HistoryTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/good": ServedFile(.text("good")), "/late": ServedFile(.text("late"), etag: "\"1\""),
            "/slow": ServedFile(.pattern(count: 100_000)),
        ])
        server.on("/late", nth: 1, .status(404))
        try write(task("good"), task("late"))
    }

    private func task(_ name: String, _ fields: String = "") -> String {
        "  - {download: \"\(server.url("/" + name))\", to: \(name)\(fields)}\n"
    }

    private func write(_ tasks: String..., to name: String = "job.yaml") throws {
        try folder.write(
            name, "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\ntasks:\n" + tasks.joined())
    }

    private func runner(_ words: String..., in place: String? = nil) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(words, in: place ?? folder.path)
    }

    /// Runs a query, and sees that it changes nothing.
    private func ask(_ words: String..., in place: String? = nil) async throws -> RunnerBinary.Outcome {
        let before = folder.files().map { ($0, folder.read($0)) }
        let outcome = try await RunnerBinary.run(words, in: place ?? folder.path)
        let after = folder.files().map { ($0, folder.read($0)) }
        #expect(before.elementsEqual(after) { $0.0 == $1.0 && $0.1 == $1.1 })
        return outcome
    }

    private func runs() async throws -> [String] {
        try await runner("history", "job.yaml").output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    }

    @Test func statusTellsOfTheLastRun() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet").status == 1)
        let outcome = try await ask("status", "job.yaml")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0] == "job (job.yaml)")
        #expect(lines[1].contains(": failed (status 1), began 2"))
        #expect(lines[2].hasPrefix("succeeded   good"))
        #expect(lines[3].hasPrefix("failed      late"))
        #expect(lines[3].contains("not_found (http_404): the server answered 404 Not Found"))
        #expect(lines[4] == "1 succeeded, 1 failed; 4 B fetched")
        let quiet = try await ask("status", "job.yaml", "--quiet")
        #expect(!quiet.output.contains("good") && quiet.output.contains("late"))
    }

    @Test func statusForPrograms() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet").status == 1)
        let text = try await ask("status", "job.yaml", "--format", "json").output
        #expect(text.hasPrefix("{\"schema\":\"runner.status/1\",\"run\":{\"run\":\"2"))
        #expect(text.contains("\"state\":\"finished\""))
        #expect(text.contains("\"outcome\":\"failed\",\"exit_status\":1,\"counts\":{\"succeeded\":1,\"failed\":1}"))
        #expect(text.contains("{\"task\":\"good\",\"outcome\":\"succeeded\",\"to\":\"good\",\"bytes\":4,"))
        #expect(text.contains("\"error\":{\"class\":\"not_found\",\"code\":\"http_404\""))
    }

    @Test func withoutAJobTheCurrentFolderIsAsked() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet").status == 1)
        let here = try await ask("status", in: folder.path("out"))
        #expect(here.output.contains("failed      late"))
        let elsewhere = try await ask("status")
        #expect(elsewhere.status == 2)
        #expect(elsewhere.errorOutput.contains("there is no \(folder.path)/.runner; name a job file"))
        try write(task("good"), to: "other.yaml")
        #expect(try await runner("run", "other.yaml", "--quiet").status == 0)
        let both = try await ask("status", in: folder.path("out")).output.split(separator: "\n")
        #expect(both.count == 2)
        #expect(both[0].contains("  other  succeeded: ") && both[1].contains("  job    failed (status 1): "))
    }

    @Test func aJobThatNeverRanLeavesNothing() async throws {
        let status = try await ask("status", "job.yaml")
        #expect(status.status == 0)
        #expect(status.output == "no run is known in \(folder.path)/out/.runner\n")
        #expect(try await ask("history", "job.yaml").status == 0)
        #expect(folder.files() == ["job.yaml"])
    }

    @Test func aRunThatLastsIsToldByItsLease() async throws {
        server.on("/slow", .stall(after: 50_000))
        try write(task("good"), task("slow"))
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await process.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"slow\"") } != nil)
        #expect(
            await process.waitForLine {
                $0.text.contains("\"task.finished\",\"task\":\"good\"")
            } != nil)
        // The row is written beside the run.
        var text = ""
        repeat { text = try await runner("status", "job.yaml").output } while text.hasPrefix("no run")
        #expect(text.contains(": running, began "))
        #expect(text.contains("process \(process.pid) on "))
        #expect(text.contains("succeeded   good"))
        #expect(text.contains("running     slow"))
        #expect(text.hasSuffix("1 of 2 tasks have ended\n"))
        let second = try await runner("run", "job.yaml")
        #expect(second.status == 3)
        #expect(second.errorOutput.contains("another run of this job is at work: process \(process.pid)"))
        process.signal(9)
        _ = await process.wait()
        #expect(try await ask("status", "job.yaml").output.contains(": killed before its end"))
    }

    @Test func historyListsShowsAndCompares() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet").status == 1)
        #expect(try await runner("run", "job.yaml", "--quiet").status == 0)
        let list = try await ask("history", "job.yaml")
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("succeeded: 1 succeeded, 1 up to date"))
        #expect(lines[1].contains("failed (status 1): 1 succeeded, 1 failed"))
        let names = try await runs()
        let one = try await ask("history", "job.yaml", String(names[1].suffix(8)))
        #expect(one.output.contains("failed      late"))
        let compared = try await ask("history", "job.yaml", "--compare", names[1], names[0])
        #expect(compared.output.contains("late  failed -> succeeded, 4 B\n1 changed, 1 came to the same in both\n"))
        #expect(compared.status == 0)
        let inFolder = try await ask("history", "--compare", names[1], names[0], in: folder.path("out"))
        #expect(inFolder.output == compared.output)
        let json = try await ask("history", "job.yaml", "--compare", names[1], names[0], "--format", "json")
        #expect(json.output.contains("\"same\":1,\"changes\":[{\"task\":\"late\",\"before\":{\"task\":\"late\""))
        let wrong = try await ask("history", "job.yaml", "nothing")
        #expect(wrong.status == 2)
        #expect(try await ask("history", "job.yaml", "--compare", names[0]).status == 2)
        #expect(
            try await ask("history", "job.yaml", "--format", "json").output.hasPrefix(
                "{\"schema\":\"runner.history/1\",\"runs\":[{\"run\":\"\(names[0])\""))
    }

    @Test func theReportIsKeptWhateverIsAskedFor() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet", "--report", "mine.jsonl").status == 1)
        let name = try #require(try await runs().first)
        #expect(folder.read("out/.runner/reports/\(name).jsonl") == folder.read("mine.jsonl"))
    }

    @Test func aLostLedgerLeavesTheReports() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet").status == 1)
        // Ledger and report may take the time a millisecond apart.
        func told(_ command: String, _ job: String = "job.yaml") async throws -> String {
            try await ask(command, job).output.replacing(#/ *[0-9.]+m?s/#, with: "")
        }
        let status = try await told("status")
        let list = try await told("history")
        for name in folder.files() where name.hasPrefix("out/.runner/ledger") { unlink(folder.path(name)) }
        #expect(try await told("history") == list)
        #expect(try await told("status") == status)
        try write(task("good"), to: "other.yaml")
        #expect(try await told("history", "other.yaml").hasPrefix("no run is known"))
        let count = server.requests.count
        #expect(try await runner("run", "job.yaml", "--quiet", "--retry-failed").status == 0)
        #expect(server.requests.dropFirst(count).map(\.target) == ["/late"])
        #expect(try await told("history").hasSuffix(list))
    }

    @Test func theStateMayLieElsewhere() async throws {
        #expect(try await runner("run", "job.yaml", "--quiet", "--state", "kept").status == 1)
        #expect(!folder.files().contains { $0.hasPrefix("out/.runner") })
        #expect(folder.files().contains("kept/ledger.sqlite"))
        #expect(try await ask("status", "job.yaml", "--state", "kept").output.contains("failed      late"))
        #expect(try await ask("status", "--state", "kept").output.contains("failed      late"))
        #expect(try await ask("status", "job.yaml").output.hasPrefix("no run is known"))
        #expect(try await runner("run", "job.yaml", "--quiet", "--state", "kept", "--retry-failed").status == 0)
    }

    @Test func onlyThirtyReportsAreKept() async throws {
        try write(task("good", ", sha256: \(Content.text("good").sha256)"))
        for _ in 0..<32 { #expect(try await runner("run", "job.yaml", "--quiet").status == 0) }
        #expect(try await runs().count == 30)
        #expect(folder.files().count { $0.hasPrefix("out/.runner/reports/") } == 30)
    }
}
