import RunnerJob
import Testing

@Suite("Tasks that run programs, in a job file") struct RunReaderTests {
    private func run(_ task: String) throws -> (JobTask, ProgramRun)? {
        let job = try JobText.parse(
            "version: 1\ntasks:\n- \(task)\n", environment: ["TOKEN": "hunter22"])
        guard let task = job.tasks.first, case .run(let run) = task.action else { return nil }
        return (task, run)
    }

    @Test func readsEveryField() throws {
        let (task, run) = try #require(
            try run(
                "{run: [make, -j4, 'a b'], env: {CC: gcc}, cwd: src/, inputs: [src/, a], outputs: [out/, b],"
                    + " expect: {status: [0, 2]}}"))
        #expect(run.arguments.map(\.text) == ["make", "-j4", "a b"])
        #expect(run.environment == [NamedValue(name: "CC", value: "gcc")])
        #expect(run.folder?.path.text == "src" && run.folder?.shape == .folder)
        #expect(run.reads.map(\.path.text) == ["src", "a"] && run.reads.map(\.shape) == [.folder, .any])
        #expect(run.outputs.map(\.path.text) == ["out", "b"] && run.outputs.map(\.isFolder) == [true, false])
        #expect(run.statuses == [0, 2])
        #expect(task.id == "out" && task.kind == .run)
        #expect(run.sourceText == "make -j4 \"a b\"")
    }

    @Test func withoutOutputsTheCommandIsTheId() throws {
        #expect(try run("run: [make, test]")?.0.id == "run make test")
    }

    @Test func secretsAreNeitherShownNorPartOfTheFingerprint() throws {
        let (task, run) = try #require(try run("run: [tool, \"${secret:TOKEN}\"]"))
        #expect(task.id == "run tool ***")
        let other = ProgramRun(
            arguments: [ProgramRun.Argument("tool"), ProgramRun.Argument("another", hasSecret: true)])
        #expect(run.fingerprint == other.fingerprint)
    }

    @Test(arguments: [
        (
            "run: make test",
            "3:8: `run` wants a program and its arguments as a list, such as `run: [make, -j4]`; no shell reads them"
        ),
        (
            "run: []",
            "3:8: `run` wants a program and its arguments as a list, such as `run: [make, -j4]`; no shell reads them"
        ),
        ("run: ['']", "3:9: the program's name is empty"),
        ("run: [\"${secret:TOKEN}\"]", "3:9: the program's name cannot be a secret"),
        ("run: [a, \"b\\0\"]", "3:12: an argument cannot hold a zero byte"),
        ("{run: [a], env: {1A: b}}", "3:20: `1A` is no name of an environment variable"),
        (
            "{run: [a], expect: {size: 4}}",
            "3:23: unknown key `size` in `expect` of a `run` task; it takes `status`"
        ),
        (
            "{run: [a], expect: {status: 256}}",
            "3:31: `status` must be a whole number from 0 to 255, not `256`"
        ),
        (
            "{run: [a], outputs: [../b]}",
            "3:24: the path leaves the job's directory; write it without `..`, or as an absolute path"
        ),
        ("{run: [a], segments: 2}", "3:14: `segments` is a key of `download` tasks, not of `run` tasks"),
    ])
    func tellsWhatIsWrong(_ task: String, _ fault: String) {
        let faults = JobText.faults("version: 1\ntasks:\n- \(task)\n", environment: ["TOKEN": "hunter22"])
        #expect(faults == [fault])
    }

    @Test func anyChangeOfWhatIsAskedChangesTheFingerprint() throws {
        let texts = [
            "run: [a]", "run: [a, b]", "run: [a, 'b ']", "run: [ab]", "{run: [a], env: {B: c}}",
            "{run: [a], env: {B: d}}",
            "{run: [a], cwd: b}", "{run: [a], inputs: b}", "{run: [a], outputs: b}", "{run: [a], expect: {status: 1}}",
        ]
        let fingerprints = try texts.map { try #require(run($0)?.1.fingerprint) }
        #expect(Set(fingerprints).count == texts.count)
    }
}
