import LibCurl
import RunnerJob

/// One request on a ``PlainLane``, and its reply.
///
/// Belongs to the network thread.
final class PlainPassage {
    enum Phase {
        /// Has not been started.
        case waiting
        /// libcurl opens a connection for it.
        case connecting(EasyHandle)
        /// And whether its connection is listened to for room.
        case sending(PlainConnection, waits: Bool)
        case receiving(PlainConnection)
        /// Bytes that have come and that nobody wants yet.
        case paused(PlainConnection, [UInt8])
        case over
    }

    let request: PlainRequest
    var phase = Phase.waiting
    var reader = ReplyReader()
    /// Bytes of the request that were sent.
    private(set) var sent = 0
    /// Whether the last look at the connection brought so much that more is likely to be there.
    var isFlowing = false
    /// Port of this end of the connection; nil where there was none.
    private(set) var localPort: Int?
    private let started: Duration
    private(set) var times = EasyTimes.zero
    /// Microseconds from the start until the request was about to be sent; nil as long as there is no connection.
    private(set) var requestTime: Int64?

    /// The connection that it is on; nil for none.
    var connection: PlainConnection? {
        switch phase {
        case .sending(let connection, _), .receiving(let connection), .paused(let connection, _): connection
        case .waiting, .connecting, .over: nil
        }
    }

    init(_ request: PlainRequest) {
        self.request = request
        started = SteadyClock.now
    }

    func begin(on connection: PlainConnection, at now: Duration) {
        phase = .sending(connection, waits: false)
        localPort = connection.localPort
        requestTime = max(1, microseconds(at: now))
    }

    func opened(by handle: EasyHandle) {
        times.nameLookup = handle.times.nameLookup
        times.connect = handle.times.connect
        times.appConnect = handle.times.appConnect
    }

    /// Whether all of the request was sent.
    var isSent: Bool { sent == request.bytes.count }

    /// So many bytes more were sent.
    func sent(_ count: Int) { sent += count }

    /// Bytes have come.
    func heard(at now: Duration) {
        if times.firstByte == 0 { times.firstByte = microseconds(at: now) }
    }

    func end(at now: Duration) {
        times.total = microseconds(at: now)
        phase = .over
    }

    /// The connection had been closed before the request came: it goes again over another.
    func startAgain() {
        phase = .waiting
        reader = ReplyReader()
        sent = 0
        requestTime = nil
    }

    private func microseconds(at now: Duration) -> Int64 {
        let (seconds, attoseconds) = (now - started).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
