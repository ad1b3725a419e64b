import RunnerCLI
import RunnerExecution
import TestSupport
import Testing

/// `runner run`, with a run that follows a script.
@Suite struct RunCommandTests {
    static func job(_ tasks: String...) -> String {
        "version: 1\ntasks:\n" + tasks.map { "  - {download: \"http://127.0.0.1/\($0)\", to: \($0)}\n" }.joined()
    }

    static func made(_ jobs: KeyValuePairs<String, String>, input: String = "") throws -> TestContext {
        let test = try TestContext(input: input)
        for (name, text) in jobs { try test.folder.write(name, text) }
        return test
    }

    @Test func aRunEndsWithASummaryOnStandardError() async throws {
        let test = try Self.made(["job.yaml": Self.job("a")])
        #expect(await test.run("run", "job.yaml") == 0)
        #expect(test.errors.text == "1 succeeded; 1 B fetched in 1s\n")
        #expect(test.output.text == "")
    }

    @Test func aFailureIsToldWhenItHappensAndWholeInTheSummary() async throws {
        let test = try Self.made(["job.yaml": Self.job("a", "bad")])
        #expect(await test.run("run", "job.yaml") == 1)
        let text = test.errors.text
        #expect(text.hasPrefix("failed   bad: no such file\n"))
        #expect(text.contains("not_found (http_404): no such file"))
        #expect(text.hasSuffix("1 succeeded, 1 failed; 2 B fetched in 1s\n"))
    }

    @Test func aDryRunShowsThePlanAndRunsNothing() async throws {
        let test = try Self.made(["job.yaml": Self.job("a"), "two.yaml": Self.job("b")])
        #expect(await test.run("run", "job.yaml", "two.yaml", "--dry-run", "--report", "r.jsonl") == 0)
        #expect(test.record.list == [])
        #expect(test.output.text.contains("fetch"))
        #expect(test.output.text.contains("two.yaml:\n"))
        #expect(test.folder.files() == ["job.yaml", "two.yaml"])
    }

    @Test func jobsRunOneAfterTheOtherAndTheStrongestStatusCounts() async throws {
        let test = try Self.made(["one.yaml": Self.job("bad"), "two.yaml": Self.job("b")])
        #expect(await test.run("run", "one.yaml", "two.yaml") == 1)
        #expect(test.record.list == ["run one", "run two"])
    }

    @Test func nothingIsStartedWhenAnyJobIsWrong() async throws {
        let test = try Self.made(["one.yaml": Self.job("a"), "two.yaml": "version: 1\ntasks: 5\n"])
        #expect(await test.run("run", "one.yaml", "two.yaml", "--report", "r.jsonl") == 2)
        #expect(test.record.list == [])
        #expect(test.errors.text.contains("two.yaml:2"))
        #expect(test.folder.files() == ["one.yaml", "two.yaml"])
    }

    /// What another run has done between the plan and the lease would be done once more.
    @Test func aPlanIsMadeAnewWhenTheLedgerHasChangedSince() async throws {
        var test = try Self.made(["job.yaml": Self.job("a", "A")])
        let folder = test.folder
        // The plan warns of names that differ in case; then the ledger is changed, in a way that a look at it shows.
        let errors = MemoryOutput { _ = try? folder.write(".runner/ledger.sqlite", "no ledger") }
        test.context.console = Console(output: test.output, errors: errors)
        #expect(await test.run("run", "job.yaml") == 0)
        #expect(errors.text.contains("warning: the ledger "), "\(errors.text)")
        #expect(test.record.list == ["run job"])
    }

    @Test func failFastBeginsNoFurtherJob() async throws {
        let test = try Self.made(["one.yaml": Self.job("bad"), "two.yaml": Self.job("b")])
        #expect(await test.run("run", "one.yaml", "two.yaml", "--fail-fast") == 1)
        #expect(test.record.list == ["run one"])
        #expect(test.record.options.map(\.failFast) == [true])
    }

    @Test func theReportGoesToAFile() async throws {
        let test = try Self.made(["one.yaml": Self.job("a"), "two.yaml": Self.job("b")])
        #expect(await test.run("run", "one.yaml", "two.yaml", "--report", "sub/r.jsonl") == 0)
        let report = String(decoding: try #require(test.folder.read("sub/r.jsonl")), as: UTF8.self)
        let events = report.split(separator: "\n").compactMap { $0.split(separator: "\"event\":\"").last }
        #expect(
            events.map { $0.prefix(while: { $0 != "\"" }) } == [
                "run.started", "task.finished", "run.finished", "run.started", "task.finished", "run.finished",
            ])
    }

    @Test func theJobsOwnReportIsBesideItsFiles() async throws {
        let test = try Self.made(["job.yaml": "directory: out\nreport: r.jsonl\n" + Self.job("a")])
        #expect(await test.run("run", "job.yaml", "--report", "other.jsonl") == 0)
        let files = test.folder.files().filter { !$0.contains("/.runner/") }
        #expect(files == ["job.yaml", "other.jsonl", "out/r.jsonl"])
        #expect(test.folder.read("other.jsonl") == test.folder.read("out/r.jsonl"))
    }

    @Test func aReportThatCannotBeWrittenKeepsTheRunFromStarting() async throws {
        let test = try Self.made(["job.yaml": Self.job("a")])
        #expect(await test.run("run", "job.yaml", "--report", "job.yaml/r.jsonl") == 3)
        #expect(test.record.list == [])
        #expect(test.errors.text.contains("job.yaml/r.jsonl") || test.errors.text.contains("job.yaml: Not a directory"))
    }

    @Test(arguments: [("a", 0), ("bad", 1)] as [(String, Int32)])
    func aReportThatBreaksIsToldAndLeavesTheRunItsStatus(task: String, status: Int32) async throws {
        let test = try Self.made(["job.yaml": Self.job(task)])
        #expect(await test.run("run", "job.yaml", "--report", "/dev/full") == status)
        #expect(test.record.list == ["run job"])
        #expect(test.errors.text.contains("warning: report /dev/full ends early: No space left on device"))
    }

    @Test func quietSaysNothingOfARunThatWentWell() async throws {
        let test = try Self.made(["job.yaml": Self.job("a")])
        #expect(await test.run("run", "-q", "job.yaml") == 0)
        #expect(test.errors.text == "")
    }

    @Test func quietTellsFailuresOnce() async throws {
        let test = try Self.made(["job.yaml": Self.job("bad")])
        #expect(await test.run("run", "-q", "job.yaml") == 1)
        #expect(test.errors.text.split(separator: "no such file").count == 2)
    }

    @Test func standardInputCanBeAJobOnce() async throws {
        let test = try Self.made([:], input: Self.job("a"))
        #expect(await test.run("run", "-") == 0)
        #expect(await test.run("run", "-", "-") == 2)
    }

    @Test func theSameFileIsTheSameJobByWhateverName() async throws {
        let test = try Self.made(["sub/job.yaml": Self.job("a"), "two.yaml": Self.job("a")])
        #expect(await test.run("run", "sub/job.yaml") == 0)
        #expect(await test.run("run", "./sub/../sub/job.yaml") == 0)
        #expect(await test.run("run", test.folder.path("sub/job.yaml")) == 0)
        #expect(await test.run("run", "two.yaml") == 0)
        let identities = test.record.options.map(\.identity)
        #expect(Set(identities.prefix(3)).count == 1)
        #expect(Set(identities).count == 2)
    }

    @Test(
        arguments: [
            (["--jobs", "3"], 3, false, true), (["--fail-fast"], nil, true, true),
            (["--progress", "none"], nil, false, false),
            (["--progress", "none", "--report-progress"], nil, false, true), (["-q"], nil, false, false),
            ([], nil, false, true),
        ] as [([String], Int?, Bool, Bool)])
    func optionsReachTheRun(options: [String], concurrency: Int?, failFast: Bool, wantsProgress: Bool) async throws {
        let test = try Self.made(["job.yaml": Self.job("a")])
        #expect(await Program.run(["run", "job.yaml"] + options, in: test.context) == .success)
        let settings = try #require(test.record.options.first)
        #expect(settings.concurrency == concurrency)
        #expect(settings.failFast == failFast)
        #expect(settings.wantsProgress == wantsProgress)
    }

    @Test(arguments: [
        ["--jobs", "0"], ["--jobs", "x"], ["-j1001"], ["--report="], ["--only="], ["--directory="], ["-q", "-v"],
        ["--state", ""], ["--keep-bad", ""], ["--offline"],
    ])
    func wrongOptionsAreRefused(options: [String]) async throws {
        let test = try Self.made(["job.yaml": Self.job("a")])
        #expect(await Program.run(["run", "job.yaml"] + options, in: test.context) == .usage)
        #expect(test.record.list == [])
    }

    @Test func aTerminalGetsBarsAndColours() async throws {
        let test = try TestContext(terminal: TerminalSize(columns: 80, rows: 24), environment: ["TERM": "xterm"])
        try test.folder.write("job.yaml", Self.job("bad"))
        #expect(await test.run("run", "job.yaml") == 1)
        #expect(test.errors.text.contains("\u{1B}[1;31mfailed"))
        let plain = try TestContext(
            terminal: TerminalSize(columns: 80, rows: 24), environment: ["TERM": "xterm", "CI": "1"])
        try plain.folder.write("job.yaml", Self.job("bad"))
        #expect(await plain.run("run", "job.yaml") == 1)
        #expect(!plain.errors.text.contains("\u{1B}"))
    }
}
