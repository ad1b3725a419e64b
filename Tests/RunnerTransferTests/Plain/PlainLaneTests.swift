import Glibc
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerTransfer

/// A plain request comes to the same as it does with libcurl.
@Suite struct PlainLaneTests {
    /// Without TLS and with it.
    static let ways: [TestCertificate?] = [nil, .valid]

    /// - Parameter byLibcurl: whether a field is sent that plain requests do not have.
    static func request(_ url: String, byLibcurl: Bool = false) throws -> WireRequest {
        var request = WireRequest(
            hop: RequestMachine.Hop(url: try Sample.url(url)), source: try Sample.url(url), goal: .whole,
            settings: .standard, timeout: TimeoutSettings(), defaultUserAgent: "bench")
        let authority = try TestCertificate.authorityPath
        request.network = request.network.changing { $0.tls.authorities = authority }
        if byLibcurl { request.headers = [HeaderField(name: "Keep-Alive", value: "9", isCredential: false)] }
        #expect((PlainRequest(request, proxy: .none) == nil) == byLibcurl)
        return request
    }

    /// What came of a script of the server, each time on a connection of its own.
    static func outcome(
        _ steps: [Step], _ tls: TestCertificate?, byLibcurl: Bool
    ) async throws -> ExchangeBench.Outcome {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 300_000))], tls: tls)
        server.on("/a", from: 1, through: .max, steps)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request(server.url("/a"), byLibcurl: byLibcurl))
        #expect(server.requests.count == 1)
        return outcome
    }

    static let scripts: [[Step]] =
        ReplyReaderTests.replies.filter { !$0.end.hasPrefix("61 ") }.map { [.raw($0.reply)] } + [
            [], [.chunked(size: 1000)], [.chunked(), .trailer("Digest", "x")], [.noLength], [.connectionClose],
            [.status(404)], [.status(503), .retryAfter("1")], [.redirect(to: "/b")], [.informational(103)],
            [.cut(after: 1000)], [.cut(after: 1000, by: .reset)], [.cutHead(after: 20)],
            [.cutHead(after: 20, by: .reset)], [.drop()], [.drop(by: .reset)], [.chunkedWithoutEnd],
            [.badChunk(after: 5000)], [.closeAfterReply], [.header("Content-Length", "300_000")],
            [.addHeader("Content-Length", "7")], [.header("X-Long", String(repeating: "x", count: 99_000))],
        ]

    @Test(arguments: scripts.indices, ways)
    func everyReplyMeansTheSameAsToLibcurl(_ index: Int, _ tls: TestCertificate?) async throws {
        let plain = try await Self.outcome(Self.scripts[index], tls, byLibcurl: false)
        let other = try await Self.outcome(Self.scripts[index], tls, byLibcurl: true)
        #expect(plain.status == other.status)
        #expect(plain.body == other.body)
        #expect(plain.trailer == other.trailer)
        #expect(plain.httpVersion == other.httpVersion)
        #expect(plain.fault == other.fault)
    }

    /// "hello", by gzip; a coding that nobody asked for, and that libcurl reads all the same.
    private static let coded: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86,
        0xA6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
    ]

    @Test func whatIsCodedInAnotherWayIsAskedForByLibcurlNext() async throws {
        let server = try FaultServer()
        let head = ReplyReaderTests.ok + "Transfer-Encoding: gzip, chunked\r\n\r\n19\r\n"
        server.on("/a", .raw(Array(head.utf8) + Self.coded + Array("\r\n0\r\n\r\n".utf8)))
        let first = try await ExchangeBench(keepsBodies: true).send(Self.request(server.url("/a")))
        #expect(first.fault?.faultClass == .protocol)
        let second = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/a")))
        #expect(second.fault == nil)
        #expect(second.body == Array("hello".utf8))
    }

    @Test func nobodyListens() async throws {
        let url = try FaultServer().url("/a")
        let plain = try await ExchangeBench().send(Self.request(url))
        let other = try await ExchangeBench().send(Self.request(url, byLibcurl: true))
        #expect(plain.fault?.faultClass == .connect)
        #expect(plain.fault?.isBeforeSending == true)
        #expect(plain.fault?.faultClass == other.fault?.faultClass)
    }

    /// libcurl 7.88 adds such a line to a field of the reply before, which is no more.
    @Test func aHeadThatBeginsWithAFoldedLineIsTheServersFaultToLibcurl() async throws {
        let server = try FaultServer(files: ["/a": .text("first")])
        server.on("/b", .raw(ReplyReaderTests.ok + " folded: 1\r\nContent-Length: 2\r\n\r\nhi"))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a"), byLibcurl: true), Self.request(server.url("/b"), byLibcurl: true),
            Self.request(server.url("/b"), byLibcurl: true))
        #expect(last.fault?.faultClass == .protocol)
    }

    // MARK: Connections

    @Test(arguments: ways)
    func requestsGoOneAfterTheOtherOverAConnection(_ tls: TestCertificate?) async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: tls)
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")), Self.request(server.url("/a")))
        #expect(last.body == Array("first".utf8))
        #expect(last.httpVersion == "1.1")
        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    /// As a run does that asks many servers one after the other.
    @Test func connectionsThatRestAreClosedForOthers() async throws {
        let servers = try (0..<9).map { _ in try FaultServer(files: ["/a": .text("first")]) }
        let requests = try (servers + [servers[8], servers[0]]).map { try Self.request($0.url("/a")) }
        #expect(try await ExchangeBench().send(requests).fault == nil)
        // Eight are worth keeping; the ninth took the place of the first.
        #expect(servers[8].requests.map(\.connection) == [1, 1])
        #expect(servers[0].requests.map(\.connection) == [1, 2])
    }

    @Test func whoWantsAConnectionOfItsOwnGetsOne() async throws {
        let server = try FaultServer(files: ["/a": .text("first")])
        var own = try Self.request(server.url("/a"))
        own.opensConnection = true
        _ = try await ExchangeBench().send(Self.request(server.url("/a")), own)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    @Test(
        arguments: [
            "Connection: close\r\nContent-Length: 2\r\n\r\nhi", "Content-Length: 2\r\n\r\nhi and more", "\r\nhi",
            "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        ], ways)
    func aConnectionThatIsNotInOrderIsNotUsedAgain(_ reply: String, _ tls: TestCertificate?) async throws {
        let server = try FaultServer(files: ["/b": .text("second")], tls: tls)
        server.on("/a", .raw(ReplyReaderTests.ok + reply))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.body == Array("second".utf8))
        #expect(last.fault == nil)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    /// A server that closes a connection without a word is not at fault: the request goes again (RFC 9112
    /// section 9.3.1).
    @Test(arguments: ways)
    func aConnectionThatWasClosedMeanwhileIsReplaced(_ tls: TestCertificate?) async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: tls)
        server.on("/a", .closeAfterReply)
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault == nil)
        #expect(last.body == Array("second".utf8))
    }

    /// Whether the server has seen the request or not, nothing of a reply has come.
    @Test(arguments: [Ending.fin, .reset], ways)
    func aRequestThatGotNoAnswerOnAUsedConnectionGoesAgain(_ ending: Ending, _ tls: TestCertificate?) async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: tls)
        server.on("/b", nth: 1, .drop(by: ending))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault == nil)
        #expect(last.body == Array("second".utf8))
        #expect(server.requests.map(\.connection) == [1, 1, 2])
    }

    @Test func aRequestGoesAgainOnlyOnce() async throws {
        let server = try FaultServer(files: ["/a": .text("first")])
        server.on("/b", .drop())
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault?.faultClass == .protocol)
        #expect(server.requests(to: "/b").count == 2)
    }

    /// Half of a first line is no answer, neither to libcurl.
    @Test(arguments: [Ending.fin, .reset])
    func aRequestThatGotHalfALineOnAUsedConnectionGoesAgain(_ ending: Ending) async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")])
        server.on("/b", nth: 1, .cutHead(after: 4, by: ending))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault == nil)
        #expect(last.body == Array("second".utf8))
    }

    @Test func anAnswerThatHasBegunIsNotAskedForAgain() async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")])
        server.on("/b", .cutHead(after: 30))
        _ = try await ExchangeBench().send(Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(server.requests(to: "/b").count == 1)
    }

    // MARK: Limits

    @Test(arguments: [[Step.stall(after: 10)], [.stall(after: 0)], [.hold()]], ways)
    func aServerThatStallsIsLeft(_ steps: [Step], _ tls: TestCertificate?) async throws {
        let server = try FaultServer(files: ["/a": .text("0123456789abcdef")], tls: tls)
        server.on("/a", from: 1, through: .max, steps)
        var request = try Self.request(server.url("/a"))
        request.timeout.stall = .milliseconds(200)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.fault?.faultClass == .stall)
    }

    @Test func anAttemptEndsInItsTime() async throws {
        let server = try FaultServer(files: ["/a": .text("0123456789abcdef")])
        server.on("/a", .stall(after: 3))
        var request = try Self.request(server.url("/a"))
        request.timeout.attempt = .milliseconds(200)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.fault?.faultClass == .timeout)
    }

    /// More than the socket takes at once (tcp(7), tcp_wmem), so that the rest has to wait.
    @Test(arguments: [false, true]) func aLongRequestIsSentWhole(underTLS: Bool) async throws {
        let server = try LongRequestServer(underTLS: underTLS)
        var request = try Self.request("\(underTLS ? "https" : "http")://127.0.0.1:\(server.port)/a")
        request.timeout.stall = .seconds(5)
        request.headers = (0..<16).map {
            HeaderField(name: "X-\($0)", value: String(repeating: "v", count: 1 << 20), isCredential: false)
        }
        let outcome = try await ExchangeBench().send(request)
        #expect(outcome.status == 204)
        #expect(server.received == PlainRequest(request, proxy: .none)?.bytes.count)
    }

    /// Room for more is not heard of any longer when all of a request is sent: it would be there in every round.
    @Test(arguments: [false, true]) func roomIsOfNoInterestBehindALongRequest(underTLS: Bool) async throws {
        let server = try LongRequestServer(underTLS: underTLS, answers: false)
        var request = try Self.request("\(underTLS ? "https" : "http")://127.0.0.1:\(server.port)/a")
        request.timeout.stall = .milliseconds(300)
        request.headers = (0..<16).map {
            HeaderField(name: "X-\($0)", value: String(repeating: "v", count: 1 << 20), isCredential: false)
        }
        let outcome = try await ExchangeBench().send(request)
        #expect(outcome.fault?.faultClass == .stall)
        #expect(outcome.rounds < 3000)
    }

    /// A server that refuses a request for its length need not read the rest of it.
    @Test func anAnswerToHalfARequestIsRead() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isBound)
        var request = try Self.request("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/a")
        request.timeout.stall = .seconds(5)
        // More than the buffers of both ends take.
        request.headers = (0..<16).map {
            HeaderField(name: "X-\($0)", value: String(repeating: "v", count: 1 << 20), isCredential: false)
        }
        let (bench, long) = (try ExchangeBench(keepsBodies: true), request)
        async let outcome = bench.send(long)
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        let reply = Array("HTTP/1.1 431 Too Large\r\nContent-Length: 2\r\n\r\nno".utf8)
        #expect(send(connection, reply, reply.count, 0) == reply.count)
        #expect(await outcome.fault == nil)
        #expect(await outcome.status == 431)
    }

    /// Bytes that come in large pieces need not pass through this process.
    @Test(arguments: [true, false])
    func aBodyThatFlowsComesByAPipe(_ takesPipes: Bool) async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: takesPipes)
        let outcome = try await bench.send(Self.request(server.url("/a")))
        #expect(outcome.fault == nil)
        // Many bytes that differ would be searched for how they do.
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect((outcome.piped > 0) == takesPipes)
    }

    /// What was refused lies in the pipe that it came by.
    @Test func bytesOfABodyThatWasRefusedDoNotGetIntoAnother() async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: true, refusesFirstPipe: true)
        let outcome = try await bench.send(Self.request(server.url("/a")), Self.request(server.url("/a")))
        #expect(server.requests.count == 2)
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect(outcome.piped > 0)
    }

    /// A kernel that cannot do it, or a sandbox; where the socket is at fault, reading says so.
    @Test(arguments: [EINVAL, ENOSYS, EPERM, EACCES, ENOMEM])
    func whereAPipeIsRefusedBytesAreRead(_ errno: Int32) async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: true, refusal: errno)
        let outcome = try await bench.send(Self.request(server.url("/a")))
        #expect(outcome.fault == nil)
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect(outcome.piped == 0)
    }

    /// A pipe goes no further, as if nothing had come, or as if that were the end; who reads does not see it.
    @Test func anUrgentByteIsPassed() async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .urgentByte(after: 8 << 20))
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: true)
        let outcome = try await bench.send(Self.request(server.url("/a")))
        #expect(outcome.fault == nil)
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect(outcome.piped > 0)
    }
}
