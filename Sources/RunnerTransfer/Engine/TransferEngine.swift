internal import LibCurl
internal import RunnerJob

/// Requests on libcurl's multi interface.
///
/// Belongs to the network thread; ``tick()`` is called after each round of the loop.
package final class TransferEngine {
    private let multi: MultiHandle
    private let clock: RoundClock
    private let environment: NetworkEnvironment
    private var connectionTerms: [Origin: ConnectionTerms] = [:]
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var nudged = Duration.zero
    private static let nudgeInterval = Duration.milliseconds(20)
    /// Handles that have done their work; a new one costs more than a reset.
    private var spare: [SpareHandle] = []
    private static let spareLimit = 64
    private let dates = HTTPDates()
    /// How fast bodies may come in.
    package let rates = RateGate()

    /// - Parameters:
    ///   - connections: open connections that are worth keeping; the run's cap on slots.
    package init(on loop: EventLoop, environment: NetworkEnvironment, connections: Int) throws(EngineFailure) {
        multi = loop.multi
        clock = loop.clock
        self.environment = environment
        do throws(CurlError) {
            try multi.setConnectionCache(max(8, connections))
        } catch {
            throw EngineFailure(error)
        }
    }

    deinit {
        // Whoever is still under way holds its handle and its owner, and they hold it.
        for exchange in exchanges.values { exchange.detach() }
        for exchange in exchanges.values { exchange.handle.delegate = nil }
    }

    /// Exchanges that are in libcurl.
    package var count: Int { exchanges.count }

    /// Starts a request.
    ///
    /// - Parameter task: whose rate holds for it.
    /// - Throws: class `internal` or `client` when libcurl refuses an option.
    package func start(
        _ request: WireRequest, of task: Int, owner: any ExchangeOwner
    ) throws(Fault) -> Exchange {
        let payload = try RequestPayload(request.body)
        do throws(CurlError) {
            let bufferSize = rates.pieceSize(of: task, at: request.url.origin)
            let sharesConnections = sharesConnections(request)
            let setup = sharesConnections ? PlainSetup(request, bufferSize: bufferSize) : nil
            let (handle, proxy): (EasyHandle, ProxyServer?)
            if let setup, let last = spare.last, last.setup == setup {
                spare.removeLast()
                (handle, proxy) = (last.handle, last.proxy)
                try handle.prepareAgain(url: request.wireURL)
            } else {
                handle = try takeHandle(bufferSize: bufferSize)
                proxy = try setUp(handle, for: request, payload)
                if !sharesConnections {
                    for option in EasyOption.ownConnection { try handle.set(option) }
                }
            }
            let exchange = Exchange(
                request, of: task, on: handle, setup: setup, proxy: proxy, rates: rates, dates: dates, clock: clock,
                owner: owner)
            handle.delegate = exchange
            exchanges[ObjectIdentifier(handle)] = exchange
            try multi.add(handle)
            return exchange
        } catch {
            if error.code == 5 { throw Fault(.connect, .proxy(nil, code: 5, text: error.text), isBeforeSending: true) }
            throw Fault(.internal, .transport(code: error.code, text: "\(error.call): \(error.text)"))
        }
    }

    /// Sets all options of a request; returns the proxy that is asked.
    private func setUp(
        _ handle: EasyHandle, for request: WireRequest, _ payload: RequestPayload
    ) throws(CurlError) -> ProxyServer? {
        let options = RequestOptions(handle: handle, request: request, environment: environment)
        if options.hasUnreadableProxy { throw CurlError(.easy, code: 5, call: "CURLOPT_PROXY") }
        try options.apply(payload)
        if request.opensConnection { try handle.set(.newConnection) }
        return options.proxyInUse
    }

    /// Whether a request may use the connections that others of its origin have opened.
    ///
    /// libcurl compares most of what a connection was made with, but neither what an SSH host was known by, nor the
    /// key that logged in, nor the address family. What the first request of an origin says holds for its shared ones.
    private func sharesConnections(_ request: WireRequest) -> Bool {
        let terms = ConnectionTerms(ssh: request.network.ssh, addressFamily: request.network.addressFamily)
        if let first = connectionTerms[request.url.origin] { return first == terms }
        connectionTerms[request.url.origin] = terms
        return true
    }

    private struct ConnectionTerms: Hashable {
        var ssh: SSHFields
        var addressFamily: NetworkFields.AddressFamily
    }

    /// Takes a request out at once; its owner hears nothing more.
    package func cancel(_ exchange: Exchange) {
        exchange.detach()
        finish(exchange, .failure(Fault(.internal, .impossible("cancelled"))))
    }

    /// Lets a paused body go on.
    package func resume(_ exchange: Exchange) {
        do {
            try exchange.resume()
        } catch {
            finish(exchange, .failure(Fault(.internal, .transport(code: error.code, text: error.call))))
        }
    }

    /// Delivers what has ended and ends what is over its time; returns how long nothing will be over.
    package func tick() -> Duration? {
        while let (handle, code) = multi.nextEnded() {
            guard let exchange = exchanges[ObjectIdentifier(handle)] else { continue }
            finish(exchange, result(of: exchange, code: code))
        }
        let now = SteadyClock.now
        while let stream = rates.next(at: now) {
            if let exchange = exchanges[stream] { resume(exchange) }
        }
        let waits = [rates.wait(at: now), nudge(at: now), expire()]
        return waits.compactMap(\.self).min()
    }

    /// Looks after FTP transfers whose bytes are not on the way yet; returns when to look again.
    ///
    /// Where a server answers at once on a connection that is used again, libcurl means to open the connection for the
    /// bytes the next time it is called, and asks for no call (MSTATE_DO of multi_runsingle in its lib/multi.c).
    private func nudge(at now: Duration) -> Duration? {
        guard exchanges.values.contains(where: { $0.isGettingReady }) else { return nil }
        if nudged + Self.nudgeInterval <= now {
            nudged = now
            try? multi.nudge()
        }
        return nudged + Self.nudgeInterval - now
    }

    private func expire() -> Duration? {
        guard !exchanges.isEmpty else { return nil }
        let now = SteadyClock.now
        var next: Duration?
        for exchange in Array(exchanges.values) {
            if let limit = exchange.nextLimit(), limit <= now, let fault = exchange.expired(at: now) {
                finish(exchange, .failure(fault))
            } else if let limit = exchange.nextLimit() {
                next = min(next ?? limit, limit)
            }
        }
        return next.map { $0 - now }
    }

    private func result(of exchange: Exchange, code: Int32) -> Result<Void, Fault> {
        if code == 0 { _ = exchange.makeHeadIfMissing() }
        // Where the reply was cut, what had come of it still counts.
        _ = exchange.explain()
        if code == 0, case .receiving = exchange.phase, let end = exchange.openEnd, !ConnectionEnds.isInOrder(end) {
            return .failure(Fault(.truncated, .noCloseNotify))
        }
        if code == 0, let fault = exchange.earlySuccess { return .failure(fault) }
        if code == 0 { return .success(()) }
        return .failure(TransportFaults.fault(of: exchange, code: code))
    }

    private func finish(_ exchange: Exchange, _ result: Result<Void, Fault>) {
        guard exchanges.removeValue(forKey: ObjectIdentifier(exchange.handle)) != nil else { return }
        rates.forget(ObjectIdentifier(exchange.handle))
        // libcurl keeps a connection of HTTP/2 from which a request was taken (multi_done in its lib/multi.c), and
        // would give a silent one to the next request. Where the option is refused, the next one opens its own anyway.
        if case .failure(let fault) = result, fault.isSilence { try? exchange.handle.set(.lastOnConnection) }
        multi.remove(exchange.handle)
        exchange.deliverEnd(result)
        exchange.handle.delegate = nil
        // A reset leaves a handle its cookies (curl_easy_reset(3)); no other task may send them.
        guard exchange.request.cookies == .none else { return }
        guard spare.count < Self.spareLimit else { return }
        var isClean = false
        if case .success = result { isClean = !exchange.endsConnection }
        spare.append(
            SpareHandle(handle: exchange.handle, setup: isClean ? exchange.setup : nil, proxy: exchange.proxy))
    }

    /// A handle with nothing set but the size of its read buffer; a large one makes fewer calls for the same bytes.
    ///
    /// A handle that ended while others still used its connection (HTTP/2) keeps its buffer, and libcurl then refuses
    /// CURLOPT_BUFFERSIZE; such a handle is dropped.
    private func takeHandle(bufferSize: Int) throws(CurlError) -> EasyHandle {
        while let handle = spare.popLast()?.handle {
            try handle.reset()
            if (try? handle.set(.bufferSize(bufferSize))) != nil { return handle }
        }
        let handle = try EasyHandle()
        try handle.set(.bufferSize(bufferSize))
        return handle
    }
}

extension Duration {
    /// Milliseconds, rounded up, at least 1 and at most a day short of libcurl's limit.
    var wholeMilliseconds: Int {
        Int(min(max((seconds * 1000).rounded(.up), 1), 2_000_000_000))
    }
}
