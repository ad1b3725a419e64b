import Glibc
import RunnerCLI
import TestSupport
import Testing

/// Jobs that run programs, as the program itself carries them out.
@Suite struct RunKindTests {
    private static let job = """
        version: 1
        tasks:
          - {id: one, run: [sh, -c, 'echo first; echo second; exit 4']}
          - {id: two, run: ['true'], outputs: [two]}

        """

    @Test func noRunRefusesTheJobAndRunsNothing() async throws {
        let test = try TestContext()
        try test.folder.write("job.yaml", Self.job)
        for command in ["run", "plan"] {
            #expect(await test.run(command, "job.yaml", "--no-run") == 2)
        }
        #expect(test.errors.text.contains("job.yaml:3:5: error: this task runs a program, which --no-run forbids"))
        #expect(test.errors.text.contains("job.yaml:4:5: error: "))
        #expect(test.folder.files() == ["job.yaml"])
        try test.folder.write("other.yaml", "version: 1\ntasks: []\n")
        #expect(await test.run("run", "other.yaml", "--no-run") == 0)
    }

    @Test func thePlanNamesTheCommand() async throws {
        let test = try TestContext()
        try test.folder.write("job.yaml", Self.job)
        #expect(await test.run("plan", "job.yaml") == 0)
        #expect(test.output.text.contains("run          one"))
        #expect(test.output.text.contains("done on every run, as it names no files"))
        #expect(test.output.text.contains("run          two"))
        #expect(test.output.text.contains("not done before"))
    }

    @Test func aFailureShowsWhatTheProgramWrote() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("job.yaml", Self.job)
        let outcome = try await RunnerBinary.run(["run", "job.yaml", "--only", "one"], in: folder.path)
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("command (exit_4): sh ended with status 4"))
        #expect(outcome.errorOutput.contains("| first\n"))
        #expect(outcome.errorOutput.contains("| second\n"))
    }

    /// The pipe is open in every process of the task, so that its end comes when the last of them has gone.
    @Test func aKilledRunnerLeavesNoProgramBehind() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - run: [sh, -c, 'exec 9>alive; (trap "" TERM HUP; sleep 1000) & setsid sleep 1000 & echo ready >&9; wait']

            """)
        #expect(mkfifo(folder.path("alive"), 0o600) == 0)
        let process = try RunnerBinary.start(["run", "job.yaml"], in: folder.path)
        let pipe = open(folder.path("alive"), O_RDONLY | O_CLOEXEC)
        defer { close(pipe) }
        var buffer = [UInt8](repeating: 0, count: 100)
        #expect(read(pipe, &buffer, buffer.count) == 6)
        process.signal(SIGKILL)
        #expect(read(pipe, &buffer, buffer.count) == 0)
        _ = await process.wait()
    }
}
