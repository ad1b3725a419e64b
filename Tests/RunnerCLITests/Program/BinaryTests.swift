import Glibc
import TestSupport
import Testing

/// The built program as a process: signals, streams, exit statuses.
@Suite struct BinaryTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/slow": ServedFile(.pattern(count: 100_000)), "/good": ServedFile(.text("good")),
        ])
        server.on("/slow", .stall(after: 50_000))
        // On a busy machine a test may have its turn late; the transfer must still be there then.
        try folder.write(
            "slow.yaml",
            "version: 1\ndefaults: {timeout: {stall: 10m}}\ntasks:\n"
                + "  - {download: \"\(server.url("/slow"))\", to: slow}\n")
        try folder.write("good.yaml", "version: 1\ntasks:\n  - {download: \"\(server.url("/good"))\", to: good}\n")
    }

    /// Starts a job that never ends, and waits until its transfer has begun.
    func begin(_ words: String..., through starter: [String] = []) async throws -> ChildProcess {
        let arguments = ["run", "slow.yaml", "--report", "-"] + words
        let process = try RunnerBinary.start(arguments, in: folder.path, through: starter)
        #expect(await process.waitForLine { $0.text.contains("\"attempt.started\"") } != nil)
        return process
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func aSignalStopsTheRunWithItsStatus(signal: Int32, status: Int32) async throws {
        let process = try await begin()
        process.signal(signal)
        #expect(await process.wait() == .exited(status))
        let report = String(decoding: process.output, as: UTF8.self)
        #expect(report.contains("\"outcome\":\"cancelled\""))
        #expect(report.contains("\"exit_status\":\(status)"))
        #expect(folder.read("slow") == nil)
        let text = String(decoding: process.errorOutput, as: UTF8.self)
        #expect(text.hasPrefix("stopping"))
    }

    @Test func aHangUpIsIgnoredUnderNohup() async throws {
        let process = try await begin(through: ["/usr/bin/nohup"])
        process.signal(SIGHUP)
        // Of two pending signals the one with the lower number is taken first: SIGHUP, were it not ignored.
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(143))
    }

    /// OpenSSL would ask whoever sits at the terminal, and a run without anybody would wait for ever.
    @Test func nobodyIsAskedForAPassphrase() async throws {
        let secure = try FaultServer(files: ["/a": ServedFile(.text("a"))], tls: .valid)
        let authority = try TestCertificate.authorityPath
        try TestCertificate.writeLockedKey(to: folder.path("key.pem"), passphrase: "several words")
        try folder.write(
            "key.yaml",
            "version: 1\ntasks:\n  - {download: \"\(secure.url("/a"))\", to: a, "
                + "tls: {ca: \"\(authority)\", cert: \"\(authority)\", key: key.pem}}\n")
        let outcome = try await RunnerBinary.run(["run", "key.yaml"], in: folder.path, input: "several words\n")
        #expect(outcome.status == 1)
        #expect(!outcome.errorOutput.contains("pass phrase"), "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("`tls: {cert, key, passphrase}`"), "\(outcome.errorOutput)")
    }

    /// The matrix inside is read once for each combination of the one around it.
    @Test func everyMatrixThatReadsStandardInputGetsAllOfIt() async throws {
        try folder.write(
            "rows.yaml",
            """
            version: 1
            tasks:
              - matrix: {a: [x, y]}
                tasks:
                  - {matrix: {file: "-"}, download: "http://127.0.0.1/${line}", to: "${a}/${line}"}

            """)
        let outcome = try await RunnerBinary.run(["plan", "rows.yaml"], in: folder.path, input: "1\n2\n")
        #expect(outcome.status == 0)
        for path in ["x/1", "x/2", "y/1", "y/2"] { #expect(outcome.output.contains(" \(path) "), "\(outcome.output)") }
    }

    /// A descriptor of the program's own must not come to lie where a stream that was closed is written to.
    @Test func aStreamThatIsClosedStaysClosed() async throws {
        let script = "exec \"$0\" \"$@\" >&-"
        let process = try RunnerBinary.start(
            ["plan", "good.yaml"], in: folder.path, through: ["/bin/sh", "-c", script])
        #expect(await process.wait() == .exited(3))
        let text = String(decoding: process.errorOutput, as: UTF8.self)
        #expect(text == "runner: error: standard output: Bad file descriptor\n")
    }

    /// As a text it would be the name of another file.
    @Test(arguments: [
        ("exec \"$0\" run \"$(printf 'caf\\351.yaml')\"", "argument 2, caf\u{FFFD}.yaml, is not UTF-8"),
        ("mkdir \"$(printf 'd\\351')\" && cd d* && exec \"$0\" run ../good.yaml", "the path of the current folder, "),
        ("NAME=$(printf 'a\\351') exec \"$0\" run env.yaml", "the environment variable `NAME` is not UTF-8"),
        ("NAME=$(printf 'a\\351') exec \"$0\" run secret.yaml", "the secret `NAME` is not UTF-8"),
    ])
    func whatIsNoTextIsRefused(_ script: String, sentence: String) async throws {
        for (name, reference) in [("env", "env:NAME"), ("secret", "secret:NAME")] {
            try folder.write("\(name).yaml", "version: 1\ntasks:\n  - {check: \"${\(reference)}\", optional: true}\n")
        }
        let process = try RunnerBinary.start([], in: folder.path, through: ["/bin/sh", "-c", script])
        #expect(await process.wait() == .exited(2))
        let text = String(decoding: process.errorOutput, as: UTF8.self)
        #expect(text.contains("error: " + sentence), "\(text)")
    }

    @Test func theNameOfAJobFileIsShownSafely() async throws {
        try folder.write("a\u{1B}[31m.yaml", "version: 1\ntasks: 5\n")
        let outcome = try await RunnerBinary.run(["check", "a\u{1B}[31m.yaml"], in: folder.path)
        #expect(outcome.status == 2 && !outcome.errorOutput.contains("\u{1B}"), "\(outcome.errorOutput)")
    }

    /// Half a plan must not pass for a plan; a reader that has seen enough is no failure.
    @Test(arguments: [("/dev/full", 3), ("| true", 0)] as [(String, Int32)])
    func dataThatIsNotWrittenIsAFailure(_ target: String, status: Int32) async throws {
        let run = "\"$0\" \"$@\""
        let script = target.hasPrefix("/") ? "exec \(run) > \(target)" : "(\(run); echo $? >status) \(target)"
        let words = ["plan", "good.yaml", "--format", "json"]
        let process = try RunnerBinary.start(words, in: folder.path, through: ["/bin/sh", "-c", script])
        let end = await process.wait()
        if target.hasPrefix("/") {
            #expect(end == .exited(status))
            let text = String(decoding: process.errorOutput, as: UTF8.self)
            #expect(text == "runner: error: standard output: No space left on device\n")
        } else {
            #expect(folder.read("status") == Array("0\n".utf8))
        }
    }

    @Test func nothingButTheReportIsOnStandardOutput() async throws {
        let outcome = try await RunnerBinary.run(["run", "good.yaml", "--report", "-", "--verbose"], in: folder.path)
        #expect(outcome.status == 0)
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"schema\":\"runner.report/1\"") })
        #expect(outcome.errorOutput.contains("done     good: 4 B"))
        #expect(!(outcome.output + outcome.errorOutput).contains { $0 == "\r" || $0 == "\u{1B}" || $0 == "\r\n" })
    }

    @Test func getFetchesUnderTheNameOfTheURL() async throws {
        let state = try TemporaryDirectory()
        let outcome = try await RunnerBinary.run(
            ["get", server.url("/good")], environment: ["XDG_STATE_HOME": state.path], in: folder.path)
        #expect(outcome.status == 0)
        #expect(folder.read("good") == Array("good".utf8))
        #expect(folder.files() == ["good", "good.yaml", "slow.yaml"])
    }

    @Test func aReaderThatWentAwayIsNoCrash() async throws {
        let program = try RunnerBinary.path
        let shell = try ChildProcess(
            "/bin/sh", ["-c", "{ sleep 0; \"$0\" plan good.yaml; echo \"status $?\" >&2; } | true", program],
            environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
        #expect(await shell.wait() == .exited(0))
        #expect(String(decoding: shell.errorOutput, as: UTF8.self) == "status 0\n")
    }

    @Test func theVersionNamesTheLibraries() async throws {
        let outcome = try await RunnerBinary.run(["--version"], in: folder.path)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(#/^runner \d+\.\d+\.\d+ \(libcurl \d+\.\d+.*, OpenSSL \d+\.\d+.*\)\n$/#))
    }

    @Test func aJobOnStandardInputStartsFromTheCurrentFolder() async throws {
        let job = "version: 1\ntasks:\n  - {download: \"\(server.url("/good"))\", to: sub/good}\n"
        let outcome = try await RunnerBinary.run(["run", "-"], in: folder.path, input: job)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("sub/good") == Array("good".utf8))
    }

    @Test func aFolderIsNoJobFile() async throws {
        let outcome = try await RunnerBinary.run(["check", "."], in: folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput == "runner: error: .: Is a directory\n")
    }
}
