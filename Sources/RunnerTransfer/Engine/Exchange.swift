package import LibCurl
internal import RunnerJob
package import RunnerStorage

/// Who a reply is for; called on the network thread.
package protocol ExchangeOwner: AnyObject {
    func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction
    func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction
    func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>)
    /// Where the next bytes of the body may be put at once; nil where they are to be handed in.
    ///
    /// The place is good until the owner is called next.
    func roomForBody(of exchange: Exchange) -> UnsafeMutableRawBufferPointer?
    /// So many bytes of the body were put there.
    func exchange(_ exchange: Exchange, filledRoom bytes: Int) -> ReceiveAction
    /// Whether the next bytes of the body are to stay where they are for now.
    func holdsBack(_ exchange: Exchange) -> Bool
    /// How many of the next bytes of the body may come by a pipe; 0 where none may.
    ///
    /// Bytes that wait in memory are written before the answer is other than 0.
    func bytesByPipe(for exchange: Exchange) -> Int64
    /// Bytes of the body are in a pipe; none is left in it afterwards.
    func exchange(_ exchange: Exchange, received pipe: SplicePipe) -> ReceiveAction
}

extension ExchangeOwner {
    package func roomForBody(of exchange: Exchange) -> UnsafeMutableRawBufferPointer? { nil }
    package func exchange(_ exchange: Exchange, filledRoom bytes: Int) -> ReceiveAction { .abort }
    package func holdsBack(_ exchange: Exchange) -> Bool { false }
    package func bytesByPipe(for exchange: Exchange) -> Int64 { 0 }
    package func exchange(_ exchange: Exchange, received pipe: SplicePipe) -> ReceiveAction { .abort }
}

/// One request and its reply.
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
        /// No request has been sent, as far as was known when it was last looked at.
        case connecting(lookedAt: Duration)
        case awaitingHead
        /// A reply that libcurl may answer with the same request, said differently; it counts when nothing follows.
        indirect case challenged(ReplyHead)
        /// The head is held back until the body has told what is wrong.
        indirect case explaining(ReplyHead, body: [UInt8], since: Duration)
        case receiving
        /// Holds bytes back for a full disk queue or for the rate; the stall clock stands still.
        case paused
        case draining(read: Int, since: Duration)
        case stopping
    }

    /// A body larger than this is not worth reading for the sake of its connection.
    static let drainLimit = 64 << 10
    /// Nor is one that takes longer.
    static let drainTime = Duration.seconds(2)

    package let request: WireRequest
    let task: Int
    private let rates: RateGate
    private let clock: RoundClock
    private(set) var way: ExchangeWay
    var phase: Phase
    private var parser: HeadParser
    /// Held until the exchange has ended or is let go of.
    var owner: (any ExchangeOwner)?
    let started: Duration
    private(set) var lastActivity: Duration
    /// What its handle of libcurl was set up for; nil where there is none, or where that is good for this request alone.
    private(set) var setup: HandleSetup?
    /// Without one named in the environment's exceptions.
    private(set) var proxy: ProxyServer?
    /// Bytes of the body since the beginning of the window that `min_rate` is measured in.
    private var window: (since: Duration, bytes: Int64)
    /// Bytes of the request's body that had been sent when it was last looked at.
    private var sentBefore: Int64 = 0
    /// Bytes of the body that the head declared and that have not come; nil when it did not.
    var missing: Int64?
    /// The connection of TLS whose end alone tells where the body ends (RFC 9112 section 6.3); nil for any other body.
    private(set) var openEnd: UInt?
    /// Whether no other request may go over its connection.
    var endsConnection = false

    init(
        _ request: WireRequest, of task: Int, by way: ExchangeWay, setup: HandleSetup? = nil, proxy: ProxyServer? = nil,
        rates: RateGate, dates: HTTPDates, clock: RoundClock, owner: any ExchangeOwner
    ) {
        self.request = request
        self.task = task
        self.rates = rates
        parser = HeadParser(dates: dates)
        self.way = way
        self.clock = clock
        self.setup = setup
        self.proxy = proxy
        self.owner = owner
        started = SteadyClock.now
        lastActivity = started
        phase = .connecting(lookedAt: started)
        window = (started, 0)
    }

    /// Where the time of the exchange went.
    package var times: EasyTimes { way.times }
    package var httpVersion: String? { way.httpVersion }

    /// Tells its connection from others that are open; nil where there was none.
    package var connection: Int? { way.localPort }

    /// Bytes of the request's body that have been sent.
    package var sent: Int64 { way.uploadedBytes }

    /// Fields behind the body that may carry a digest; all of them when the exchange has ended.
    package var trailer: [ReplyHead.Field] { parser.trailer }

    /// Whether it was ended because the fields behind the body do not come to an end.
    var hasEndlessTrailer: Bool { parser.isTrailerTooLong }

    /// What the request's cookies have become; meaningless unless it has any.
    package var cookies: CookieJar { request.cookies == .none ? .none : .lines(way.handle?.cookies ?? []) }
    /// How long a proxy that refused a tunnel asks to be left alone.
    var tunnelRetryAfter: Duration? {
        var parser = HeadParser()
        for line in way.handle?.tunnelHead.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) ?? []
        {
            if let head = line.withUnsafeBytes({ parser.take($0) }) { return head.retryAfter }
        }
        return nil
    }
    /// Whether anything was sent that the server could act on: the body, or the head of a request without one.
    var hasSent: Bool { request.body == .none ? way.requestBytes > 0 : way.uploadedBytes > 0 }
    /// A success that came before the server had the file; libcurl does not send it then.
    var earlySuccess: Fault? {
        guard case .receiving = phase, request.isUpload, request.url.origin.isHTTP else { return nil }
        let length = way.bodyLength
        return sent < length ? Fault(.protocol, .bodyNotTaken(sent: sent, of: length)) : nil
    }
    /// Whether it is an FTP transfer that exchanges commands, and no bytes of the file so far.
    var isGettingReady: Bool { !hasHead && request.url.origin.scheme == "ftp" && way.uploadedBytes == 0 }
    /// Whether a reply has begun.
    package var hasHead: Bool {
        switch phase {
        case .connecting, .awaitingHead: false
        case .challenged, .explaining, .receiving, .paused, .draining, .stopping: true
        }
    }

    /// The owner does not want to hear of it any more.
    package func detach() {
        owner = nil
        switch phase {
        case .draining, .stopping: break
        // A reply that is there to its last byte leaves a connection that can be used again.
        case .receiving where missing == 0: phase = .draining(read: 0, since: lastActivity)
        default: phase = .stopping
        }
    }

    /// When the time of the attempt is over; nil for never.
    private var attemptEnd: Duration? {
        request.timeout.attempt.map { started + $0 - request.attemptSpent }
    }

    /// When the next of its limits is over; nil for never.
    func nextLimit() -> Duration? {
        switch phase {
        case .stopping: return lastActivity
        case .draining(_, let since), .explaining(_, _, let since): return since + Self.drainTime
        case .paused: return attemptEnd
        case .connecting, .awaitingHead, .challenged, .receiving:
            var stall = lastActivity + request.timeout.stall
            if case .connecting(let lookedAt) = phase { stall = lookedAt + request.timeout.stall }
            if case .receiving = phase, request.network.minimumRate != nil {
                stall = min(stall, window.since + request.timeout.stall)
            }
            guard let attemptEnd else { return stall }
            return min(stall, attemptEnd)
        }
    }

    /// The fault of a limit that is over; nil when a window of `min_rate` ended with bytes enough, and the next began.
    func expired(at now: Duration) -> Fault? {
        if case .explaining = phase {
            // What has come so far has to do.
            _ = explain()
            return nil
        }
        if let attempt = request.timeout.attempt, let attemptEnd, attemptEnd <= now {
            return Fault(.timeout, .attemptTimeout(attempt))
        }
        if case .connecting = phase, !isStalledBeforeRequest(at: now) { return nil }
        if !hasHead, sent > sentBefore {
            // As long as the body goes out, nothing is expected to come in.
            sentBefore = sent
            lastActivity = now
            return nil
        }
        guard case .receiving = phase, let rate = request.network.minimumRate,
            lastActivity + request.timeout.stall > now
        else { return Fault(.stall, .stalled(request.timeout.stall)) }
        if Double(window.bytes) < Double(rate) * request.timeout.stall.seconds {
            return Fault(.stall, .tooSlow(rate: rate, over: request.timeout.stall))
        }
        window = (now, 0)
        return nil
    }

    /// Connecting has a limit of its own; the stall clock starts with the request.
    private func isStalledBeforeRequest(at now: Duration) -> Bool {
        if let sent = way.requestTime {
            phase = .awaitingHead
            lastActivity = max(lastActivity, started + .microseconds(sent))
            return lastActivity + request.timeout.stall <= now
        }
        phase = .connecting(lookedAt: now)
        return started + request.timeout.connect + request.timeout.stall <= now
    }

    /// A paused body is about to go on; false where it is not paused.
    func resumes() -> Bool {
        guard case .paused = phase else { return false }
        phase = .receiving
        lastActivity = SteadyClock.now
        window = (lastActivity, 0)
        return true
    }

    /// The connection that it was to go over was closed already; another is being opened.
    func connectsAgain() {
        lastActivity = clock.now
        phase = .connecting(lookedAt: lastActivity)
    }

    /// Nothing could be sent on the lane; libcurl carries it out.
    func goes(byLibcurl handle: EasyHandle, setup: HandleSetup?, proxy: ProxyServer?) {
        connectsAgain()
        way = .libcurl(handle)
        self.setup = setup
        self.proxy = proxy
    }

    func deliverEnd(_ result: Result<Void, Fault>) {
        owner?.exchange(self, ended: result)
        owner = nil
    }

    func take(_ head: ReplyHead) -> ReceiveAction {
        guard let owner else { return .abort }
        missing = head.declaredLength
        openEnd = hasOpenEnd(head) ? way.tlsConnection : nil
        switch owner.exchange(self, received: head) {
        case .receive:
            phase = .receiving
            window = (SteadyClock.now, 0)
        case .drain:
            let isSmall = (head.declaredLength ?? 0) <= Int64(Self.drainLimit)
            phase = isSmall ? .draining(read: 0, since: lastActivity) : .stopping
        case .stop:
            phase = .stopping
        }
        if case .stopping = phase { return .abort }
        return .proceed
    }

    private func hasOpenEnd(_ head: ReplyHead) -> Bool {
        if head.declaredLength != nil || head.isChunked || request.isHeadOnly { return false }
        return head.status != 204 && head.status != 304 && httpVersion?.hasPrefix("1") ?? false
    }

    /// Whether a server that was asked for leave to send the body answers with success instead of 100.
    ///
    /// libcurl 7.88 keeps the body back then, and the connection for others: a server that waits for the body would
    /// take the next request for it (`Curl_http_readwrite_headers` of its lib/http.c; RFC 9110 section 10.1.1).
    private func isAheadOfBody(_ head: ReplyHead) -> Bool {
        guard request.body != .none, request.url.origin.isHTTP, head.status < 300 else { return false }
        return sent == 0 && way.bodyLength != 0 && httpVersion?.hasPrefix("1") ?? false
    }

    /// Whether a reply is one that libcurl may answer by itself, on the same handle: a challenge, or the refusal of
    /// `Expect: 100-continue`, after which the body is sent without it (RFC 9110 section 10.1.1).
    private func isChallenge(_ head: ReplyHead) -> Bool {
        switch phase {
        case .connecting, .awaitingHead: break
        // One more, with a fresh nonce, where the first has gone stale (RFC 7616 section 3.3).
        case .challenged: break
        default: return false
        }
        if case .digest = request.auth, head.status == 401 { return true }
        return head.status == 417 && request.body != .none
    }

    /// FTP and SFTP have no head; one is made up when the first byte or the end comes, from what libcurl was told.
    func makeHeadIfMissing() -> ReceiveAction {
        if case .challenged(let head) = phase {
            phase = .awaitingHead
            return meet(head)
        }
        guard !hasHead, let handle = way.handle, ["ftp", "sftp"].contains(request.url.origin.scheme) else {
            return .proceed
        }
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

extension Exchange {
    func received(_ line: ReplyReader.Line) -> ReceiveAction {
        switch line {
        case .whole(let bytes): received(headerLine: bytes)
        case .joined(let bytes): bytes.withUnsafeBytes { received(headerLine: $0) }
        }
    }

    /// Whether the body pauses before its next bytes are read.
    func pausesAhead() -> Bool {
        guard case .receiving = phase, let owner, owner.holdsBack(self) else { return false }
        phase = .paused
        return true
    }

    /// Where the next bytes of the body may be put at once; nil where they have to be handed in.
    var roomForBody: UnsafeMutableRawBufferPointer? {
        guard case .receiving = phase, rates.isUnlimited else { return nil }
        return owner?.roomForBody(of: self)
    }

    /// So many bytes of the body were put there.
    func filledRoom(_ bytes: Int) -> ReceiveAction {
        lastActivity = SteadyClock.now
        guard let owner else { return .abort }
        return pass(bytes) { owner.exchange(self, filledRoom: bytes) }
    }

    /// How many of the next bytes of the body may come by a pipe; 0 where they have to be handed in.
    var bytesByPipe: Int64 {
        guard case .receiving = phase, rates.isUnlimited else { return 0 }
        return owner?.bytesByPipe(for: self) ?? 0
    }

    /// Bytes of the body are in a pipe.
    func received(_ pipe: SplicePipe) -> ReceiveAction {
        lastActivity = SteadyClock.now
        guard let owner else { return .abort }
        return pass(pipe.count) { owner.exchange(self, received: pipe) }
    }

    /// Counts bytes of the body as far as their owner takes them.
    private func pass(_ count: Int, take: () -> ReceiveAction) -> ReceiveAction {
        let origin = request.url.origin
        guard rates.admits(ObjectIdentifier(self), of: task, at: origin, count) else {
            phase = .paused
            return .pause
        }
        let before = missing
        missing = before.map { $0 - Int64(count) }
        let action = take()
        if case .draining = phase { return .proceed }
        if case .pause = action {
            rates.giveBack(count, of: task, at: origin)
            phase = .paused
            missing = before
        } else {
            window.bytes += Int64(count)
        }
        return action
    }
}

extension Exchange: EasyDelegate {
    package func received(headerLine: UnsafeRawBufferPointer) -> ReceiveAction {
        lastActivity = clock.now
        if case .stopping = phase { return .abort }
        guard let head = parser.take(headerLine) else { return hasEndlessTrailer ? .abort : .proceed }
        if isAheadOfBody(head) {
            endsConnection = true
            try? way.handle?.set(.lastOnConnection)
        }
        if isChallenge(head) {
            phase = .challenged(head)
            return .proceed
        }
        switch phase {
        case .connecting, .awaitingHead, .challenged: return meet(head)
        default: return .proceed
        }
    }

    package func received(body: UnsafeRawBufferPointer) -> ReceiveAction {
        // A round may take long where a disk makes it wait; that is no stall of the server's.
        lastActivity = SteadyClock.now
        // What libcurl found out about an FTP file comes as lines of text; it is read from the handle at the end.
        if request.isHeadOnly { return .proceed }
        if case .abort = makeHeadIfMissing() { return .abort }
        switch phase {
        case .receiving:
            guard let owner else { return .abort }
            return pass(body.count) { owner.exchange(self, received: body) }
        case .explaining(let head, let start, let since): return explain(head, start, since, then: body)
        case .draining(let read, let since):
            phase = .draining(read: read + body.count, since: since)
            return read + body.count > Self.drainLimit ? .abort : .proceed
        case .connecting, .awaitingHead, .challenged, .paused, .stopping:
            return .abort
        }
    }
}
