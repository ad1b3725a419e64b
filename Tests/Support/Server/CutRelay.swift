import Glibc

/// A relay before another server that breaks connections off in the middle, whatever is spoken over them.
///
/// Every connection has a number of bytes, drawn from a seed, after which no more of the server's bytes come through.
package final class CutRelay: Sendable {
    /// How a connection ends when its bytes are used up.
    package enum Way: String, CaseIterable, Sendable {
        case close, reset, stall
    }

    private let socket: ListeningSocket
    private let acceptor: NativeThread

    /// Port on 127.0.0.1 and localhost.
    package var port: Int { socket.port }

    /// - Parameters:
    ///   - port: of the server on 127.0.0.1 that all connections are passed on to.
    ///   - limit: bytes that no connection lets through.
    package init(to port: Int, way: Way, limit: Int, seed: UInt64) throws(SystemFailure) {
        let socket = try ListeningSocket(ipv6: false)
        self.socket = socket
        acceptor = try NativeThread {
            var dice = SeededDice(seed)
            while let client = socket.accept() {
                let budget = dice.below(limit)
                do throws(SystemFailure) {
                    try NativeThread { Self.relay(client, to: port, way, budget) }.detach()
                } catch {
                    close(client)
                }
            }
        }
    }

    deinit {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        acceptor.join()
        close(socket.descriptor)
    }

    private static func relay(_ descriptor: Int32, to port: Int, _ way: Way, _ budget: Int) {
        let client = PlainChannel(descriptor)
        defer { client.dispose() }
        guard let upstream = connect(to: port) else { return }
        let server = PlainChannel(upstream)
        defer { server.dispose() }
        let (from, to) = (descriptor, upstream)
        // It ends when either side is shut down.
        guard let requests = try? NativeThread({ pass(from: from, to: to, budget: .max) }) else { return }
        let isCut = pass(from: upstream, to: descriptor, budget: budget)
        if isCut, way == .reset { client.breakOff(.reset) }
        if !isCut || way != .stall { shutdown(descriptor, Int32(way == .reset ? SHUT_RD : SHUT_RDWR)) }
        // A connection that stalls ends when the client gives it up.
        requests.join()
    }

    /// Passes bytes on until one side has ended, or so many have passed; whether it was the latter.
    @discardableResult
    private static func pass(from: Int32, to: Int32, budget: Int) -> Bool {
        let (source, target) = (PlainChannel(from), PlainChannel(to))
        var rest = budget
        while rest > 0 {
            let bytes = source.read(min(rest, 16 << 10))
            guard !bytes.isEmpty, target.write(bytes[...]) else {
                shutdown(to, Int32(SHUT_WR))
                return false
            }
            rest -= bytes.count
        }
        return true
    }

    private static func connect(to port: Int) -> Int32? {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
