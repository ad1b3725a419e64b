internal import LibCurl
internal import RunnerJob

/// Requests on libcurl's multi interface, and plain ones on a lane beside it.
///
/// Belongs to the network thread; ``tick()`` is called after each round of the loop.
package final class TransferEngine {
    private let multi: MultiHandle
    private let clock: RoundClock
    private let handles: HandlePool
    private var connectionTerms: [Origin: ConnectionTerms] = [:]
    private let lane: PlainLane
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    /// Those of libcurl, by their handles.
    private var handled: [ObjectIdentifier: Exchange] = [:]
    private var nudged = Duration.zero
    private static let nudgeInterval = Duration.milliseconds(20)
    private let dates = HTTPDates()
    /// How fast bodies may come in.
    package let rates: RateGate

    /// - Parameters:
    ///   - connections: open connections that are worth keeping; the run's cap on slots.
    package init(on loop: EventLoop, environment: NetworkEnvironment, connections: Int) throws(EngineFailure) {
        multi = loop.multi
        clock = loop.clock
        handles = HandlePool(environment: environment)
        rates = RateGate()
        lane = PlainLane(
            multi: multi, clock: clock, rates: rates, handles: handles, connections: max(8, connections))
        do throws(CurlError) {
            try multi.setConnectionCache(max(8, connections))
        } catch {
            throw EngineFailure(error)
        }
    }

    deinit {
        // Whoever is still under way holds its handle and its owner, and they hold it.
        for exchange in exchanges.values { exchange.detach() }
        for exchange in exchanges.values { exchange.way.handle?.delegate = nil }
    }

    /// Exchanges that are under way.
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
            if let plain = PlainRequest(request, proxy: handles.proxy(of: request)), lane.reads(plain.route) {
                return try start(plain, for: request, of: task, owner)
            }
            return try startOnLibcurl(request, payload, of: task, owner)
        } catch {
            if error.code == 5 { throw Fault(.connect, .proxy(nil, code: 5, text: error.text), isBeforeSending: true) }
            throw Self.fault(error)
        }
    }

    private func start(
        _ plain: PlainRequest, for request: WireRequest, of task: Int, _ owner: any ExchangeOwner
    ) throws(CurlError) -> Exchange {
        let passage = PlainPassage(plain)
        let exchange = Exchange(
            request, of: task, by: .plain(passage), rates: rates, dates: dates, clock: clock, owner: owner)
        try lane.start(exchange, passage)
        exchanges[ObjectIdentifier(exchange)] = exchange
        return exchange
    }

    private func startOnLibcurl(
        _ request: WireRequest, _ payload: RequestPayload, of task: Int, _ owner: any ExchangeOwner
    ) throws(CurlError) -> Exchange {
        let (handle, setup, proxy) = try handle(for: request, payload, of: task)
        let exchange = Exchange(
            request, of: task, by: .libcurl(handle), setup: setup, proxy: proxy, rates: rates, dates: dates,
            clock: clock, owner: owner)
        exchanges[ObjectIdentifier(exchange)] = exchange
        try add(handle, for: exchange)
        return exchange
    }

    private func handle(
        for request: WireRequest, _ payload: RequestPayload, of task: Int
    ) throws(CurlError) -> (EasyHandle, HandleSetup?, ProxyServer?) {
        let bufferSize = rates.pieceSize(of: task, at: request.url.origin)
        let sharesConnections = sharesConnections(request)
        let setup = sharesConnections ? HandleSetup(request, bufferSize: bufferSize) : nil
        let (handle, proxy) = try handles.handle(for: request, payload, bufferSize: bufferSize, setup: setup)
        if !sharesConnections {
            for option in EasyOption.ownConnection { try handle.set(option) }
        }
        return (handle, setup, proxy)
    }

    private func add(_ handle: EasyHandle, for exchange: Exchange) throws(CurlError) {
        handle.delegate = exchange
        handled[ObjectIdentifier(handle)] = exchange
        try multi.add(handle)
    }

    /// Has libcurl carry out what the lane cannot.
    private func startOnLibcurl(_ exchange: Exchange) {
        do throws(CurlError) {
            let (handle, setup, proxy) = try handle(for: exchange.request, .none, of: exchange.task)
            exchange.goes(byLibcurl: handle, setup: setup, proxy: proxy)
            try add(handle, for: exchange)
        } catch {
            finish(exchange, .failure(Self.fault(error)))
        }
    }

    private static func fault(_ error: CurlError) -> Fault {
        Fault(.internal, .transport(code: error.code, text: "\(error.call): \(error.text)"))
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
        guard exchange.resumes() else { return }
        switch exchange.way {
        case .plain(let passage): lane.resume(exchange, passage)
        case .libcurl(let handle):
            do throws(CurlError) {
                try handle.resume()
            } catch {
                finish(exchange, .failure(Fault(.internal, .transport(code: error.code, text: error.call))))
            }
        }
    }

    /// Delivers what has ended and ends what is over its time; returns how long nothing will be over.
    package func tick() -> Duration? {
        lane.serve()
        deliverEnded()
        let now = SteadyClock.now
        while let stream = rates.next(at: now) {
            if let exchange = exchanges[stream] { resume(exchange) }
        }
        let next = expire()
        // What was resumed or begun meanwhile may be over already.
        if lane.isBusy { return .zero }
        return [rates.wait(at: now), nudge(at: now), next].compactMap(\.self).min()
    }

    private func deliverEnded() {
        while let (handle, code) = multi.nextEnded() {
            if lane.connected(handle, code: code) { continue }
            guard let exchange = handled[ObjectIdentifier(handle)] else { continue }
            finish(exchange, result(of: exchange, code == 0 ? nil : TransportFailure(handle, code: code)))
        }
        for exchange in lane.takeTurnedAway() where exchanges[ObjectIdentifier(exchange)] != nil {
            startOnLibcurl(exchange)
        }
        for (exchange, failure) in lane.takeEnded() where exchanges[ObjectIdentifier(exchange)] != nil {
            finish(exchange, result(of: exchange, failure))
        }
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

    private func result(of exchange: Exchange, _ failure: TransportFailure?) -> Result<Void, Fault> {
        if failure == nil { _ = exchange.makeHeadIfMissing() }
        // Where the reply was cut, what had come of it still counts.
        _ = exchange.explain()
        if let failure { return .failure(TransportFaults.fault(of: exchange, failure)) }
        if case .receiving = exchange.phase, let end = exchange.openEnd, !ConnectionEnds.isInOrder(end) {
            return .failure(Fault(.truncated, .noCloseNotify))
        }
        if let fault = exchange.earlySuccess { return .failure(fault) }
        return .success(())
    }

    private func finish(_ exchange: Exchange, _ result: Result<Void, Fault>) {
        guard exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        rates.forget(ObjectIdentifier(exchange))
        var isClean = false
        if case .success = result { isClean = !exchange.endsConnection }
        switch exchange.way {
        case .plain(let passage):
            lane.remove(passage, keepsConnection: isClean)
            exchange.deliverEnd(result)
        case .libcurl(let handle):
            remove(handle, result)
            exchange.deliverEnd(result)
            handle.delegate = nil
            // A reset leaves a handle its cookies (curl_easy_reset(3)); no other task may send them.
            guard exchange.request.cookies == .none, !hasStaleField(exchange) else { return }
            handles.giveBack(handle, setup: isClean ? exchange.setup : nil, proxy: exchange.proxy)
        }
    }

    /// Whether libcurl would use memory that it has freed, were the handle of an exchange used again.
    ///
    /// It keeps the last field that a reply or a proxy has sent in mind when that is gone, and adds a first line to it that
    /// begins with a blank (`unfold_value` in its lib/headers.c); from 8.2 on it forgets it (`headers_init`).
    private func hasStaleField(_ exchange: Exchange) -> Bool {
        CurlLibrary.versionNumber < 0x080200 && (exchange.request.url.origin.isHTTP || exchange.proxy != nil)
    }

    private func remove(_ handle: EasyHandle, _ result: Result<Void, Fault>) {
        handled[ObjectIdentifier(handle)] = nil
        // libcurl keeps a connection of HTTP/2 from which a request was taken (multi_done in its lib/multi.c), and
        // would give a silent one to the next request. Where the option is refused, the next one opens its own anyway.
        if case .failure(let fault) = result, fault.isSilence { try? handle.set(.lastOnConnection) }
        multi.remove(handle)
    }
}

extension Duration {
    /// Milliseconds, rounded up, at least 1 and at most a day short of libcurl's limit.
    var wholeMilliseconds: Int {
        Int(min(max((seconds * 1000).rounded(.up), 1), 2_000_000_000))
    }
}
