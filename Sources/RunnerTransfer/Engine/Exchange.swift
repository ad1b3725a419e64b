package import LibCurl
internal import RunnerJob

/// Who a reply is for; called on the network thread.
package protocol ExchangeOwner: AnyObject {
    func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction
    func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction
    func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>)
}

/// One request and its reply on libcurl.
///
/// Belongs to the network thread. An owner that lets go of it (``detach()``) leaves it to drain or be stopped.
package final class Exchange {
    package enum HeadAction {
        case receive
        /// Read the rest and forget it, so that the connection can be used again.
        case drain
        case stop
    }

    enum Phase {
        case awaitingHead
        case receiving
        /// Holds bytes that were taken back by a full disk queue; the stall clock stands still.
        case paused
        case draining(read: Int, since: Duration)
        case stopping
    }

    /// A body larger than this is not worth reading for the sake of its connection.
    static let drainLimit = 64 << 10
    /// Nor is one that takes longer.
    static let drainTime = Duration.seconds(2)

    package let request: WireRequest
    let handle: EasyHandle
    private(set) var phase = Phase.awaitingHead
    private var parser = HeadParser()
    private weak var owner: (any ExchangeOwner)?
    let started: Duration
    private(set) var lastActivity: Duration

    init(_ request: WireRequest, on handle: EasyHandle, owner: any ExchangeOwner) {
        self.request = request
        self.handle = handle
        self.owner = owner
        started = SteadyClock.now
        lastActivity = started
    }

    /// Where the time of the exchange went.
    package var times: EasyTimes { handle.times }
    package var httpVersion: String? { handle.httpVersion }

    /// The owner does not want to hear of it any more.
    package func detach() {
        owner = nil
        switch phase {
        case .draining, .stopping: break
        default: phase = .stopping
        }
    }

    /// When the next of its limits is over; nil for never.
    func nextLimit() -> Duration? {
        switch phase {
        case .stopping: return lastActivity
        case .draining(_, let since): return since + Self.drainTime
        case .paused: return request.timeout.attempt.map { started + $0 }
        case .awaitingHead, .receiving:
            var stall = lastActivity + request.timeout.stall
            // Connecting has a limit of its own.
            if lastActivity == started { stall += request.timeout.connect }
            guard let attempt = request.timeout.attempt else { return stall }
            return min(stall, started + attempt)
        }
    }

    /// The fault of a limit that is over.
    func expired(at now: Duration) -> Fault {
        if let attempt = request.timeout.attempt, started + attempt <= now {
            return Fault(.timeout, .attemptTimeout(attempt))
        }
        return Fault(.stall, .stalled(request.timeout.stall))
    }

    /// Lets a paused body go on.
    func resume() throws(CurlError) {
        guard case .paused = phase else { return }
        phase = .receiving
        lastActivity = SteadyClock.now
        try handle.resume()
    }

    func deliverEnd(_ result: Result<Void, Fault>) {
        owner?.exchange(self, ended: result)
        owner = nil
    }

    private func take(_ head: ReplyHead) -> ReceiveAction {
        guard let owner else { return .abort }
        switch owner.exchange(self, received: head) {
        case .receive:
            phase = .receiving
        case .drain:
            let isSmall = (head.declaredLength ?? 0) <= Int64(Self.drainLimit)
            phase = isSmall ? .draining(read: 0, since: lastActivity) : .stopping
        case .stop:
            phase = .stopping
        }
        if case .stopping = phase { return .abort }
        return .proceed
    }

    /// FTP has no head; one is made up when the first byte or the end comes, from what libcurl was told.
    func makeHeadIfMissing() -> ReceiveAction {
        guard case .awaitingHead = phase, request.url.origin.scheme == "ftp" else { return .proceed }
        var head = ReplyHead(status: request.offset > 0 ? 206 : 200)
        let rest = handle.declaredLength
        if request.offset > 0 {
            let total = rest.map { request.offset + $0 }
            head.contentRange =
                total.map { "bytes \(request.offset)-\($0 - 1)/\($0)" } ?? "bytes \(request.offset)-\(Int64.max - 1)/*"
        }
        if let rest { head.contentLength = .bytes(rest) }
        head.lastModifiedTime = handle.fileTime
        return take(head)
    }
}

extension Exchange: EasyDelegate {
    package func received(headerLine: UnsafeRawBufferPointer) -> ReceiveAction {
        lastActivity = SteadyClock.now
        if case .stopping = phase { return .abort }
        guard let head = parser.take(headerLine), case .awaitingHead = phase else { return .proceed }
        return take(head)
    }

    package func received(body: UnsafeRawBufferPointer) -> ReceiveAction {
        lastActivity = SteadyClock.now
        if case .abort = makeHeadIfMissing() { return .abort }
        switch phase {
        case .receiving:
            guard let owner else { return .abort }
            let action = owner.exchange(self, received: body)
            if case .pause = action { phase = .paused }
            return action
        case .draining(let read, let since):
            phase = .draining(read: read + body.count, since: since)
            return read + body.count > Self.drainLimit ? .abort : .proceed
        case .awaitingHead, .paused, .stopping:
            return .abort
        }
    }
}
