import LibCurl
import RunnerJob

/// Handles of libcurl for the requests of an engine.
///
/// Belongs to the network thread.
final class HandlePool {
    private let environment: NetworkEnvironment
    /// Handles that have done their work; a new one costs more than a reset.
    private var spare: [SpareHandle] = []
    private static let spareLimit = 64
    /// What a handle needs to open a connection, for which no body comes in.
    private static let connectingBuffer = 16 << 10

    init(environment: NetworkEnvironment) {
        self.environment = environment
    }

    /// A handle for a request, with all its options set, and the proxy that is asked.
    func handle(
        for request: WireRequest, _ payload: RequestPayload, bufferSize: Int, setup: HandleSetup?
    ) throws(CurlError) -> (EasyHandle, ProxyServer?) {
        if let setup, let last = spare.last, last.setup == setup {
            spare.removeLast()
            try last.handle.prepareAgain(url: request.wireURL)
            return (last.handle, last.proxy)
        }
        let handle = try takeHandle(bufferSize: bufferSize)
        let proxy = try setUp(handle, for: request, payload)
        return (handle, proxy)
    }

    /// A handle that opens a connection for a request, and does nothing else.
    func connector(for request: WireRequest) throws(CurlError) -> EasyHandle {
        let handle = try takeHandle(bufferSize: Self.connectingBuffer)
        _ = try setUp(handle, for: request, .none)
        try handle.set(.connectOnly)
        // What goes over the connection then is HTTP/1.1, and TLS has to agree on that (RFC 7301).
        try handle.set(.onlyHTTP11)
        return handle
    }

    /// A handle has done its work.
    ///
    /// - Parameter setup: what it can do again; nil where its options are to be set anew.
    func giveBack(_ handle: EasyHandle, setup: HandleSetup? = nil, proxy: ProxyServer? = nil) {
        guard spare.count < Self.spareLimit else { return }
        spare.append(SpareHandle(handle: handle, setup: setup, proxy: proxy))
    }

    /// Who would be asked instead of the server.
    func proxy(of request: WireRequest) -> ProxyChoice {
        environment.proxy(of: request.network, for: request.url.origin.scheme)
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
