import TestSupport
import Testing

@Suite("The unscripted server")
struct GoodReplyTests {
    private let server: FaultServer
    private let file = ServedFile(.text("0123456789"), etag: "\"tag\"", modified: 1_700_000_000)

    init() throws {
        server = try FaultServer(files: ["/digits": file])
    }

    @Test func sendsAFileWithItsFields() throws {
        let reply = try #require(try exchange(server, "GET /digits?query"))
        #expect(reply.status == 200)
        #expect(reply.body == "0123456789")
        #expect(reply.fields["content-length"] == "10")
        #expect(reply.fields["etag"] == "\"tag\"")
        #expect(reply.fields["last-modified"] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(reply.fields["accept-ranges"] == "bytes")
    }

    @Test func answersWhatItDoesNotHaveWith404() throws {
        #expect(try exchange(server, "GET /none")?.status == 404)
    }

    @Test func sendsNoBodyForHead() throws {
        let reply = try #require(try exchange(server, "HEAD /digits"))
        #expect(reply.body.isEmpty)
        #expect(reply.fields["content-length"] == "10")
    }

    @Test(arguments: [
        ("bytes=0-3", 206, "0123", "bytes 0-3/10"),
        ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=-2", 206, "89", "bytes 8-9/10"),
        ("bytes=8-99", 206, "89", "bytes 8-9/10"),
        ("bytes=10-", 416, "", "bytes */10"),
        ("bytes=0-1,3-4", 200, "0123456789", nil),
        ("items=0-1", 200, "0123456789", nil),
    ])
    func honoursRange(_ range: String, _ status: Int, _ body: String, _ contentRange: String?) throws {
        let reply = try #require(try exchange(server, "GET /digits", "Range: \(range)"))
        #expect(reply.status == status)
        #expect(reply.body == body)
        #expect(reply.fields["content-range"] == contentRange)
    }

    @Test(arguments: [
        ("\"tag\"", 206), ("\"other\"", 200), ("W/\"tag\"", 200),
        ("Tue, 14 Nov 2023 22:13:20 GMT", 206), ("Tue, 14 Nov 2023 22:13:21 GMT", 200),
    ])
    func honoursIfRange(_ validator: String, _ status: Int) throws {
        let reply = try exchange(server, "GET /digits", "Range: bytes=5-", "If-Range: \(validator)")
        #expect(reply?.status == status)
    }

    @Test(arguments: [
        ("If-None-Match: \"tag\"", 304), ("If-None-Match: W/\"tag\"", 304), ("If-None-Match: \"other\"", 200),
        ("If-Modified-Since: Tue, 14 Nov 2023 22:13:20 GMT", 304),
    ])
    func honoursConditions(_ condition: String, _ status: Int) throws {
        let reply = try #require(try exchange(server, "GET /digits", condition))
        #expect(reply.status == status)
        #expect(reply.body == (status == 304 ? "" : "0123456789"))
    }

    @Test func servesAFolderButNothingOutsideIt() throws {
        let folder = try TemporaryDirectory()
        try folder.write("open/a file.txt", "inside")
        try folder.write("secret.txt", "outside")
        server.serve(folder: folder.path("open"))
        #expect(try exchange(server, "GET /a%20file.txt")?.body == "inside")
        #expect(try exchange(server, "GET /../secret.txt")?.status == 404)
        #expect(try exchange(server, "GET /%2e%2e/secret.txt")?.status == 404)
    }

    @Test func keepsAConnectionForSeveralRequests() throws {
        let client = try RawClient(port: server.port)
        client.send("GET /digits", [])
        client.send("GET /digits")
        #expect(client.readToEnd().text.split(separator: "0123456789").count == 2)
        #expect(server.createdConnections == 1)
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func recordsBodies() throws {
        let client = try RawClient(port: server.port)
        client.send("PUT /up", ["Content-Length: 5"], body: "hello")
        client.send("PUT /up", ["Transfer-Encoding: chunked", "Connection: close"], body: "3\r\nabc\r\n0\r\n\r\n")
        _ = client.readToEnd()
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["hello", "abc"])
        #expect(server.requests.map(\.bodySize) == [5, 3])
    }
}
