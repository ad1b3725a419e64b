import LibCurl
import RunnerStorage

#if canImport(Glibc)
    import Glibc
#endif

/// A connection that libcurl has opened, and that requests are sent over one after the other.
///
/// Belongs to the network thread. Closed when nobody has it any more.
final class PlainConnection {
    /// How bytes go over it.
    private enum Link {
        /// As they are; the socket is closed here.
        case socket
        case tls(TLSLink)
    }

    let socket: Int32
    let route: PlainRequest.Route
    /// Port of this end; nil where it could not be asked for.
    let localPort: Int?
    private let link: Link
    /// Replies that came over it whole.
    private(set) var served = 0
    /// When the last of them had come.
    private(set) var idleSince = Duration.zero

    /// Longest time without a request after which it is used again, as in libcurl (CURLOPT_MAXAGE_CONN(3)).
    static let longestRest = Duration.seconds(118)

    /// - Parameters:
    ///   - socket: closed with this object, unless it is that of a link.
    ///   - link: nil for a connection without TLS.
    init(socket: Int32, link: TLSLink? = nil, route: PlainRequest.Route, localPort: Int?) {
        self.socket = socket
        self.link = link.map { .tls($0) } ?? .socket
        self.route = route
        self.localPort = localPort
    }

    deinit {
        if case .socket = link { close(socket) }
    }

    func rest(at now: Duration) {
        served += 1
        idleSince = now
    }

    /// Whether requests of HTTP/1.1 are understood, as far as that can be known before; what has come already is kept.
    func agreesOnHTTP11() -> Bool {
        if case .tls(let link) = link { return link.agreesOnHTTP11() }
        return true
    }

    /// OpenSSL's connection, where it is one.
    var tlsConnection: UInt? {
        if case .tls(let link) = link { return link.tlsConnection }
        return nil
    }

    /// Whether what comes has to be decrypted, so that the kernel cannot pass it on by itself.
    var isEncrypted: Bool {
        if case .tls = link { return true }
        return false
    }

    /// Whether there may be something to receive that the socket does not tell of.
    var holdsMore: Bool {
        if case .tls(let link) = link { return link.holdsMore }
        return false
    }

    // MARK: - Moving bytes

    /// What a call to send came to.
    enum Sending {
        case moved(Int)
        /// There is no room for now.
        case wait
        case failed(TransportFailure)
    }

    /// What a call to receive came to.
    enum Transit {
        case moved(Int)
        /// The other end has closed it.
        case closed
        /// Nothing can be moved for now.
        case wait
        case failed(TransportFailure)
    }

    func send(_ bytes: ArraySlice<UInt8>) -> Sending {
        bytes.withUnsafeBytes { bytes in
            if case .tls(let link) = link { return link.send(bytes) }
            let count = Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .moved(count) }
            return Self.isPassing(errno) ? .wait : .failed(.system(code: 55, "Send failure", errno: errno))
        }
    }

    /// - Parameter fills: whether as much as there is room for is wanted, rather than little at once.
    func receive(into buffer: UnsafeMutableRawBufferPointer, fills: Bool) -> Transit {
        if case .tls(let link) = link { return link.receive(into: buffer, fills: fills) }
        return transit(recv(socket, buffer.baseAddress, buffer.count, 0))
    }

    func receive(into pipe: SplicePipe, upTo most: Int) -> Transit {
        do throws(SystemError) {
            let count = try pipe.fill(from: socket, upTo: most)
            return count == 0 ? .closed : .moved(count)
        } catch {
            return Self.failure(error.code)
        }
    }

    /// Whether nothing more is likely to be there behind so many bytes that were received.
    func isDrained(by count: Int, of most: Int) -> Bool {
        if case .tls(let link) = link { return !link.holdsMore }
        return count < most
    }

    /// Looks whether something has come that nobody has read: bytes, or the end.
    func isStirring() -> Bool {
        if case .wait = peek() { return false }
        return true
    }

    /// Looks whether bytes have come that nobody has read.
    func hasBytes() -> Bool {
        if case .moved = peek() { return true }
        return false
    }

    private func peek() -> Transit {
        if case .tls(let link) = link { return link.peek() }
        var byte: UInt8 = 0
        return transit(recv(socket, &byte, 1, Int32(MSG_PEEK)))
    }

    private func transit(_ count: Int) -> Transit {
        if count == 0 { return .closed }
        return count < 0 ? Self.failure(errno) : .moved(count)
    }

    private static func failure(_ number: Int32) -> Transit {
        isPassing(number) ? .wait : .failed(.system(code: 56, "Recv failure", errno: number))
    }

    private static func isPassing(_ number: Int32) -> Bool { number == EAGAIN || number == EINTR }
}
