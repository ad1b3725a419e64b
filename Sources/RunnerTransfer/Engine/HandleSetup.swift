import LibCurl
import RunnerJob
import RunnerPlan

/// What the options of a request say beside its URL, where it has neither body nor credentials, cookies or range.
///
/// Most requests of a job to one server are alike but for the URL. To set all options anew takes as long as all that
/// libcurl does to send such a request. A class, since it goes from handle to exchange and back.
final class HandleSetup: Equatable {
    private let origin: Origin
    private let method: String
    private let userAgent: String
    private let headers: [HeaderField]
    private let condition: RevalidationValidators?
    private let bypassesCaches: Bool
    private let isHeadOnly: Bool
    private let isTrusted: Bool
    private let connectTimeout: Duration
    private let network: NetworkSettings
    private let bufferSize: Int

    /// nil for any other request.
    init?(_ request: WireRequest, bufferSize: Int) {
        guard request.url.origin.isHTTP, request.auth == nil, case .none = request.body, case .none = request.cookies,
            request.offset == 0, request.end == nil, request.ifRange == nil, request.naming == nil,
            request.sendRate == nil, !request.opensConnection
        else { return nil }
        origin = request.url.origin
        method = request.method
        userAgent = request.userAgent
        headers = request.headers
        condition = request.condition
        bypassesCaches = request.bypassesCaches
        isHeadOnly = request.isHeadOnly
        isTrusted = request.isTrusted
        connectTimeout = request.timeout.connect
        network = request.network
        self.bufferSize = bufferSize
    }

    static func == (left: HandleSetup, right: HandleSetup) -> Bool {
        // The settings of the way are shared by all tasks that say the same, and are not compared in depth.
        left.network === right.network && left.origin == right.origin && left.method == right.method
            && left.userAgent == right.userAgent && left.headers == right.headers
            && left.condition == right.condition && left.bypassesCaches == right.bypassesCaches
            && left.isHeadOnly == right.isHeadOnly && left.isTrusted == right.isTrusted
            && left.connectTimeout == right.connectTimeout && left.bufferSize == right.bufferSize
    }
}

/// A handle that has done its work.
struct SpareHandle {
    var handle: EasyHandle
    /// What it can do again with another URL; nil where its options are to be set anew.
    var setup: HandleSetup?
    /// The proxy that goes with that.
    var proxy: ProxyServer?
}
