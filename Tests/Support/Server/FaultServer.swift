import Glibc

/// An HTTP/1.1 server on loopback that behaves well, or exactly as badly as a script says.
///
/// It uses plain sockets and a thread per connection, so that every byte and every way to end a
/// connection is under the test's control. It stops when it is released.
///
///     let server = try FaultServer(files: ["/a.bin": ServedFile(.pattern(count: 100_000))])
///     server.on("/a.bin", nth: 1, .cut(after: 5_000, by: .reset))
///     … fetch server.url("/a.bin") …
///     #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=5000-"])
package final class FaultServer: Sendable {
    private let core: ServerCore
    private let socket: ListeningSocket
    private let acceptor: NativeThread
    /// The port that the system chose.
    package let port: Int
    /// `http` or `https`, host and port, without a slash at the end.
    package let origin: String
    /// The pin of the certificate's key, as `tls.pin` has it; `nil` without TLS.
    package let publicKeyPin: String?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - files: What the server has, by path.
    ///   - tls: The certificate to show; `nil` means plain HTTP.
    ///   - negotiation: What it says to the protocols that a client of TLS offers.
    ///   - ipv6: Listens on ::1 and not on 127.0.0.1.
    ///   - path: Listens on a unix socket at this path and on no address.
    package init(
        files: [String: ServedFile] = [:], tls: TestCertificate? = nil, negotiation: Negotiation = .http11,
        ipv6: Bool = false, unixSocket path: String? = nil
    ) throws(SystemFailure) {
        var context: TLSContext?
        if let tls { context = try TLSContext(tls, negotiation: negotiation) }
        let core = ServerCore(tls: context)
        for (path, file) in files { core.setFile(path, file) }
        let socket = if let path { try ListeningSocket(path: path) } else { try ListeningSocket(ipv6: ipv6) }
        do throws(SystemFailure) {
            acceptor = try NativeThread {
                while let connection = socket.accept() { core.serve(connection) }
            }
        } catch {
            close(socket.descriptor)
            throw error
        }
        self.core = core
        self.socket = socket
        port = socket.port
        publicKeyPin = context?.publicKeyPin
        origin = "\(tls == nil ? "http" : "https")://\(ipv6 ? "[::1]" : "127.0.0.1"):\(socket.port)"
    }

    deinit {
        core.stop()
        // On Linux this wakes the thread that waits in accept(2).
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        acceptor.join()
        close(socket.descriptor)
    }

    /// The URL of a path of this server.
    package func url(_ path: String) -> String {
        origin + path
    }

    /// Puts a file at a path, in place of any before; `nil` removes it.
    package func serve(_ path: String, _ file: ServedFile?) {
        core.setFile(path, file)
    }

    /// Serves the regular files below a folder of the disk.
    package func serve(folder: String) {
        core.setFolder(folder)
    }

    /// Answers every request that waits with its body for a 100 with a status and reason instead, and does not read
    /// the body.
    package func answerExpectations(with status: String) {
        core.answerExpectations(with: status)
    }

    /// Adds a script; of several that fit, the first one added answers.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the request target.
    ///   - method: Only this method.
    ///   - nth: Only the nth of the requests that meet the other conditions, counted from 1.
    ///   - ranged: Only requests with (or without) a Range field.
    ///   - condition: A further condition.
    ///   - steps: What to do; none means the good reply.
    package func on(
        _ prefix: String, method: String? = nil, nth: Int? = nil, ranged: Bool? = nil,
        when condition: (@Sendable (RecordedRequest) -> Bool)? = nil, _ steps: Step...
    ) {
        on(prefix, method: method, from: nth ?? 1, through: nth ?? .max, ranged: ranged, when: condition, steps)
    }

    /// Adds a script for a run of requests, the first and the last of them counted from 1.
    package func on(
        _ prefix: String, method: String? = nil, from first: Int, through last: Int, ranged: Bool? = nil,
        when condition: (@Sendable (RecordedRequest) -> Bool)? = nil, _ steps: [Step]
    ) {
        core.add(
            Route(
                prefix: prefix, method: method, nth: first...max(first, last), ranged: ranged, condition: condition,
                steps: steps))
    }

    /// The requests so far, in order of arrival.
    package var requests: [RecordedRequest] { core.requests.elements }

    /// The requests whose target begins with `prefix`.
    package func requests(to prefix: String) -> [RecordedRequest] {
        requests.filter { $0.target.hasPrefix(prefix) }
    }

    /// Waits until the condition holds or the time is over, and returns the requests of that moment.
    package func waitForRequests(
        for time: Duration = .seconds(60), until condition: @escaping @Sendable ([RecordedRequest]) -> Bool
    ) async -> [RecordedRequest] {
        await core.requests.wait(for: time, until: condition)
    }

    /// Waits until so many requests have arrived or the time is over.
    package func waitForRequests(_ count: Int) async -> [RecordedRequest] {
        await core.requests.wait(forCount: count)
    }

    /// The number of connections that are open now.
    package var liveConnections: Int { core.liveConnections }

    /// The number of connections there have been, the open ones included.
    package var createdConnections: Int { core.createdConnections }

    /// The number of body bytes handed to the system in all replies.
    package var bytesSent: Int { core.bytesSent }

    /// Waits until every request so far has had its reply, whole or not, or the time is over.
    package func waitUntilIdle(for time: Duration = .seconds(60)) async -> [RecordedRequest] {
        await core.requests.wait(for: time) { $0.allSatisfy(\.isAnswered) }
    }
}
