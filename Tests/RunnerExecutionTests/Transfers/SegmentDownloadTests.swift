import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// Files that several connections share, over real connections and on a real disk.
@Suite struct SegmentDownloadTests {
    static let content = Content.pattern(count: 6 << 20)
    static let wide = "limits: {concurrency: 8, per_host: 8}"

    /// A server that gives each connection little enough that others have their turn.
    static func slow(_ path: String = "/a", etag: String? = "\"v1\"") throws -> FaultServer {
        let server = try FaultServer(files: [path: ServedFile(content, etag: etag, modified: nil)])
        return server
    }

    static let pace = Step.trickle(bytesPerSecond: 6 << 20)

    static func task(_ url: String, digest: Bool = false, mirrors: String = "") -> String {
        "  - {id: a, download: '\(url)', \(mirrors)to: a" + (digest ? ", sha256: \(content.sha256)}" : "}")
    }

    /// Lets so many connections share the first task's file.
    static func share(_ segments: Download.Segments = .fixed(4)) -> (inout Plan) -> Void {
        { plan in
            guard case .download(var download) = plan.tasks[0].task.action else { return }
            download.segments = segments
            plan.tasks[0].task.action = .download(download)
        }
    }

    @Test(arguments: [false, true]) func theFileIsWhole(digest: Bool) async throws {
        let server = try Self.slow()
        server.on("/a", Self.pace)
        let bench = try JobBench()
        let outcome = try await bench.run(
            Self.task(server.url("/a"), digest: digest), top: Self.wide, change: Self.share())
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == [])
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(bench.files == ["a"])
        #expect(server.requests.contains { $0.header("Range") != nil })
    }

    /// The text of a redirect that a segment gets is none of the file's.
    @Test func aRedirectIsFollowedByEverySegment() async throws {
        let server = try Self.slow()
        server.on("/a", Self.pace)
        server.on("/moved", .redirect(to: "/a"))
        let bench = try JobBench()
        let outcome = try await bench.run(Self.task(server.url("/moved")), top: Self.wide, change: Self.share())
        #expect(outcome.finished.exitStatus == 0)
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(server.requests(to: "/moved").contains { $0.header("Range") != nil })
    }

    /// What servers do to requests for pieces.
    @Test(
        arguments: [
            [.ignoreRange], [.status(429), .retryAfter("1")], [.status(404)], [.etag("\"v2\"")], [.status(416)],
            [.cut(after: 100_000)], [.cut(after: 100_000, by: .reset)], [.contentRange("bytes 0-99/6291456")],
            [.status(206), .withoutHeader("Content-Range")], [.drop()],
        ] as [[Step]])
    func whateverPiecesGetTheFileIsWhole(_ steps: [Step]) async throws {
        let server = try Self.slow()
        server.on("/a", from: 1, through: 3, ranged: true, steps)
        server.on("/a", Self.pace)
        let bench = try JobBench()
        let outcome = try await bench.run(Self.task(server.url("/a")), top: Self.wide, change: Self.share())
        #expect(outcome.finished.exitStatus == 0)
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(bench.files == ["a"])
    }

    /// Each connection is an attempt of its own in the report, with the piece that it was for.
    @Test func aPieceThatBreaksIsTold() async throws {
        let server = try Self.slow()
        server.on("/a", from: 1, through: 1, ranged: true, [.cut(after: 100_000)])
        server.on("/a", Self.pace)
        let bench = try JobBench()
        let outcome = try await bench.run(Self.task(server.url("/a")), top: Self.wide, change: Self.share())
        var started: [Int: Range<Int64>?] = [:]
        var broken: [Int] = []
        for event in outcome.events {
            if case .attemptStarted(let attempt) = event.kind { started[attempt.attempt] = .some(attempt.piece) }
            guard case .attemptFailed(let attempt) = event.kind else { continue }
            broken.append(attempt.attempt)
            #expect(attempt.failure.faultClass == .truncated)
            #expect(attempt.failure.bytes == 100_000)
            let piece = try #require(attempt.piece)
            // Another connection may have taken its second half meanwhile.
            #expect(attempt.resumedFrom == piece.lowerBound && piece.upperBound <= 6 << 20)
            #expect((started[attempt.attempt] ?? nil)?.lowerBound == piece.lowerBound)
        }
        #expect(broken.count == 1)
        #expect(started[1] == .some(nil))
        #expect(started.count == server.requests.count)
        #expect(outcome.task("a")?.attempts == server.requests.count)
    }

    /// Pieces go to the server that the redirect leads to no more often than it may be asked.
    @Test func theCapOfARedirectsTargetIsKeptBySegments() async throws {
        let target = try Self.slow()
        target.on("/a", Self.pace)
        let front = try FaultServer()
        front.on("/moved", .redirect(to: target.url("/a")))
        let bench = try JobBench()
        let outcome = try await bench.run(
            Self.task(front.url("/moved")),
            top: "limits: {concurrency: 8, per_host: 8}\nhosts: {'127.0.0.1:\(target.port)': {per_host: 2}}",
            change: Self.share(.fixed(8)))
        #expect(outcome.finished.exitStatus == 0)
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(target.createdConnections == 2)
    }

    @Test func mirrorsShareUnderADigest() async throws {
        let (first, second) = (try Self.slow(), try Self.slow("/m", etag: nil))
        first.on("/a", Self.pace)
        second.on("/m", Self.pace)
        let bench = try JobBench()
        let task = Self.task(first.url("/a"), digest: true, mirrors: "mirrors: ['\(second.url("/m"))'], ")
        let outcome = try await bench.run(task, top: Self.wide, change: Self.share())
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == [])
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(second.requests.contains { $0.header("Range") != nil })
    }

    @Test(arguments: [false, true]) func theNextRunGoesOnWithTheGaps(digest: Bool) async throws {
        let server = try Self.slow()
        server.on("/a", ranged: false, .trickle(bytesPerSecond: 4 << 20), .stall(after: 2 << 20))
        server.on("/a", from: 1, through: 3, ranged: true, [.stall(after: 300_000)])
        let bench = try JobBench()
        let task = Self.task(server.url("/a"), digest: digest)
        let first = try await bench.run(
            task, top: Self.wide, change: Self.share(), configure: { $0.wantsProgress = true },
            observe: { event, run in
                if case .taskProgress(let progress) = event.kind, progress.bytes >= 2 << 20 { run.stop(.interrupted) }
            })
        #expect(first.finished.outcome == .cancelled)
        let second = try await bench.run(task, top: Self.wide, change: Self.share())
        #expect(second.finished.exitStatus == 0)
        #expect(second.failedAttempts == [])
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
        #expect(server.requests.filter { $0.header("Range") == nil }.count == 1)
    }

    @Test func oneConnectionThatIsFastEnoughStaysAlone() async throws {
        let server = try Self.slow()
        let bench = try JobBench()
        _ = try await bench.run(Self.task(server.url("/a")), top: Self.wide, change: Self.share(.auto))
        #expect(server.createdConnections == 1)
        let isWhole = bench.bytes("a") == Self.content.allBytes
        #expect(isWhole)
    }

    /// 64 MiB from a server that gives each connection 4 MB a second.
    @Test(.enabled(if: Soak.isWanted)) func eightConnectionsAreSixTimesAsFast() async throws {
        let content = Content.pattern(count: 64 << 20)
        var times: [Duration] = []
        for segments in [Download.Segments.single, .fixed(8)] {
            let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
            server.on("/a", .trickle(bytesPerSecond: 4_000_000))
            let bench = try JobBench()
            let began = ContinuousClock.now
            _ = try await bench.run(
                "  - {id: a, download: '\(server.url("/a"))', to: a}", top: Self.wide, change: Self.share(segments))
            times.append(ContinuousClock.now - began)
            let isWhole = bench.bytes("a") == content.allBytes
            #expect(isWhole)
        }
        #expect(times[0] / times[1] >= 6, "\(times)")
    }
}
