import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Replies whose framing is wrong must never pass for a file.
@Suite struct FramingTests {
    static let content = Content.pattern(count: 20_000)

    /// A fault of the first reply that the second makes good.
    @Test(
        arguments: [
            ([.cut(after: 12_000, by: .fin)], .truncated), ([.cut(after: 12_000, by: .reset)], .reset),
            ([.cut(after: 0, by: .fin)], .truncated), ([.cutHead(after: 30)], .protocol), ([.drop()], .protocol),
            ([.drop(by: .reset)], .reset), ([.contentLength(25_000)], .truncated),
            ([.badChunk(after: 8_000)], .protocol),
            ([.chunkedWithoutEnd], .truncated),
            ([.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nabcde")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcde")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nContent\rLength: 5\r\n\r\nabcde")], .protocol),
            ([.raw("hello there\r\n")], .protocol),
            ([.raw("HTTP/1.1 100 Continue\r\n\r\n")], .protocol), ([.raw("\u{0}\u{0}\u{0}")], .protocol),
            ([.status(204)], .protocol),
            ([.status(205)], .protocol), ([.status(304)], .protocol), ([.status(302)], .protocol),
            ([.status(500)], .server),
            ([.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcd\r\n0\r\n\r\n")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-4\r\nabcd\r\n0\r\n\r\n")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n")], .truncated),
            ([.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nabcd\r\n0\r\n\r\n")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nno field\r\n\r\n")], .protocol),
            ([.raw("HTTP/1.1 101 Switching Protocols\r\n\r\nabcd")], .protocol),
            ([.raw("HTTP/1.1 000 Nothing\r\nContent-Length: 4\r\n\r\nabcd")], .protocol),
            ([.raw("HTTP/3.7 200 OK\r\nContent-Length: 4\r\n\r\nabcd")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: 150_000))\r\n\r\n")], .protocol),
            ([.raw("HTTP/1.1 200 OK\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\n56789")], .protocol),
            (
                [.raw("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-9223372036854775807/*\r\n\r\nabc")],
                .protocol
            ),
            ([.raw("HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nabcde")], .protocol),
        ] as [([Step], FaultClass)])
    func aBrokenReplyIsNotTheFile(_ steps: [Step], faultClass: FaultClass) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", from: 1, through: 1, steps)
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.failedAttempts == [faultClass])
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(bench.files == ["a"])
    }

    /// The same fault every time ends in a failure that leaves nothing behind under the file's name.
    @Test(
        arguments: [
            ([.cut(after: 12_000)], .truncated), ([.badChunk(after: 8_000)], .protocol),
            ([.chunkedWithoutEnd], .truncated),
            ([.drop()], .protocol), ([.status(204)], .protocol), ([.contentLength(25_000)], .truncated),
        ] as [([Step], FaultClass)])
    func aReplyThatIsAlwaysBrokenFails(_ steps: [Step], faultClass: FaultClass) async throws {
        let file = ServedFile(Self.content, etag: nil, modified: nil)
        let server = try FaultServer(files: ["/a": file])
        server.on("/a", from: 1, through: .max, steps)
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 1)
        #expect(outcome.task("a")?.failure?.faultClass == faultClass)
        #expect(bench.files == [])
        #expect((4...5).contains(server.requests.count))
    }

    @Test(arguments: [
        [Step.chunked()], [.chunked(size: 1000)], [.noLength], [.informational(103)],
        [.informational(100), .informational(103)],
        [.connectionClose], [.closeAfterReply], [.header("Content-Encoding", "gzip")],
        [.addHeader("Content-Length", "20000")],
        [.trickle(bytesPerSecond: 400_000)],
    ])
    func unusualRepliesAreFine(_ steps: [Step]) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", from: 1, through: .max, steps)
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.failedAttempts == [])
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.header("Accept-Encoding") == "identity")
        #expect(server.requests.first?.header("User-Agent") == "runner/test")
    }

    @Test func anEmptyFileIsAFile() async throws {
        let server = try FaultServer(files: ["/a": .text(""), "/b": .text("")])
        server.on("/b", .chunked())
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a}
              - {id: b, download: '\(server.url("/b"))', to: b}
            """)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == [] && bench.bytes("b") == [])
    }

    /// A body that is cut is told as cut, not as a digest of too few bytes.
    @Test func aCutBodyIsNotCalledWrong() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", .contentLength(1000), .cut(after: 0))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, sha256: \(Self.content.sha256)}")
        #expect(outcome.task("a")?.failure?.faultClass == .truncated)
        #expect(outcome.task("a")?.failure?.message.contains("0 of") != nil)
    }
}
