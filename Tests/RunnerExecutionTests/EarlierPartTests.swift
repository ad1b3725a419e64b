import Glibc
import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// What an earlier run left is used, and only where it belongs to the file that is wanted.
@Suite struct EarlierPartTests {
    let content = Content.pattern(count: 100_000)

    /// Runs a job and stops it once so many bytes have come.
    private func interrupt(_ bench: JobBench, _ task: String, at count: Int64 = 40_000) async throws {
        let outcome = try await bench.run(
            task, configure: { $0.wantsProgress = true },
            observe: { event, run in
                if case .taskProgress(let progress) = event.kind, progress.bytes == count { run.stop(.interrupted) }
            })
        #expect(outcome.finished.exitStatus == 130)
        #expect(outcome.task("a")?.outcome == .cancelled)
    }

    @Test func theNextRunGoesOnFromTheBytesKept() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .stall(after: 40_000))
        let bench = try JobBench()
        let task = "  - {id: a, download: '\(server.url("/a"))', to: a}"
        try await interrupt(bench, task)
        #expect(bench.bytes("a") == nil)
        let outcome = try await bench.run(task)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(server.requests.last?.header("Range") == "bytes=40000-")
        #expect(outcome.task("a")?.resumedFrom == 40_000)
        #expect(bench.files == ["a"])
    }

    @Test func aSignedURLMayChangeItsQuery() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .file(ServedFile(content, etag: "\"v1\"")), .stall(after: 40_000))
        server.on("/a", .file(ServedFile(content, etag: "\"v1\"")))
        let bench = try JobBench()
        try await interrupt(bench, "  - {id: a, download: '\(server.url("/a?sig=1"))', to: a}")
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a?sig=2"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.last?.header("Range") == "bytes=40000-")
    }

    @Test func aPartOfAnotherFileIsNotUsed() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\""), "/b": .text("other")])
        server.on("/a", nth: 1, .stall(after: 40_000))
        let bench = try JobBench()
        try await interrupt(bench, "  - {id: a, download: '\(server.url("/a"))', to: a}")
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/b"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("other".utf8))
        #expect(server.requests.last?.header("Range") == nil)
        #expect(bench.files == ["a"])
    }

    /// As a snapshot by hard links leaves it, which must not change under its other name.
    @Test func aPartWithAnotherNameIsLeftToIt() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .stall(after: 40_000))
        let bench = try JobBench()
        let task = "  - {id: a, download: '\(server.url("/a"))', to: a}"
        try await interrupt(bench, task)
        let part = try #require(bench.files.first { $0.hasSuffix(".part") })
        try #require(link("\(bench.folder.path)/\(part)", "\(bench.folder.path)/snapshot") == 0)
        let outcome = try await bench.run(task)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(bench.bytes("snapshot") == Array(content.allBytes.prefix(40_000)))
        #expect(bench.files == ["a", "snapshot"])
    }

    @Test func aWholePartNeedsNoSecondTransfer() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .chunked(), .stall(after: 100_000))
        let bench = try JobBench()
        let task = "  - {id: a, download: '\(server.url("/a"))', to: a}"
        try await interrupt(bench, task, at: 100_000)
        let sent = server.bytesSent
        #expect(try await bench.run(task).finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(server.bytesSent - sent < 1000)
    }

    /// As after a kill between the moment the file got its name and the one its state went.
    @Test func theStateOfAFileThatIsThereIsRemoved() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .stall(after: 40_000))
        let bench = try JobBench()
        let task = "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(content.sha256)}"
        try await interrupt(bench, task)
        let part = try #require(bench.files.first { $0.hasSuffix(".part") })
        unlink(bench.folder.path(part))
        try bench.folder.write("a", content.allBytes)
        #expect(try await bench.run(task).task("a")?.outcome == .upToDate)
        #expect(bench.folder.files().allSatisfy { !$0.hasPrefix(".runner/parts/") })
    }
}
