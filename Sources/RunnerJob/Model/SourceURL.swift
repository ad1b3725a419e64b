/// A URL that a task asks for: percent-encoded, its host in ASCII, without fragment and user info.
public struct SourceURL: Hashable, Sendable {
    /// What goes on the wire; compared byte for byte.
    public let url: ExactText
    /// Where it stands in the job file.
    public let place: Place
    private let server: SharedValue<Server>

    /// What URLs have in common that begin alike; thousands of one server hold it once.
    private struct Server: Hashable {
        var origin: Origin
        var credentials: Credentials?
        var rewritten: RewrittenURL?
    }

    public init(
        url: String, origin: Origin, credentials: Credentials? = nil, rewritten: RewrittenURL? = nil, place: Place
    ) {
        self.url = ExactText(url)
        self.place = place
        server = SharedValue(Server(origin: origin, credentials: credentials, rewritten: rewritten))
    }

    /// Another URL of the same server, with the same credentials.
    init(url: String, besides other: SourceURL, place: Place) {
        self.url = ExactText(url)
        self.place = place
        server = other.server
    }

    public var origin: Origin { server.value.origin }
    /// User and password that stood in the URL, decoded.
    public var credentials: Credentials? { server.value.credentials }
    /// What stands in the job file, where `hosts` says to ask elsewhere.
    public var rewritten: RewrittenURL? { server.value.rewritten }

    /// Whose the credentials are that a task names beside the URL: the origin that stands in the job file.
    public var owner: Origin { rewritten?.origin ?? origin }

    /// Whether it is asked for where the job file says.
    public var isOwn: Bool { owner == origin }

    public struct Credentials: Hashable, Sendable {
        public var user: String
        public var password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }
}

/// Scheme, host and port: what a credential, a cap and a wait belong to (RFC 6454).
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public var scheme: String
    /// Lower case; IPv6 addresses in brackets.
    public var host: String
    public var port: Int

    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether credentials meant for it may go to another origin: only to itself, or from http on port 80 to https on
    /// port 443 of the same host.
    public func sharesCredentials(with other: Origin) -> Bool {
        if self == other { return true }
        return host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443
    }

    /// Whether HTTP is spoken there, over TLS or not.
    public var isHTTP: Bool { scheme == "http" || scheme == "https" }

    public var description: String { "\(scheme)://\(host):\(port)" }
}
