internal import LibCurl
internal import RunnerJob

/// Requests on libcurl's multi interface.
///
/// Belongs to the network thread; ``tick()`` is called after each round of the loop.
package final class TransferEngine {
    private let multi: MultiHandle
    /// Trust of the machine, as the curl tool finds it.
    private let trust: TrustStore
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    /// Handles that have done their work; a new one costs more than a reset.
    private var spare: [EasyHandle] = []
    private static let spareLimit = 64
    /// Bytes that libcurl reads at once: fewer calls for the same bytes.
    private static let bufferSize = 256 << 10

    /// - Parameters:
    ///   - connections: open connections that are worth keeping; the run's cap on slots.
    package init(on loop: EventLoop, trust: TrustStore, connections: Int) throws(EngineFailure) {
        multi = loop.multi
        self.trust = trust
        do throws(CurlError) {
            try multi.setConnectionCache(max(8, connections))
        } catch {
            throw EngineFailure(error)
        }
    }

    /// Exchanges that are in libcurl.
    package var count: Int { exchanges.count }

    /// Starts a request.
    ///
    /// - Throws: class `internal` or `client` when libcurl refuses an option.
    package func start(
        _ request: WireRequest, owner: any ExchangeOwner
    ) throws(Fault) -> Exchange {
        do {
            let handle = try takeHandle()
            try configure(handle, for: request)
            let exchange = Exchange(request, on: handle, owner: owner)
            handle.delegate = exchange
            exchanges[ObjectIdentifier(handle)] = exchange
            try multi.add(handle)
            return exchange
        } catch {
            throw Fault(.internal, .transport(code: error.code, text: "\(error.call): \(error.text)"))
        }
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
        return expire()
    }

    private func expire() -> Duration? {
        guard !exchanges.isEmpty else { return nil }
        let now = SteadyClock.now
        var next: Duration?
        for exchange in Array(exchanges.values) {
            guard let limit = exchange.nextLimit() else { continue }
            if limit <= now {
                finish(exchange, .failure(exchange.expired(at: now)))
            } else {
                next = min(next ?? limit, limit)
            }
        }
        return next.map { $0 - now }
    }

    private func result(of exchange: Exchange, code: Int32) -> Result<Void, Fault> {
        if code == 0 {
            _ = exchange.makeHeadIfMissing()
            return .success(())
        }
        // CURLE_OPERATION_TIMEDOUT can only be the limit on connecting; the others are the engine's own.
        if code == 28 { return .failure(Fault(.timeout, .connectTimeout(exchange.request.timeout.connect))) }
        let handle = exchange.handle
        return .failure(
            TransportFaults.fault(
                code: code, text: handle.failureText(code: code), systemErrno: handle.systemErrno))
    }

    private func finish(_ exchange: Exchange, _ result: Result<Void, Fault>) {
        guard exchanges.removeValue(forKey: ObjectIdentifier(exchange.handle)) != nil else { return }
        multi.remove(exchange.handle)
        exchange.deliverEnd(result)
        exchange.handle.delegate = nil
        if spare.count < Self.spareLimit { spare.append(exchange.handle) }
    }

    /// A handle with nothing set but the size of its read buffer.
    ///
    /// A handle that ended while others still used its connection (HTTP/2) keeps its buffer, and libcurl then refuses
    /// CURLOPT_BUFFERSIZE; such a handle is dropped.
    private func takeHandle() throws(CurlError) -> EasyHandle {
        while let handle = spare.popLast() {
            try handle.reset()
            if (try? handle.set(.bufferSize(Self.bufferSize))) != nil { return handle }
        }
        let handle = try EasyHandle()
        try handle.set(.bufferSize(Self.bufferSize))
        return handle
    }

    private func configure(_ handle: EasyHandle, for request: WireRequest) throws(CurlError) {
        try handle.set(.url(request.url.url.text))
        try handle.set(.protocols("http,https,ftp"))
        try handle.set(.followLocation(false))
        try handle.set(.quickExit(true))
        try handle.set(.pathAsIs(true))
        // The head of a reply is the server's; that of a proxy in between would be taken for it.
        try handle.set(.suppressConnectHeaders(true))
        try handle.set(.connectTimeout(milliseconds: request.timeout.connect.wholeMilliseconds))
        if request.offset > 0 { try handle.set(.range(request.offset, request.end.map { $0 - 1 })) }
        switch request.url.origin.scheme {
        case "ftp":
            try handle.set(.fileTime(true))
        default:
            try handle.set(.userAgent(request.userAgent))
            try handle.set(.headers(request.headerLines))
        }
        if case .basic(let user, let password) = request.auth {
            try handle.set(.basicAuth)
            try handle.set(.user(user))
            try handle.set(.password(password))
        }
        if request.url.origin.scheme == "https" {
            try handle.set(.minimumTLS12)
            try handle.set(.preferHTTP2)
            try handle.set(.waitForMultiplexing(true))
            try trust.apply(to: handle, own: request.certificateAuthorities)
        }
    }
}

extension Duration {
    /// Milliseconds, rounded up, at least 1 and at most a day short of libcurl's limit.
    var wholeMilliseconds: Int {
        Int(min(max((seconds * 1000).rounded(.up), 1), 2_000_000_000))
    }
}
