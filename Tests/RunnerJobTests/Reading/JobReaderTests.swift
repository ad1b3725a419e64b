import RunnerJob
import Testing

@Suite struct JobReaderTests {
    @Test func readsAJobWithNothingToDo() throws {
        let job = try JobText.parse("version: 1\ntasks: []\n")
        #expect(job.tasks.isEmpty)
        #expect(job.limits == Limits())
        #expect(job.report == nil)
        #expect(job.file == "job.yaml")
        #expect(job.folder == "/jobs")
        #expect(job.directory == "/jobs")
    }

    @Test(arguments: [
        ("job.yaml", "job"), ("jobs/nightly.yml", "nightly"), ("/x/a.b.yaml", "a.b"), ("job", "job"),
        (".yaml", ".yaml"), ("-", "stdin"),
    ])
    func isNamedAfterItsFile(file: String, name: String) throws {
        let input = JobText.input("version: 1\ntasks:\n- http://h/${job.name}\n", file: file)
        let job = try JobParser.parse(input)
        #expect(job.name == name)
        #expect(job.tasks.map(\.id.text) == [name])
    }

    @Test func isCalledStdinInMessages() {
        let faults = #expect(throws: JobFaults.self) { _ = try JobParser.parse(JobText.input("x", file: "-")) }
        #expect(faults?.sources.files.map(\.name) == ["<stdin>"])
    }

    @Test(arguments: [
        ("out", "/jobs/out"), ("../downloads", "/downloads"), ("/srv/x/", "/srv/x"), (".", "/jobs"),
        ("\"${env:OUT}/x\"", "/o/x"),
    ])
    func findsItsDirectoryFromItsFolder(directory: String, path: String) throws {
        let text = "version: 1\ndirectory: \(directory)\ntasks: []\n"
        #expect(try JobText.parse(text, environment: ["OUT": "/o"]).directory == path)
    }

    @Test func letsTheCommandLineChooseTheDirectory() throws {
        let text = "version: 1\ndirectory: out\ntasks:\n- {download: http://h/a, to: /else/b}\n"
        let job = try JobParser.parse(JobText.input(text, directory: "/else"))
        #expect(job.directory == "/else")
        #expect(job.tasks.map(\.id) == ["b"])
    }

    @Test(arguments: [
        ("run.jsonl", "run.jsonl"), ("./log//run.jsonl", "log/run.jsonl"), ("/var/log/r", "/var/log/r"),
        ("\"r-${date:%F}\"", "r-2026-03-01"),
    ])
    func readsTheReport(report: String, path: String) throws {
        #expect(try JobText.parse("version: 1\nreport: \(report)\ntasks: []\n").report == path)
    }

    @Test(arguments: [
        ("version: 2\nnonsense: 3\n", ["1:10: version `2` is not known; this program reads version 1"]),
        ("version:\ntasks: []\n", ["1:9: `version` has no value; write 1 behind it"]),
        ("tasks: []\n", ["1:1: `version` is missing; begin the file with `version: 1`"]),
        ("version: 1\n", ["1:1: `tasks` is missing; a job without work has `tasks: []`"]),
        ("version: 1\ntasks:\n", ["2:7: `tasks` has no value; a job without work has `tasks: []`"]),
        ("version: 1\ntasks: {a: b}\n", ["2:8: `tasks` wants a list; begin each task with `- `"]),
        ("- a\n", ["1:1: a job file is a mapping that begins with `version: 1`; this is something else"]),
        (
            "version: 1\ntask: []\n",
            [
                "1:1: `tasks` is missing; a job without work has `tasks: []`",
                "2:1: unknown key `task` in the job; did you mean `tasks`?",
            ]
        ),
        ("version: 1\ncache: {}\ntasks: []\n", ["2:1: unknown key `cache` in the job"]),
        ("version: 1\nname: ''\ntasks: []\n", ["2:7: `name` must be a text on one line that is not empty"]),
        (
            "version: 1\nlimits: {concurrency: 0}\ntasks: []\n",
            ["2:23: `concurrency` must be a whole number from 1 to 10000, not `0`"]
        ),
        (
            "version: 1\nlimits: {per_host: 1.5}\ntasks: []\n",
            ["2:20: `per_host` wants a whole number, such as 1, not `1.5`"]
        ),
        (
            "version: 1\ndirectory: ~/x\ntasks: []\n",
            ["2:12: `~` does not stand for the home folder here; write ${env:HOME}"]
        ),
        ("version: 1\ndirectory: ../../x\ntasks: []\n", ["2:12: the path leads above the root folder"]),
        ("version: 1\ndescription: [a]\ntasks: []\n", ["2:14: `description` wants a text, not a list"]),
        (
            "version: 1\nreport: ../x\ntasks: []\n",
            ["2:9: the path leaves the job's directory; write it without `..`, or as an absolute path"]
        ),
    ])
    func refusesWhatIsNoJob(text: String, faults: [String]) {
        #expect(JobText.faults(text) == faults)
    }

    @Test(arguments: [
        ("{download: http://h/a, id: x}", "{download: http://h/b, id: x}"),
        ("{download: http://h/a, id: b}", "{download: http://h/b}"),
        ("{download: http://h/b}", "{download: http://h/a, id: b}"),
    ])
    func refusesOneIDForTwoTasks(first: String, second: String) {
        let text = "version: 1\ntasks:\n- \(first)\n- \(second)\n"
        let faults = #expect(throws: JobFaults.self) { _ = try JobText.parse(text) }
        #expect(faults?.diagnostics.map(\.place) == [Place(line: 4, column: 3)])
        #expect(faults?.diagnostics.first?.message.hasPrefix("two tasks have the id `") == true)
        #expect(
            faults?.diagnostics.first?.notes == [Diagnostic.Note("the other is here", at: Place(line: 3, column: 3))])
    }

    @Test func leavesTwoWritersOfOnePathToThePlanner() throws {
        #expect(try JobText.parse("version: 1\ntasks:\n- http://h/a\n- http://i/a\n").tasks.count == 2)
    }

    @Test func tellsAFaultOfAnAliasOnce() {
        let text = "version: 1\ntasks:\n- &a {download: http://h/a, size: x}\n- {<<: *a, to: b}\n- {<<: *a, to: c}\n"
        #expect(JobText.faults(text).count == 1)
    }

    /// Work that grows with the square of the number of tasks would not end here in any bearable time.
    @Test(.timeLimit(.minutes(1))) func readsManyTasks() throws {
        let items = (0..<20_000).map { "- {download: \"http://h/f\($0)\", to: d/f\($0), needs: [x], retry: *r}\n" }
        let job = try JobText.parse("version: 1\nx-r: &r {attempts: 2}\ntasks:\n" + items.joined())
        #expect(job.tasks.count == 20_000)
        #expect(job.tasks.last?.place.line == 20_003)
        #expect(job.tasks.last?.retry.attempts == 2)
    }

    @Test(.timeLimit(.minutes(1))) func showsManyFaults() throws {
        let text = "version: 1\ntasks:\n" + (0..<3000).map { "- {download: http://h/\($0), tp: x}\n" }.joined()
        let faults = try #require(#expect(throws: JobFaults.self) { _ = try JobText.parse(text) })
        let renderer = DiagnosticRenderer(faults.sources)
        #expect(faults.diagnostics.map { renderer.text($0) }.count == 3000)
    }
}
