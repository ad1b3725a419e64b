import Glibc
import TestSupport
import Testing

/// What is run after a run, by the built program.
@Suite struct HookTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: ["/a": ServedFile(.text("a"))])
    }

    private func run(
        hooks: String, task: String = "a", _ words: String..., environment: [String: String] = [:]
    ) async throws -> RunnerBinary.Outcome {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\nhooks: \(hooks)\ntasks:\n  - {download: \"\(server.url("/" + task))\", to: a}\n"
        )
        return try await RunnerBinary.run(["run", "job.yaml"] + words, environment: environment, in: folder.path)
    }

    private func text(_ name: String) -> String? { folder.read(name).map { String(decoding: $0, as: UTF8.self) } }

    @Test func theSummaryIsOnStandardInputAndInTheEnvironment() async throws {
        let outcome = try await run(
            hooks: "{success: [sh, -c, 'cat > summary; env > variables; pwd > place']}",
            environment: ["TOKEN": "planted"])
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let summary = try #require(text("summary"))
        #expect(summary.hasPrefix("{\"schema\":\"runner.summary/1\",\"run\":\"2"))
        #expect(
            summary.contains("\"outcome\":\"succeeded\",\"exit_status\":0,\"counts\":{\"succeeded\":1},\"bytes\":1,"))
        #expect(summary.hasSuffix("\"failures\":[]}\n"))
        let variables = try #require(text("variables"))
        #expect(variables.contains("RUNNER_SUMMARY=" + summary))
        #expect(variables.contains("RUNNER_OUTCOME=succeeded\n") && variables.contains("RUNNER_EXIT_STATUS=0\n"))
        #expect(!variables.contains("planted"))
        let report = try #require(variables.firstMatch(of: #/RUNNER_REPORT=(.*)/#)).1
        #expect(DiskFile.text(String(report))?.contains("run.finished") == true)
        #expect(text("place") == folder.path + "\n")
    }

    @Test func failureIsToldWithItsCause() async throws {
        let outcome = try await run(
            hooks: "{success: [touch, wrong], failure: [sh, -c, 'cat > summary'], always: [touch, after]}", task: "none"
        )
        #expect(outcome.status == 1)
        let summary = try #require(text("summary"))
        #expect(summary.contains("\"failures\":[{\"task\":\"a\",\"outcome\":\"failed\",\"to\":\"a\",\"line\":5,"))
        #expect(summary.contains("\"class\":\"not_found\",\"code\":\"http_404\""))
        #expect(folder.files().contains("after") && !folder.files().contains("wrong"))
    }

    @Test(arguments: [
        ("[sh, -c, 'echo said; exit 3']", "hooks.always: sh ended with status 3"),
        ("[no-such-program]", "hooks.always: there is no program no-such-program in /usr/bin:/bin"),
        ("[./job.yaml]", "hooks.always: ./job.yaml may not be executed"),
        ("[sh, -c, 'kill -9 $$$$']", "hooks.always: sh was ended by signal 9"),
    ])
    func whatAHookDoesIsNoMatterOfTheRun(_ command: String, _ warning: String) async throws {
        let outcome = try await run(hooks: "{always: \(command)}")
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("runner: warning: " + warning), "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("said\n") == command.contains("said"))
    }

    @Test func aHookThatHangsIsEndedWithAllThatItStarted() async throws {
        let outcome = try await run(
            hooks:
                "{always: [sh, -c, 'trap \"\" TERM; sleep 600 & echo $! > child; wait; sleep 600'], timeout: 200ms}"
        )
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("sh took longer than 200ms and was ended (hooks.timeout)"))
        let child = try #require(text("child").flatMap { pid_t($0.trimming()) })
        #expect(kill(child, 0) != 0)
    }

    @Test func aRunThatCannotBeginHasNoHooks() async throws {
        try folder.write("out", "in the way")
        let outcome = try await run(hooks: "{always: [touch, after]}")
        #expect(outcome.status == 3)
        #expect(!folder.files().contains("after"))
        #expect(try await run(hooks: "{always: [touch, after]}", "--dry-run").status == 0)
        #expect(!folder.files().contains("after"))
    }

    @Test func theNextRunOfTheJobMayBeginInAHook() async throws {
        let program = try RunnerBinary.path
        let outcome = try await run(hooks: "{success: [\"\(program)\", status, job.yaml]}")
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains(": succeeded, began "))
    }
}

extension String {
    fileprivate func trimming() -> String { filter { !$0.isWhitespace } }
}
