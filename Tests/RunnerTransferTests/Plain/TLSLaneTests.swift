import RunnerJob
import TestSupport
import Testing

@testable import RunnerTransfer

/// What TLS brings along; what holds with it and without it is in ``PlainLaneTests``.
@Suite struct TLSLaneTests {
    /// As of servers that are too busy for another client, under TLS 1.2, where they have the last word of a handshake.
    @Test func aReplyThatComesWithTheHandshakeIsHeard() async throws {
        let server = try EarlyReplyServer("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        var request = try PlainLaneTests.request("https://127.0.0.1:\(server.port)/a")
        request.timeout.stall = .seconds(5)
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.status == 503)
        #expect(outcome.fault == nil)
    }

    /// A ticket is heard of at the socket, and is nothing to read.
    @Test func aTicketIsNoReasonToLeaveAConnection() async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid)
        let other = try FaultServer(files: ["/b": .text("second")])
        let gate = try Gate()
        server.on("/a", nth: 1, .ticketAfterReply(opening: gate))
        other.on("/b", .hold(until: gate))
        let last = try await ExchangeBench(keepsBodies: true).send(
            PlainLaneTests.request(server.url("/a")), PlainLaneTests.request(other.url("/b")),
            PlainLaneTests.request(server.url("/a")))
        #expect(last.body == Array("first".utf8))
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    /// Bytes under TLS are not those of the file, and have to be read.
    @Test func aLongBodyIsRead() async throws {
        let content = Content.pattern(count: 16 << 20)
        let server = try FaultServer(files: ["/a": ServedFile(content)], tls: .valid)
        let bench = try ExchangeBench(keepsBodies: true, takesPipes: true)
        let outcome = try await bench.send(
            PlainLaneTests.request(server.url("/a")), PlainLaneTests.request(server.url("/a")))
        #expect(outcome.fault == nil)
        // Many bytes that differ would be searched for how they do.
        let isRight = outcome.body == content.allBytes
        #expect(isRight)
        #expect(outcome.piped == 0)
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    /// A server that says nothing may know HTTP/2 alone.
    @Test(arguments: [Negotiation.refusal, .none])
    func whereHTTP11IsNotAgreedOnLibcurlAsks(_ negotiation: Negotiation) async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid, negotiation: negotiation)
        let last = try await ExchangeBench(keepsBodies: true).send(
            PlainLaneTests.request(server.url("/a")), PlainLaneTests.request(server.url("/a")))
        #expect(last.fault == nil)
        #expect(last.body == Array("first".utf8))
        // The handshake that came to nothing, and one for both requests.
        #expect(server.createdConnections == 2)
        #expect(server.requests.map(\.connection) == [2, 2])
    }

    @Test func whoWantsHTTP11AloneIsTold() async throws {
        let server = try FaultServer(files: ["/a": .text("first")], tls: .valid, negotiation: .refusal)
        var request = try PlainLaneTests.request(server.url("/a"))
        request.network = request.network.changing { $0.httpVersion = .http11 }
        let outcome = try await ExchangeBench(keepsBodies: true).send(request)
        #expect(outcome.fault?.faultClass == .tls)
        #expect(server.requests.isEmpty)
    }
}
