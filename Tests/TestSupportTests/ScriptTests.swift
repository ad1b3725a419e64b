import TestSupport
import Testing

@Suite("Scripted replies")
struct ScriptTests {
    private let server: FaultServer

    init() throws {
        server = try FaultServer(files: ["/digits": ServedFile(.text("0123456789"), etag: "\"tag\"")])
    }

    private func raw(_ line: String = "GET /digits") throws -> (text: String, bytes: [UInt8], end: RawClient.End) {
        let client = try RawClient(port: server.port)
        client.send(line)
        return client.readToEnd()
    }

    @Test func answersTheNthRequestDifferently() throws {
        server.on("/digits", nth: 2, .status(503), .retryAfter("7"))
        #expect(try exchange(server, "GET /digits")?.status == 200)
        let second = try #require(try exchange(server, "GET /digits"))
        #expect(second.status == 503)
        #expect(second.fields["retry-after"] == "7")
        #expect(try exchange(server, "GET /digits")?.status == 200)
    }

    @Test func choosesByMethodRangeAndCondition() throws {
        server.on("/digits", method: "HEAD", .status(405))
        server.on("/digits", ranged: true, .status(500))
        server.on("/digits", when: { $0.header("x-key") == "1" }, .status(403))
        #expect(try exchange(server, "HEAD /digits")?.status == 405)
        #expect(try exchange(server, "GET /digits", "Range: bytes=1-")?.status == 500)
        #expect(try exchange(server, "GET /digits", "X-Key: 1")?.status == 403)
        #expect(try exchange(server, "GET /digits")?.status == 200)
    }

    @Test(arguments: 0...10, [Ending.fin, .reset])
    func cutsAtEveryOffset(_ offset: Int, _ ending: Ending) async throws {
        server.on("/digits", .cut(after: offset, by: ending))
        let reply = try raw()
        #expect(reply.end == (ending == .fin ? .orderly : .reset))
        // A reset may overtake bytes that the client has not read yet.
        if ending == .fin { #expect(RawReply(reply.text)?.body == String("0123456789".prefix(offset))) }
        #expect(await server.waitUntilIdle().map(\.sent) == [offset])
    }

    @Test func cutsInsideTheHeadAndBeforeIt() throws {
        server.on("/digits", nth: 1, .cutHead(after: 9))
        server.on("/digits", nth: 2, .drop())
        server.on("/digits", nth: 3, .raw("SSH-2.0-x\r\n"))
        #expect(try raw().text == "HTTP/1.1 ")
        #expect(try raw().text.isEmpty)
        #expect(try raw().text == "SSH-2.0-x\r\n")
    }

    @Test func liesAboutLengthRangeAndTag() throws {
        server.on("/digits", nth: 1, .contentLength(12))
        server.on("/digits", nth: 2, .contentRange("bytes 0-4/10"), .bodyFrom(3))
        server.on("/digits", nth: 3, .etag("\"new\""), .withoutHeader("last-modified"))
        server.on("/digits", nth: 4, .ignoreRange)
        let long = try #require(try exchange(server, "GET /digits"))
        #expect(long.fields["content-length"] == "12")
        #expect(long.body.count == 10)
        let ranged = try #require(try exchange(server, "GET /digits", "Range: bytes=5-"))
        #expect(ranged.status == 206)
        #expect(ranged.fields["content-range"] == "bytes 0-4/10")
        #expect(ranged.body == "3456789")
        let tagged = try #require(try exchange(server, "GET /digits"))
        #expect(tagged.fields["etag"] == "\"new\"")
        #expect(tagged.fields["last-modified"] == nil)
        let whole = try #require(try exchange(server, "GET /digits", "Range: bytes=5-"))
        #expect(whole.status == 200)
        #expect(whole.body == "0123456789")
    }

    @Test func framesInChunksWellAndBadly() throws {
        server.on("/digits", nth: 1, .chunked(size: 4))
        server.on("/digits", nth: 2, .badChunk(after: 4))
        server.on("/digits", nth: 3, .chunkedWithoutEnd)
        server.on("/digits", nth: 4, .noLength)
        server.on("/digits", nth: 5, .trailer("X-Sum", "1"), .trailer("X-End", "2"))
        #expect(try exchange(server, "GET /digits")?.body == "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n")
        #expect(try exchange(server, "GET /digits")?.body == "4\r\n0123\r\nthis is no chunk size\r\n")
        #expect(try exchange(server, "GET /digits")?.body == "a\r\n0123456789\r\n")
        let open = try #require(try exchange(server, "GET /digits"))
        #expect(open.fields["content-length"] == nil)
        #expect(open.body == "0123456789")
        let trailed = try #require(try exchange(server, "GET /digits"))
        #expect(trailed.fields["trailer"] == "X-Sum, X-End")
        #expect(trailed.body == "a\r\n0123456789\r\n0\r\nX-Sum: 1\r\nX-End: 2\r\n\r\n")
    }

    @Test func redirectsAndSendsInterimReplies() throws {
        server.on("/old", .redirect(to: "/digits", status: 307))
        server.on("/digits", .informational(103))
        let moved = try #require(try exchange(server, "GET /old"))
        #expect(moved.status == 307)
        #expect(moved.fields["location"] == "/digits")
        #expect(try raw().text.hasPrefix("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }

    @Test func waitsAtAGate() async throws {
        let gate = try Gate()
        server.on("/digits", .stall(after: 4, until: gate))
        let client = try RawClient(port: server.port)
        client.send("GET /digits")
        let requests = await server.waitForRequests { $0.first?.sent == 4 }
        #expect(requests.first?.isAnswered == false)
        gate.open()
        #expect(RawReply(client.readToEnd().text)?.body == "0123456789")
    }

    @Test func endsAStallWhenTheClientLeaves() async throws {
        server.on("/digits", .stall(after: 4))
        var client: RawClient? = try RawClient(port: server.port)
        client?.send("GET /digits", [])
        _ = await server.waitForRequests { $0.first?.sent == 4 }
        client = nil
        #expect(await server.waitUntilIdle().map(\.isAnswered) == [true])
    }

    @Test func keepsAPace() async throws {
        server.on("/digits", .trickle(bytesPerSecond: 100))
        let start = ContinuousClock.now
        #expect(try exchange(server, "GET /digits")?.body == "0123456789")
        // Ten bytes at five a piece: two pauses of 50 ms.
        #expect(ContinuousClock.now - start >= .milliseconds(90))
    }

    @Test func promisesToStayAndCloses() throws {
        server.on("/digits", .closeAfterReply)
        let client = try RawClient(port: server.port)
        client.send("GET /digits", [])
        let reply = try #require(RawReply(client.readToEnd().text))
        #expect(reply.body == "0123456789")
        #expect(reply.fields["connection"] == nil)
    }
}
