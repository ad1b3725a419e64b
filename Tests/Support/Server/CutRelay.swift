import Glibc
import Synchronization

/// A relay before another server that breaks connections off in the middle, whatever is spoken over them.
///
/// Every connection has a number of bytes, drawn from a seed, after which no more of the server's bytes come through.
package final class CutRelay: Sendable {
    /// How a connection ends when its bytes are used up.
    package enum Way: String, CaseIterable, Sendable {
        case close, reset, stall
    }

    private let listener: RelayListener

    /// Port on 127.0.0.1 and localhost.
    package var port: Int { listener.port }

    /// - Parameters:
    ///   - port: of the server on 127.0.0.1 that all connections are passed on to.
    ///   - limit: bytes that no connection lets through.
    package init(to port: Int, way: Way, limit: Int, seed: UInt64) throws(SystemFailure) {
        let dice = Mutex(SeededDice(seed))
        listener = try RelayListener {
            let budget = dice.withLock { $0.below(limit) }
            return { Self.relay($0, to: port, way, budget) }
        }
    }

    private static func relay(_ descriptor: Int32, to port: Int, _ way: Way, _ budget: Int) {
        let client = PlainChannel(descriptor)
        defer { client.dispose() }
        guard let upstream = ByteRelay.connect(to: port) else { return }
        let server = PlainChannel(upstream)
        defer { server.dispose() }
        let (from, to) = (descriptor, upstream)
        // It ends when either side is shut down.
        guard let requests = try? NativeThread({ ByteRelay.pass(from: from, to: to, budget: .max) }) else { return }
        let isCut = ByteRelay.pass(from: upstream, to: descriptor, budget: budget)
        if isCut, way == .reset { client.breakOff(.reset) }
        if !isCut || way != .stall { shutdown(descriptor, Int32(way == .reset ? SHUT_RD : SHUT_RDWR)) }
        // A connection that stalls ends when the client gives it up.
        requests.join()
    }
}
