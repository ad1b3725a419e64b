import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// A transfer that was cut goes on rightly after whatever the server answers.
@Suite struct ResumeTests {
    static let content = Content.pattern(count: 100_000)
    static let other = Content.pattern(count: 100_000, seed: 2)

    /// Every wrong answer to the request for the rest.
    @Test(
        arguments: [
            [.ignoreRange], [.status(416)], [.status(416), .header("Content-Range", "bytes */7")],
            [.contentRange("bytes 50000-99999/100000")], [.contentRange("bytes 40000-99999/200000")],
            [.contentRange("rubbish")], [.header("Content-Encoding", "gzip")], [.etag("\"v2\"")],
            [.status(206), .withoutHeader("Content-Range")], [.status(200), .contentRange("bytes 40000-99999/100000")],
            [.contentRange("bytes 40000-99999/*")], [.contentLength(70_000)], [.cut(after: 10_000, by: .reset)],
            [.status(503)],
            [.drop()],
            [.status(400)], [.status(403)], [.status(412)], [.status(204)], [.status(304)], [.status(501)],
            [.etag("W/\"v1\"")], [.withoutHeader("ETag")], [.status(416), .header("Content-Range", "bytes */100000")],
            [.status(200), .content(.text("<html>busy</html>")), .header("Content-Type", "text/html")],
            [
                .status(206), .withoutHeader("Content-Range"), .content(.text("--x\r\n\r\nabc\r\n--x--\r\n")),
                .header("Content-Type", "multipart/byteranges; boundary=x"),
            ],
        ] as [[Step]])
    func theRestIsPutTogetherRightly(_ steps: [Step]) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 40_000))
        server.on("/a", from: 1, through: 1, ranged: true, steps)
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(bench.files == ["a"])
        #expect(server.requests.dropFirst().first?.header("Range") == "bytes=40000-")
        #expect(server.requests.dropFirst().first?.header("If-Range") == "\"v1\"")
    }

    /// The budget of attempts is renewed by progress, and every attempt is told.
    @Test func aLinkThatDropsAllTheTimeGetsThere() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", .cut(after: 7_000))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(outcome.failedAttempts == Array(repeating: .truncated, count: 14))
        let starts = outcome.events.compactMap { event -> Int64? in
            if case .attemptStarted(let attempt) = event.kind { attempt.resumedFrom } else { nil }
        }
        #expect(starts == (0..<15).map { $0 * 7_000 })
    }

    @Test func anEarlierStartIsPassedOver() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 40_000))
        server.on(
            "/a", ranged: true, .status(206), .contentRange("bytes 30000-99999/100000"), .bodyFrom(30_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(Self.content.sha256)}")
        #expect(outcome.failedAttempts == [.truncated])
        #expect(bench.bytes("a") == Self.content.allBytes)
    }

    @Test func aChangedFileComesWhole() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 40_000))
        server.on("/a", .file(ServedFile(Self.other, etag: "\"v2\"")))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.other.allBytes)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: ["W/\"v1\"", nil])
    func withoutAValidatorNothingIsJoined(_ etag: String?) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: etag, modified: nil)])
        server.on("/a", nth: 1, .cut(after: 40_000))
        let bench = try JobBench()
        _ = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(server.requests.allSatisfy { $0.header("Range") == nil && $0.header("If-Range") == nil })
    }

    @Test func underADigestTheRestIsAskedForAnyway() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: nil, modified: nil)])
        server.on("/a", nth: 1, .cut(after: 40_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(Self.content.sha256)}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=40000-"])
        #expect(server.requests.last?.header("If-Range") == nil)
    }

    /// A tag that lies joins two versions; the digest has the last word and the file is fetched from zero.
    @Test func aLyingTagIsFoundOut() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .file(ServedFile(Self.other, etag: "\"v1\"")), .cut(after: 40_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(Self.content.sha256)}")
        #expect(outcome.failedAttempts == [.truncated, .integrity])
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=40000-", nil])
        #expect(server.requests.last?.header("Cache-Control") == nil)
    }

    @Test func aMirrorGoesOnUnderADigest() async throws {
        let first = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        let second = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"m\"")])
        first.on("/a", .cut(after: 40_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(first.url("/a"))', mirrors: ['\(second.url("/a"))'], to: a, sha256: \(Self.content.sha256)}"
        )
        #expect(outcome.finished.exitStatus == 0)
        #expect(second.requests.map { $0.header("Range") } == ["bytes=40000-"])
        #expect(second.requests.first?.header("If-Range") == nil)
        #expect(bench.bytes("a") == Self.content.allBytes)
    }

    @Test func withoutADigestAMirrorStartsFromZero() async throws {
        let first = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        let second = try FaultServer(files: ["/a": ServedFile(Self.other, etag: "\"v1\"")])
        first.on("/a", .cut(after: 40_000))
        let bench = try JobBench()
        _ = try await bench.run("  - {id: a, download: '\(first.url("/a"))', mirrors: ['\(second.url("/a"))'], to: a}")
        #expect(second.requests.map { $0.header("Range") } == [nil])
        #expect(bench.bytes("a") == Self.other.allBytes)
    }

    /// What a first source left in memory must not get into the second one's file.
    @Test func nothingOfAFileThatIsTooLargeIsLeft() async throws {
        let first = try FaultServer(files: ["/a": ServedFile(Self.other)])
        let second = try FaultServer(files: ["/a": ServedFile(.pattern(count: 1_000))])
        first.on("/a", .chunked())
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - id: a
                download: '\(first.url("/a"))'
                mirrors: ['\(second.url("/a"))']
                to: a
                expect: {max_size: 2000}
            """)
        #expect(outcome.failedAttempts == [.tooLarge])
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Content.pattern(count: 1_000).allBytes)
    }

    /// A server that has sent everything but the end: the next run finds by 416 that nothing is missing.
    @Test func aWholePartOfAnEarlierRunIsNotThrownAway() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .chunked(), .stall(after: 100_000))
        let bench = try JobBench()
        let first = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", configure: { $0.wantsProgress = true },
            observe: { event, run in
                if case .taskProgress(let progress) = event.kind, progress.bytes == 100_000 { run.stop(.interrupted) }
            })
        #expect(first.finished.outcome == .cancelled)
        let second = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(second.finished.exitStatus == 0)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=100000-"])
        #expect(bench.bytes("a") == Self.content.allBytes)
    }
}
