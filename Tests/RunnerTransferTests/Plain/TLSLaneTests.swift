import RunnerJob
import TestSupport
import Testing

@testable import RunnerTransfer

/// What holds of plain requests holds of them under TLS.
@Suite struct TLSLaneTests {
    static func request(_ url: String, byLibcurl: Bool = false) throws -> WireRequest {
        var request = try PlainLaneTests.request(url, byLibcurl: byLibcurl)
        let authority = try TestCertificate.authorityPath
        request.network = request.network.changing { $0.tls.authorities = authority }
        return request
    }

    static func outcome(_ steps: [Step], byLibcurl: Bool) async throws -> ExchangeBench.Outcome {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 300_000))], tls: .valid)
        server.on("/a", from: 1, through: .max, steps)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request(server.url("/a"), byLibcurl: byLibcurl))
        #expect(server.requests.count == 1)
        return outcome
    }

    @Test(arguments: PlainLaneTests.scripts.indices)
    func everyReplyMeansTheSameAsToLibcurl(_ index: Int) async throws {
        let plain = try await Self.outcome(PlainLaneTests.scripts[index], byLibcurl: false)
        let other = try await Self.outcome(PlainLaneTests.scripts[index], byLibcurl: true)
        #expect(plain.status == other.status)
        #expect(plain.body == other.body)
        #expect(plain.trailer == other.trailer)
        #expect(plain.fault?.faultClass == other.fault?.faultClass)
        #expect(plain.fault?.cause == other.fault?.cause)
    }

    @Test func requestsGoOneAfterTheOtherOverAConnection() async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: .valid)
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")), Self.request(server.url("/a")))
        #expect(last.body == Array("first".utf8))
        #expect(last.httpVersion == "1.1")
        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    @Test func aConnectionThatWasClosedMeanwhileIsReplaced() async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: .valid)
        server.on("/a", .closeAfterReply)
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault == nil)
        #expect(last.body == Array("second".utf8))
    }

    @Test(arguments: [Ending.fin, .reset])
    func aRequestThatGotNoAnswerOnAUsedConnectionGoesAgain(_ ending: Ending) async throws {
        let server = try FaultServer(files: ["/a": .text("first"), "/b": .text("second")], tls: .valid)
        server.on("/b", nth: 1, .drop(by: ending))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.fault == nil)
        #expect(last.body == Array("second".utf8))
        #expect(server.requests.map(\.connection) == [1, 1, 2])
    }

    /// A ticket is heard of at the socket, and is nothing to read.
    @Test func aTicketIsNoReasonToLeaveAConnection() async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid)
        let other = try FaultServer(files: ["/b": .text("second")])
        let gate = try Gate()
        server.on("/a", nth: 1, .ticketAfterReply(opening: gate))
        other.on("/b", .hold(until: gate))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), PlainLaneTests.request(other.url("/b")), Self.request(server.url("/a")))
        #expect(last.body == Array("first".utf8))
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    /// What follows a reply lies in the library, where no socket tells of it.
    @Test func aConnectionThatIsNotInOrderIsNotUsedAgain() async throws {
        let server = try FaultServer(files: ["/b": .text("second")], tls: .valid)
        server.on("/a", .raw(ReplyReaderTests.ok + "Content-Length: 2\r\n\r\nhi and more"))
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/b")))
        #expect(last.body == Array("second".utf8))
        #expect(last.fault == nil)
        #expect(server.requests.map(\.connection) == [1, 2])
    }

    /// Bytes under TLS are not those of the file, and have to be read.
    @Test func aLongBodyIsRead() async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)], tls: .valid)
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: true)
        let outcome = try await bench.send(Self.request(server.url("/a")), Self.request(server.url("/a")))
        #expect(outcome.fault == nil)
        // Many bytes that differ would be searched for how they do.
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect(outcome.piped == 0)
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func aServerThatStallsIsLeft() async throws {
        let server = try FaultServer(files: ["/a": .text("0123456789abcdef")], tls: .valid)
        server.on("/a", .stall(after: 10))
        var request = try Self.request(server.url("/a"))
        request.timeout.stall = .milliseconds(200)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.fault?.faultClass == .stall)
    }

    /// A server that says nothing may know HTTP/2 alone.
    @Test(arguments: [Negotiation.refusal, .none])
    func whereHTTP11IsNotAgreedOnLibcurlAsks(_ negotiation: Negotiation) async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid, negotiation: negotiation)
        let last = try await ExchangeBench(keepsBodies: true).send(
            Self.request(server.url("/a")), Self.request(server.url("/a")))
        #expect(last.fault == nil)
        #expect(last.body == Array("first".utf8))
        // The handshake that came to nothing, and one for both requests.
        #expect(server.createdConnections == 2)
        #expect(server.requests.map(\.connection) == [2, 2])
    }

    @Test func whoWantsHTTP11AloneIsTold() async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid, negotiation: .refusal)
        var request = try Self.request(server.url("/a"))
        request.network = request.network.changing { $0.httpVersion = .http11 }
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.fault?.faultClass == .tls)
        #expect(server.requests.isEmpty)
    }
}
