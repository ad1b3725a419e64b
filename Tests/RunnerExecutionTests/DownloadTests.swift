import Glibc
import RunnerExecution
import RunnerJob
import RunnerTransfer
import TestSupport
import Testing

@Suite struct DownloadTests {
    let content = Content.pattern(count: 100_000)

    /// A task queues from when nothing is missing that it needs, until it has its turn.
    @Test func theTimeInTheQueueIsTold() async throws {
        let server = try FaultServer(files: ["/a": .text("a"), "/b": .text("b"), "/c": .text("c")])
        let outcome = try await JobBench().run(
            """
              - {id: a, download: '\(server.url("/a"))', priority: 1}
              - {id: b, download: '\(server.url("/b"))'}
              - {id: c, download: '\(server.url("/c"))', needs: [b]}
            """, top: "limits: {concurrency: 1}")
        let (first, second, third) = (outcome.task("a")?.timing, outcome.task("b")?.timing, outcome.task("c")?.timing)
        let total = try #require(first?.total)
        #expect(try #require(first?.queued) >= .zero)
        #expect(try #require(second?.queued) >= total)
        #expect(try #require(third?.queued) + total <= outcome.finished.duration)
    }

    @Test func aFileArrivesWhole() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: d/a, sha256: \(content.sha256)}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("d/a") == content.allBytes)
        #expect(bench.files == ["d/a"])
        let task = try #require(outcome.task("a"))
        #expect(task.outcome == .succeeded)
        #expect(task.bytes == 100_000)
        #expect(task.digest?.hex == content.sha256)
    }

    @Test func aBrokenTransferGoesOnWhereItStopped() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 40_000, by: .reset))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.header("If-Range") == "\"v1\"")
        #expect(server.bytesSent < 102_000)
    }

    /// Two jobs may want one path; the last one wins whole, and says so.
    @Test(arguments: [true, false]) func aFileOfSomebodyElseIsReplacedWithAWarning(_ isMeanwhile: Bool) async throws {
        let server = try FaultServer(files: ["/a": .text("mine")])
        let bench = try JobBench()
        let path = bench.folder.path("a")
        let write: @Sendable () -> Void = {
            // The clock of a file system may lag behind by a few milliseconds.
            let start = WallClock.milliseconds
            var status = stat()
            repeat {
                _ = try? bench.folder.write("a", "theirs")
                stat(path, &status)
            } while Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000 <= start
        }
        if !isMeanwhile { write() }
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}",
            observe: { event, _ in
                if isMeanwhile, case .attemptStarted = event.kind { write() }
            })
        #expect(bench.bytes("a") == Array("mine".utf8))
        #expect(outcome.warnings.count == (isMeanwhile ? 1 : 0), "\(outcome.warnings)")
    }

    @Test func wrongBytesAreNeverPublished() async throws {
        let server = try FaultServer(files: ["/a": .text("wrong")])
        let bench = try JobBench()
        _ = try bench.folder.write("a", "old")
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(content.sha256)}")
        #expect(outcome.finished.exitStatus == 1)
        #expect(bench.bytes("a") == Array("old".utf8))
        #expect(bench.files == ["a"])
        #expect(outcome.task("a")?.failure?.faultClass == .integrity)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.header("Cache-Control") == "no-cache")
    }

    @Test func aFailureBlocksWhatNeedsItAndNothingElse() async throws {
        let server = try FaultServer(files: ["/b": .text("b"), "/c": .text("c")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a}
              - {id: b, download: '\(server.url("/b"))', to: b, needs: [a]}
              - {id: c, download: '\(server.url("/c"))', to: c}
            """)
        #expect(outcome.task("a")?.failure?.faultClass == .notFound)
        #expect(outcome.task("b")?.outcome == .blocked)
        #expect(outcome.task("c")?.outcome == .succeeded)
        #expect(outcome.finished.exitStatus == 1)
    }

    @Test func whatLiesInTheWayIsToldAsWhatItIs() async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        let bench = try JobBench()
        try #require(mkdir(bench.folder.path + "/folder", 0o777) == 0)
        try #require(mkfifo(bench.folder.path + "/pipe", 0o666) == 0)
        let outcome = try await bench.run(
            """
              - {id: folder, download: '\(server.url("/a"))', to: folder}
              - {id: pipe, download: '\(server.url("/a"))', to: pipe}
            """)
        #expect(outcome.task("folder")?.failure?.message.contains("is a folder") == true)
        #expect(outcome.task("pipe")?.failure?.message.contains("neither a file nor a folder") == true)
        #expect(server.requests.count == 0)
    }
}
