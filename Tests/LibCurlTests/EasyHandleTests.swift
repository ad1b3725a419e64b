import LibCurl
import TestSupport
import Testing

@Suite struct EasyHandleTests {
    let content = Content.pattern(count: 200_000)

    @Test func oneThatIsNeverUsedCanBeDropped() throws {
        for _ in 0..<200 {
            let handle = try EasyHandle()
            try handle.set(.headers(["A: 1", "B: 2"]))
            try handle.set(.headers(["C: 3"]))
        }
    }

    @Test func aReplyIsDelivered() throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let receiver = TransferDesk.Receiver()
        let handle = try TransferDesk.handle(server.url("/a"), receiver)
        try handle.set(.headers(["X-One: 1", "X-Empty;"]))
        try handle.set(.userAgent("test/1"))
        #expect(try TransferDesk().run(handle) == 0)
        #expect(receiver.body == content.allBytes)
        #expect(receiver.lines.first == "HTTP/1.1 200 OK\r\n")
        #expect(receiver.lines.last == "\r\n")
        #expect(handle.responseStatus == 200)
        #expect(handle.httpVersion == "1.1")
        #expect(handle.declaredLength == 200_000)
        #expect(handle.newConnections == 1)
        #expect(handle.errorText.isEmpty)
        let times = handle.times
        #expect(times.connect <= times.firstByte && times.firstByte <= times.total && times.total > 0)
        #expect(server.requests.first?.header("X-One") == "1")
        #expect(server.requests.first?.header("X-Empty") == "")
        #expect(server.requests.first?.header("User-Agent") == "test/1")
    }

    @Test(arguments: [(10, nil, "bytes=10-"), (0, 9, "bytes=0-9")] as [(Int64, Int64?, String)])
    func aRangeIsAskedFor(_ first: Int64, last: Int64?, field: String) throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let receiver = TransferDesk.Receiver()
        let handle = try TransferDesk.handle(server.url("/a"), receiver)
        try handle.set(.range(first, last))
        #expect(try TransferDesk().run(handle) == 0)
        #expect(server.requests.first?.header("Range") == field)
        #expect(receiver.body == content.read(from: Int(first), count: last.map { Int($0 - first) + 1 } ?? 200_000))
    }

    @Test func aPausedBodyGoesOn() throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let receiver = TransferDesk.Receiver()
        receiver.actions = [.pause, .proceed, .pause, .proceed, .pause]
        let handle = try TransferDesk.handle(server.url("/a"), receiver)
        let desk = try TransferDesk()
        try desk.multi.add(handle)
        var resumed = 0
        let code = try desk.result(of: handle) {
            while resumed < receiver.paused {
                resumed += 1
                try handle.resume()
            }
        }
        desk.multi.remove(handle)
        #expect(code == 0)
        #expect(receiver.paused == 3)
        #expect(receiver.body == content.allBytes)
    }

    @Test func anAbortEndsIt() throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let inBody = TransferDesk.Receiver()
        inBody.actions = [.abort]
        #expect(try TransferDesk().run(TransferDesk.handle(server.url("/a"), inBody)) == 23)
        let inHead = TransferDesk.Receiver()
        inHead.lineAction = .abort
        #expect(try TransferDesk().run(TransferDesk.handle(server.url("/a"), inHead)) == 23)
        #expect(inHead.lines.count == 1)
    }

    /// Nobody listens: the transfer ends, and nothing of it is lost unseen.
    @Test func withoutAReceiverItEnds() throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let handle = try EasyHandle()
        try handle.set(.url(server.url("/a")))
        #expect(handle.delegate == nil)
        #expect(try TransferDesk().run(handle) == 23)
    }

    @Test func failuresAreTold() throws {
        let port = try FaultServer().port
        let receiver = TransferDesk.Receiver()
        let handle = try TransferDesk.handle("http://127.0.0.1:\(port)/a", receiver)
        #expect(try TransferDesk().run(handle) == 7)
        #expect(handle.failureText(code: 7).contains("127.0.0.1"))
        #expect(handle.systemErrno == 111)
        #expect(handle.responseStatus == 0 && handle.httpVersion == nil)
        #expect(try EasyHandle().failureText(code: 7) == "Couldn't connect to server")
    }

    @Test func aResetForgetsOptionsAndKeepsConnections() throws {
        let server = try FaultServer(files: ["/a": .text("a"), "/b": .text("b")])
        let first = TransferDesk.Receiver()
        let handle = try TransferDesk.handle(server.url("/a"), first)
        try handle.set(.headers(["X-Old: 1"]))
        try handle.set(.user("me"))
        try handle.set(.password("secret"))
        try handle.set(.range(0, 0))
        let desk = try TransferDesk()
        #expect(try desk.run(handle) == 0)
        try handle.reset()
        #expect(handle.delegate == nil)
        let second = TransferDesk.Receiver()
        handle.delegate = second
        try handle.set(.url(server.url("/b")))
        #expect(try desk.run(handle) == 0)
        #expect(second.body == Array("b".utf8))
        let request = try #require(server.requests.last)
        #expect(
            request.header("X-Old") == nil && request.header("Authorization") == nil && request.header("Range") == nil)
        #expect(server.createdConnections == 1)
        #expect(handle.newConnections == 0)
    }

    @Test func aValueThatLibcurlRefusesIsAnError() throws {
        let handle = try EasyHandle()
        #expect(throws: CurlError.self) { try handle.set(.protocols("no-such-protocol")) }
        do throws(CurlError) {
            try handle.set(.protocols("no-such-protocol"))
        } catch {
            #expect(error.call == "CURLOPT_PROTOCOLS_STR")
            #expect(!error.text.isEmpty)
        }
    }

    @Test func onlyTheNamedProtocolsAreUsed() throws {
        let handle = try TransferDesk.handle("ftp://127.0.0.1/x", TransferDesk.Receiver())
        try handle.set(.protocols("http,https"))
        #expect(try TransferDesk().run(handle) == 1)
    }

    @Test(arguments: [(1, "easy"), (2, "multi"), (3, "url")])
    func errorsHaveWords(_ code: Int32, domain: String) {
        let domains: [String: CurlError.Domain] = ["easy": .easy, "multi": .multi, "url": .url]
        let error = CurlError(domains[domain] ?? .easy, code: code, call: "x")
        #expect(!error.text.isEmpty)
    }
}
