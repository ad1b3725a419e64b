import LibCurl
import RunnerStorage

#if canImport(Glibc)
    import Glibc
#endif

/// A connection without TLS that libcurl has opened, and that requests are sent over one after the other.
///
/// Belongs to the network thread. Closed when nobody has it any more.
final class PlainConnection {
    let socket: Int32
    let route: PlainRequest.Route
    /// Port of this end; nil where it could not be asked for.
    let localPort: Int?
    /// Replies that came over it whole.
    private(set) var served = 0
    /// When the last of them had come.
    private(set) var idleSince = Duration.zero

    /// Longest time without a request after which it is used again, as in libcurl (CURLOPT_MAXAGE_CONN(3)).
    static let longestRest = Duration.seconds(118)

    init(socket: Int32, route: PlainRequest.Route, localPort: Int?) {
        self.socket = socket
        self.route = route
        self.localPort = localPort
    }

    deinit { close(socket) }

    func rest(at now: Duration) {
        served += 1
        idleSince = now
    }

    /// What a call to send or receive came to.
    enum Transit {
        case moved(Int)
        /// The other end has closed it.
        case closed
        /// Nothing can be moved for now.
        case wait
        case failed(errno: Int32)
    }

    func send(_ bytes: ArraySlice<UInt8>) -> Transit {
        let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return count < 0 ? Self.failure() : .moved(count)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transit {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count == 0 { return .closed }
        return count < 0 ? Self.failure() : .moved(count)
    }

    func receive(into pipe: SplicePipe, upTo most: Int) -> Transit {
        do throws(SystemError) {
            let count = try pipe.fill(from: socket, upTo: most)
            return count == 0 ? .closed : .moved(count)
        } catch {
            return Self.failure(error.code)
        }
    }

    /// Whether something has come that nobody has read: bytes, or the end.
    var isStirring: Bool {
        if case .wait = peek() { return false }
        return true
    }

    /// Whether bytes have come that nobody has read.
    var hasBytes: Bool {
        if case .moved = peek() { return true }
        return false
    }

    private func peek() -> Transit {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK))
        if count == 0 { return .closed }
        return count < 0 ? Self.failure() : .moved(count)
    }

    private static func failure(_ code: Int32 = errno) -> Transit {
        switch code {
        case EAGAIN, EINTR: .wait
        case let number: .failed(errno: number)
        }
    }
}
