import Glibc
import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@Suite("Tasks that run programs")
struct RunTests {
    private let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nowhere", "TOKEN": "not for programs"]

    private func run(_ bench: JobBench, _ tasks: String, top: String = "") async throws -> JobBench.Outcome {
        try await bench.run(
            tasks, top: top, environment: ["SECRET": "hunter22"], configure: { $0.environment = environment })
    }

    @Test func aProgramRunsInTheJobsDirectory() async throws {
        let bench = try JobBench()
        let outcome = try await run(bench, "  - {id: r, run: [sh, -c, 'pwd; echo made > out'], outputs: out}")
        let task = try #require(outcome.task("r"))
        #expect(task.outcome == .succeeded && task.kind == .run && task.to == "out")
        #expect(task.output?.hasSuffix(bench.folder.path + "\n") == true)
        #expect(bench.bytes("out") == Array("made\n".utf8))
    }

    @Test func theEnvironmentIsCleanAndNamed() async throws {
        let bench = try JobBench()
        let outcome = try await run(
            bench, "  - {id: r, run: [env], env: {B: '1', SHOWN: \"${env:SECRET}\"}}")
        #expect(outcome.task("r")?.output == "B=1\nHOME=/nowhere\nPATH=/usr/bin:/bin\nSHOWN=hunter22\n")
        let secret = try await run(bench, "  - {id: r, run: [env], env: {S: \"${secret:SECRET}\"}}")
        #expect(secret.task("r")?.output?.contains("hunter22") == false)
    }

    @Test func aStatusThatIsNotExpectedIsAFailureWithTheOutput() async throws {
        let bench = try JobBench()
        let outcome = try await run(
            bench,
            """
              - {id: bad, run: [sh, -c, 'echo said; exit 3']}
              - {id: good, run: [sh, -c, 'exit 3'], expect: {status: [0, 3]}}
              - {id: killed, run: [sh, -c, 'kill -9 $$$$']}
              - {id: none, run: [no-such-program]}
              - {id: unmade, run: ['true'], outputs: [x, y/]}
              - {id: nofolder, run: [touch, z], outputs: [z/]}
              - {id: after, run: ['true'], needs: [bad]}
            """)
        let bad = try #require(outcome.task("bad"))
        #expect(bad.failure?.faultClass == .command && bad.failure?.code == "exit_3")
        #expect(bad.failure?.message == "sh ended with status 3" && bad.output == "said\n")
        #expect(outcome.task("good")?.outcome == .succeeded)
        #expect(outcome.task("killed")?.failure?.code == "signal_9")
        #expect(outcome.task("none")?.failure?.message == "there is no program no-such-program in /usr/bin:/bin")
        #expect(outcome.task("unmade")?.failure?.message == "true ended well, but x of `outputs` is not there")
        #expect(outcome.task("nofolder")?.failure?.message == "touch ended well, but z/ of `outputs` is not there")
        #expect(outcome.task("after")?.outcome == .blocked)
    }

    @Test func itRunsAgainOnlyWhenSomethingHasChanged() async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("in", "1")
        func tasks(_ argument: String = "cat in > out; echo x >> log", env: String = "1") -> String {
            "  - {id: r, run: [sh, -c, '\(argument)'], inputs: [in], outputs: [out], env: {A: '\(env)'}}"
        }
        func outcome(_ tasks: String) async throws -> TaskFinished.Outcome? {
            try await run(bench, tasks).task("r")?.outcome
        }
        #expect(try await outcome(tasks()) == .succeeded)
        #expect(try bench.plan(tasks()).tasks.map(\.verdict) == [.upToDate])
        #expect(try await outcome(tasks()) == .upToDate)
        #expect(try await outcome(tasks(env: "2")) == .succeeded)
        #expect(try await outcome(tasks("cat in > out; true")) == .succeeded)
        _ = try bench.folder.write("in", "22")
        #expect(try await outcome(tasks("cat in > out; true")) == .succeeded)
        _ = try bench.folder.write("out", "changed")
        #expect(try bench.plan(tasks("cat in > out; true")).tasks.first?.reason == .resultChanged(path("out")))
        #expect(try await outcome(tasks("cat in > out; true")) == .succeeded)
        #expect(bench.bytes("out") == Array("22".utf8))
        unlink(bench.folder.path("out"))
        #expect(try bench.plan(tasks("cat in > out; true")).tasks.first?.reason == .resultMissing(path("out")))
        #expect(try await outcome(tasks("cat in > out; true")) == .succeeded)
        #expect(try await outcome(tasks("cat in > out; true")) == .upToDate)
    }

    private func path(_ text: String) -> TargetPath { TargetPath(normalized: text) }

    @Test func withNeitherInputsNorOutputsItAlwaysRuns() async throws {
        let bench = try JobBench()
        let task = "  - {id: r, run: ['true']}"
        #expect(try await run(bench, task).task("r")?.outcome == .succeeded)
        #expect(try bench.plan(task).tasks.first?.reason == .alwaysDone)
        #expect(try await run(bench, task).task("r")?.outcome == .succeeded)
    }

    @Test func outputsThatAreRewrittenAlikeKeepTheRestFromRunning() async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("a", "1")
        let tasks = """
              - {id: two, run: [sh, -c, 'cat mid > out'], inputs: mid, outputs: out}
              - {id: one, run: [sh, -c, 'cmp -s a mid || cat a > mid'], inputs: a, outputs: mid}
            """
        #expect(try await run(bench, tasks).finished.exitStatus == 0)
        // The same text in another file: `one` runs, leaves `mid` as it is, and `two` finds nothing to do.
        _ = try bench.folder.write("a", "1")
        let plan = try bench.plan(tasks)
        #expect(plan.tasks.map(\.verdict) == [.run, .run])
        #expect(plan.tasks[0].reason == .inputToCome(path("mid")))
        let outcome = try await run(bench, tasks)
        #expect(outcome.task("one")?.outcome == .succeeded)
        #expect(outcome.task("two")?.outcome == .upToDate)
    }

    @Test func foldersAreInputsAndOutputs() async throws {
        let bench = try JobBench()
        let tasks = """
              - {id: pack, run: [sh, -c, 'ls tree > list'], inputs: [tree/], outputs: [list], cwd: ./sub/..}
              - {id: make, run: [sh, -c, 'rm -rf tree; mkdir -p tree/d; echo 1 > tree/d/f'], outputs: [tree/]}
              - {id: size, check: tree/d/f, size: 2}
            """
        let plan = try bench.plan(tasks.replacing(", cwd: ./sub/..", with: ""))
        #expect(plan.tasks.map { $0.needs } == [[1], [], [1]])
        let outcome = try await run(bench, tasks.replacing(", cwd: ./sub/..", with: ""))
        #expect(outcome.finished.exitStatus == 0)
        #expect(
            try bench.plan(tasks.replacing(", cwd: ./sub/..", with: "")).tasks.allSatisfy { $0.verdict == .upToDate })
        _ = try bench.folder.write("tree/d/g", "more")
        let again = try await run(bench, tasks.replacing(", cwd: ./sub/..", with: ""))
        #expect(again.task("make")?.outcome == .succeeded && again.task("pack")?.outcome == .succeeded)
        #expect(again.task("size")?.outcome == .succeeded)
    }

    @Test func aLimitOfTimeEndsIt() async throws {
        let bench = try JobBench()
        let outcome = try await run(
            bench, "  - {id: r, run: [sh, -c, 'echo begun; sleep 1000'], timeout: {total: 3s}}")
        let task = try #require(outcome.task("r"))
        #expect(task.outcome == .failed && task.failure?.faultClass == .timeout)
        #expect(task.output == "begun\n")
        #expect(task.failure?.message.hasPrefix("the task took longer than 3s (timeout.total)") == true)
    }

    @Test func anAttemptThatTakesTooLongIsMadeAgainWhereTheJobSaysSo() async throws {
        let bench = try JobBench()
        let outcome = try await run(
            bench,
            """
              - id: r
                run: [sh, -c, 'test -e once || { touch once; sleep 1000; }']
                timeout: {attempt: 3s}
                retry: {on: [timeout], attempts: 2, first: 1ms}
            """)
        #expect(outcome.task("r")?.outcome == .succeeded)
        #expect(outcome.task("r")?.attempts == 2)
    }

    @Test func aStoppedRunEndsIt() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: r, run: [sh, -c, 'trap \"\" TERM; sleep 1000']}",
            configure: { $0.environment = environment },
            observe: { event, run in
                if case .taskStarted = event.kind { run.stop(.interrupted) }
            })
        #expect(outcome.task("r")?.outcome == .cancelled)
        #expect(outcome.finished.outcome == .cancelled)
    }

    @Test func noMoreRunAtATimeThanTheCapAllows() async throws {
        let bench = try JobBench()
        // Each sees whether another is at work; mkdir(2) tells the first from the second.
        let one = "mkdir busy || exit 9; for i in 1 2 3 4 5 6 7 8 9 10; do :; done; rmdir busy"
        let tasks = (1...6).map { "  - {id: r\($0), run: [sh, -c, '\(one)']}" }.joined(separator: "\n")
        let outcome = try await run(bench, tasks, top: "limits: {cpu: 1}")
        #expect(outcome.finished.exitStatus == 0)
    }
}
