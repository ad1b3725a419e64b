import LibCurl
import RunnerJob
import RunnerStorage

#if canImport(Glibc)
    import Glibc
#endif

/// Plain requests on connections of their own: libcurl opens them, and the rest is done here.
///
/// For small files libcurl's work on a request is most of what a client does, and for large ones its copy of each byte:
/// docs/performance.md has the figures. Whatever is not plain (``PlainRequest``) goes to libcurl whole.
///
/// Belongs to the network thread.
final class PlainLane {
    /// How a request has ended, unless it was ended by ``remove(_:keepsConnection:)``.
    typealias Ended = (exchange: Exchange, failure: TransportFailure?)

    /// The way past this process's memory, one for all bodies: it is empty between two looks at connections.
    enum Pipe {
        case none
        case ready(SplicePipe)
        /// The kernel, or what guards it, does not do it.
        case useless
    }

    let multi: MultiHandle
    let clock: RoundClock
    let rates: RateGate
    private let handles: HandlePool
    private var connecting: [ObjectIdentifier: Exchange] = [:]
    private var busy: [Int32: Exchange] = [:]
    private var idle: [PlainRequest.Route: [PlainConnection]] = [:]
    /// Where servers may have no HTTP/1.1, or code bodies in a way that is not read here; libcurl asks them.
    var unreadable: Set<PlainRequest.Route> = []
    private var idleSockets: [Int32: PlainConnection] = [:]
    private let connectionLimit: Int
    private var ended: [Ended] = []
    /// Requests that are libcurl's after all.
    private var turnedAway: [Exchange] = []
    /// Connections that have more to read than their sockets tell of.
    private var unread: Set<Int32> = []
    /// Pieces of one body that are read in a row.
    static let mostPieces = 4
    /// A body that brings as much at once goes into its file by a pipe.
    static let leastByPipe = SplicePipe.least
    /// The most that is read with a head: small files whole, and little of large ones, which have better ways.
    static let headPiece = 16 << 10
    var pipe = Pipe.none
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Chunk.capacity, alignment: 4096)

    /// - Parameter connections: open connections that are worth keeping.
    init(
        multi: MultiHandle, clock: RoundClock, rates: RateGate, handles: HandlePool, connections: Int
    ) {
        self.multi = multi
        self.clock = clock
        self.rates = rates
        self.handles = handles
        connectionLimit = connections
    }

    deinit { buffer.deallocate() }

    // MARK: - Orders

    /// Whether replies are expected to be such as can be read here.
    func reads(_ route: PlainRequest.Route) -> Bool { unreadable.isEmpty || !unreadable.contains(route) }

    func start(_ exchange: Exchange, _ passage: PlainPassage) throws(CurlError) {
        if !passage.request.opensConnection, let connection = takeIdle(passage.request.route) {
            begin(exchange, passage, on: connection)
            return
        }
        try connect(exchange, passage)
    }

    /// Lets a paused body go on.
    func resume(_ exchange: Exchange, _ passage: PlainPassage) {
        guard case .paused(let connection, let rest) = passage.phase else { return }
        passage.phase = .receiving(connection)
        guard listen(exchange, connection) else { return }
        rest.withUnsafeBytes { take($0, exchange, passage, connection) }
        readOn(exchange, passage, connection)
    }

    /// The request is over for its owner: its connection is kept where the reply is whole, and closed otherwise.
    func remove(_ passage: PlainPassage, keepsConnection: Bool) {
        switch passage.phase {
        case .connecting(let handle):
            connecting[ObjectIdentifier(handle)] = nil
            multi.remove(handle)
        case .sending(let connection, _), .receiving(let connection), .paused(let connection, _):
            busy[connection.socket] = nil
            if keepsConnection, passage.reader.keepsConnection {
                keep(connection)
            } else {
                multi.ignore(connection.socket)
            }
        case .waiting, .over: break
        }
        passage.end(at: SteadyClock.now)
    }

    // MARK: - What has happened

    /// A handle has ended; false where it is not one of the lane's.
    func connected(_ handle: EasyHandle, code: Int32) -> Bool {
        guard !connecting.isEmpty, let exchange = connecting.removeValue(forKey: ObjectIdentifier(handle)),
            case .plain(let passage) = exchange.way
        else { return false }
        guard code == 0 else {
            let failure = TransportFailure(handle, code: code)
            passage.phase = .waiting
            multi.remove(handle)
            handles.giveBack(handle)
            if isWithoutHTTP11(failure) {
                turnAway(exchange, passage)
            } else {
                fail(exchange, failure)
            }
            return true
        }
        passage.opened(by: handle)
        passage.phase = .waiting
        let connection = connection(of: handle, on: passage.request.route)
        if let connection, !connection.agreesOnHTTP11() {
            turnAway(exchange, passage)
        } else if let connection, multi.listen(to: connection.socket) {
            begin(exchange, passage, on: connection)
        } else {
            let text = "the new connection is gone already, or files are too few for it (`ulimit -n`)"
            fail(exchange, TransportFailure(code: 7, text: text))
        }
        return true
    }

    /// Whether a server of TLS wants to speak nothing but a later version (RFC 7301 section 3.2).
    private func isWithoutHTTP11(_ failure: TransportFailure) -> Bool {
        // CURLE_SSL_CONNECT_ERROR; what the alert was, libcurl tells in words alone.
        failure.code == 35 && failure.text.hasSuffix("no application protocol")
    }

    private func turnAway(_ exchange: Exchange, _ passage: PlainPassage) {
        unreadable.insert(passage.request.route)
        turnedAway.append(exchange)
    }

    /// The requests that have to be carried out by libcurl since this was last asked; nothing of them has been sent.
    func takeTurnedAway() -> [Exchange] {
        guard !turnedAway.isEmpty else { return [] }
        defer { turnedAway = [] }
        return turnedAway
    }

    /// Reads and writes where that can be done.
    func serve() {
        for socket in takeSockets() {
            if let exchange = busy[socket], case .plain(let passage) = exchange.way {
                serve(exchange, passage)
            } else if let connection = idleSockets[socket], connection.isStirring() {
                // Not so where TLS has sent something for itself, such as a ticket (RFC 8446 section 4.6.1).
                drop(connection)
            }
        }
    }

    /// The sockets at which there is something to do.
    private func takeSockets() -> [Int32] {
        let heard = multi.takeHeard()
        guard !unread.isEmpty else { return heard }
        defer { unread.removeAll(keepingCapacity: true) }
        return heard + unread.subtracting(heard)
    }

    /// Whether there is something to do at once.
    var isBusy: Bool { !ended.isEmpty || !unread.isEmpty }

    /// The requests that have ended since this was last asked.
    func takeEnded() -> [Ended] {
        defer { ended.removeAll(keepingCapacity: true) }
        return ended
    }

    private func serve(_ exchange: Exchange, _ passage: PlainPassage) {
        switch passage.phase {
        case .sending(let connection, let waits):
            send(exchange, passage, connection, waits: waits)
            // What is not read would be heard of for ever.
            if case .sending = passage.phase, !hasEnded(exchange), connection.isStirring() {
                stopSending(exchange, passage, connection)
            }
        case .receiving(let connection): receive(exchange, passage, connection)
        case .waiting, .connecting, .paused, .over: break
        }
    }

    // MARK: - Connections

    private func connect(_ exchange: Exchange, _ passage: PlainPassage) throws(CurlError) {
        makeRoom()
        let handle = try handles.connector(for: exchange.request)
        try multi.add(handle)
        passage.phase = .connecting(handle)
        connecting[ObjectIdentifier(handle)] = exchange
    }

    /// The connection that a handle has opened; nil where it is gone already, or cannot be had.
    private func connection(of handle: EasyHandle, on route: PlainRequest.Route) -> PlainConnection? {
        let port = handle.localPort
        if route.tls != nil {
            let link = TLSLink(handle, in: multi)
            return multi.socket(of: handle).map {
                PlainConnection(socket: $0, link: link, route: route, localPort: port)
            }
        }
        let socket = multi.takeSocket(of: handle)
        handles.giveBack(handle)
        return socket.map { PlainConnection(socket: $0, route: route, localPort: port) }
    }

    /// Closes connections that rest, as long as there are as many as are worth keeping; they take descriptors from others.
    private func makeRoom() {
        while busy.count + connecting.count + idleSockets.count >= connectionLimit,
            let oldest = idleSockets.values.min(by: { $0.idleSince < $1.idleSince })
        {
            drop(oldest)
        }
    }

    private func takeIdle(_ route: PlainRequest.Route) -> PlainConnection? {
        while let connection = idle[route]?.popLast() {
            idleSockets[connection.socket] = nil
            // Bytes behind the reply before would be taken for the next one, and a body that was read to its last byte
            // leaves them where they are; nor may the end have been heard of yet.
            if connection.idleSince + PlainConnection.longestRest > clock.now, !connection.isStirring() {
                return connection
            }
            multi.ignore(connection.socket)
        }
        return nil
    }

    private func keep(_ connection: PlainConnection) {
        connection.rest(at: SteadyClock.now)
        idle[connection.route, default: []].append(connection)
        idleSockets[connection.socket] = connection
    }

    private func drop(_ connection: PlainConnection) {
        idleSockets[connection.socket] = nil
        idle[connection.route]?.removeAll { $0 === connection }
        multi.ignore(connection.socket)
    }

    // MARK: - Requests

    private func begin(_ exchange: Exchange, _ passage: PlainPassage, on connection: PlainConnection) {
        busy[connection.socket] = exchange
        passage.begin(on: connection, at: SteadyClock.now)
        send(exchange, passage, connection, waits: false)
    }

    /// - Parameter waits: whether the connection is listened to for room.
    private func send(
        _ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection, waits: Bool
    ) {
        switch connection.send(passage.request.bytes[passage.sent...]) {
        case .moved(let count):
            passage.sent(count)
            guard passage.isSent else { return awaitRoom(exchange, passage, connection) }
            passage.phase = .receiving(connection)
            // It would be heard of for ever that there is room.
            if waits, !listen(exchange, connection) { return }
            // A server may have spoken first, and with its part of the handshake, so that no socket tells of it.
            readOn(exchange, passage, connection)
        case .wait: awaitRoom(exchange, passage, connection)
        case .failed(let failure):
            if connection.hasBytes() {
                stopSending(exchange, passage, connection)
            } else if !beginAgain(exchange, passage, connection) {
                fail(exchange, failure)
            }
        }
    }

    private func awaitRoom(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) {
        passage.phase = .sending(connection, waits: true)
        _ = listen(exchange, connection, sends: true)
    }

    /// Whether a connection will be heard of; the request fails where it will not.
    private func listen(_ exchange: Exchange, _ connection: PlainConnection, sends: Bool = false) -> Bool {
        if multi.listen(to: connection.socket, sends: sends) { return true }
        fail(exchange, .system(code: 56, "epoll_ctl", errno: errno))
        return false
    }

    /// The server has answered, or left, before it had the whole request, and need not read the rest
    /// (RFC 9112 section 9.5).
    private func stopSending(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) {
        exchange.endsConnection = true
        passage.phase = .receiving(connection)
        guard listen(exchange, connection) else { return }
        receive(exchange, passage, connection)
    }

    /// Sees to it that what is left is read, where no socket will tell of it.
    func readOn(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) {
        guard connection.holdsMore, case .receiving = passage.phase, !hasEnded(exchange) else { return }
        unread.insert(connection.socket)
    }

    func hasEnded(_ exchange: Exchange) -> Bool { ended.last?.exchange === exchange }

    /// Sends a request again over a new connection, where the server may have closed the one that was there before the
    /// request came (RFC 9112 section 9.3.1); false where it can have seen it.
    func beginAgain(_ exchange: Exchange, _ passage: PlainPassage, _ connection: PlainConnection) -> Bool {
        guard connection.served > 0, passage.reader.isUntouched else { return false }
        busy[connection.socket] = nil
        multi.ignore(connection.socket)
        passage.startAgain()
        exchange.connectsAgain()
        do throws(CurlError) {
            try connect(exchange, passage)
        } catch {
            fail(exchange, TransportFailure(code: error.code, text: error.text))
        }
        return true
    }

    func finish(_ exchange: Exchange) { ended.append((exchange, nil)) }

    func finishLast(_ exchange: Exchange) {
        exchange.endsConnection = true
        finish(exchange)
    }

    func fail(_ exchange: Exchange, _ failure: TransportFailure) {
        ended.append((exchange, failure))
    }
}
