import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// `file:` URLs.
@Suite struct LocalFileTests {
    static let content = Content.pattern(count: 300_000)

    @Test(arguments: ["sha256: \(content.sha256)", "size: 300000"])
    func aFileIsCopied(_ guarded: String) async throws {
        let bench = try JobBench()
        let source = try bench.folder.write("some source.bin", Self.content.allBytes)
        let outcome = try await bench.run("  - {id: a, download: 'file://\(source)', to: a, \(guarded)}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(outcome.task("a")?.transferred == 300_000)
    }

    @Test func anEmptyFileIsCopied() async throws {
        let bench = try JobBench()
        let source = try bench.folder.write("empty", "")
        let outcome = try await bench.run("  - {id: a, download: 'file://\(source)', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == [])
    }

    /// The kernel makes such a file up as it is read, and says that it has no bytes (proc(5)).
    @Test func aFileThatSaysThatItIsEmptyIsReadToItsEnd() async throws {
        let bench = try JobBench()
        let text = try #require(DiskFile.text("/proc/version"))
        let outcome = try await bench.run("  - {id: a, download: 'file:///proc/version', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array(text.utf8))
    }

    @Test func aMissingFileFailsOnce() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: 'file:///nowhere/at/all', to: a}")
        #expect(outcome.task("a")?.failure?.faultClass == .notFound)
        #expect(outcome.task("a")?.failure?.message.contains("/nowhere/at/all") == true)
        #expect(bench.files == [])
    }

    @Test func aFolderIsNoSource() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: 'file:///tmp', to: a}")
        #expect(outcome.task("a")?.failure?.faultClass == .input)
    }

    /// A local copy that is not there is no reason to give up the servers.
    @Test func aMirrorFollowsAMissingFile() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'file:///nowhere/at/all', mirrors: ['\(server.url("/a"))'], to: a, sha256: \(Self.content.sha256)}"
        )
        #expect(outcome.failedAttempts == [.notFound])
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
    }

    @Test func wrongBytesOfALocalFileAreRefused() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        let bench = try JobBench()
        let source = try bench.folder.write("s", "wrong")
        let outcome = try await bench.run(
            "  - {id: a, download: 'file://\(source)', mirrors: ['\(server.url("/a"))'], to: a, sha256: \(Self.content.sha256)}"
        )
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
    }
}
