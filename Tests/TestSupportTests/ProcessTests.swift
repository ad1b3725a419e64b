import Glibc
import TestSupport
import Testing

@Suite("Child processes")
struct ProcessTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func shell(_ script: String, _ environment: [String: String] = [:], input: String = "") throws
        -> ChildProcess
    {
        try ChildProcess(
            "/bin/sh", ["-c", script], environment: environment, in: folder.path, input: Array(input.utf8))
    }

    @Test func keepsTheTwoStreamsAndTheStatus() async throws {
        let process = try shell("echo out; echo err >&2; exit 3")
        #expect(await process.wait() == .exited(3))
        #expect(process.output == Array("out\n".utf8))
        #expect(process.errorOutput == Array("err\n".utf8))
    }

    @Test func passesEnvironmentFolderAndInput() async throws {
        let process = try shell("read -r line; echo \"$KEY $line $PWD\"", ["KEY": "value"], input: "given\n")
        #expect(await process.wait() == .exited(0))
        #expect(String(decoding: process.output, as: UTF8.self) == "value given \(folder.path)\n")
    }

    @Test func waitsForALineAndSignals() async throws {
        let process = try shell(
            "mkfifo f; cat f & trap 'kill $!; echo caught; exit 7' TERM; echo ready; wait",
            ["PATH": "/usr/bin:/bin"])
        #expect(await process.waitForLine { $0.text == "ready" } != nil)
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(7))
        #expect(await process.waitForLine { $0.text == "caught" } != nil)
    }

    @Test func tellsASignalFromAStatus() async throws {
        #expect(try await shell("kill -KILL $$").wait() == .signalled(SIGKILL))
    }

    @Test func killsWhatOutlivesItsTime() async throws {
        let process = try shell("exec /bin/cat /dev/zero > /dev/null")
        #expect(await process.wait(for: .milliseconds(50)) == .signalled(SIGKILL))
    }

    @Test func namesAProgramThatIsNotThere() {
        #expect(throws: SystemFailure.self) {
            try ChildProcess("/no/such/program", [], environment: [:])
        }
    }

    @Test func removesATemporaryDirectoryWithAllInIt() throws {
        var folder: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(folder?.path)
        try folder?.write("a/b/c.txt", "text")
        symlink("/", "\(path)/link")
        #expect(folder?.files() == ["a/b/c.txt", "link"])
        folder = nil
        #expect(access(path, F_OK) != 0)
        #expect(access("/tmp", F_OK) == 0)
    }
}
