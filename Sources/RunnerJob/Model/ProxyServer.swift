internal import LibCurl

/// A proxy that requests go through.
public struct ProxyServer: Hashable, Sendable {
    public enum Scheme: String, CaseIterable, Sendable {
        case http, https
        /// The proxy looks names up with `socks4a` and `socks5h`, this machine with the other two.
        case socks4, socks4a, socks5, socks5h
    }

    public let scheme: Scheme
    /// IPv6 addresses in brackets.
    public let host: String
    public let port: Int
    public let credentials: SourceURL.Credentials?

    /// Without user and password.
    public var url: String { "\(scheme.rawValue)://\(host):\(port)" }

    /// Reads a proxy as a job file names it.
    ///
    /// - Throws: ``ProxyFault``; the text itself is not part of it, as it may hold a password.
    public init(_ text: String) throws(ProxyFault) {
        guard let colon = text.firstRange(of: "://"), !text.hasPrefix("://") else { throw .noScheme }
        guard let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased()) else {
            throw .unknownScheme(String(text[..<colon.lowerBound]))
        }
        try self.init(text, scheme: scheme)
    }

    /// Reads a proxy as the environment names it: without a scheme it is http (curl(1), `--proxy`).
    ///
    /// nil for what cannot be read.
    public init?(environment text: String) {
        let whole = text.contains("://") ? text : "http://" + text
        let scheme = whole.prefix { $0 != ":" }.lowercased()
        guard let kind = scheme == "socks" ? .socks4 : Scheme(rawValue: scheme),
            let server = try? ProxyServer(whole, scheme: kind, standardPort: kind == .https ? 443 : 1080)
        else { return nil }
        self = server
    }

    private init(_ text: String, scheme: Scheme, standardPort: Int? = nil) throws(ProxyFault) {
        let pieces: Pieces
        do throws(URLError) {
            pieces = try Pieces(text)
        } catch {
            throw .malformed
        }
        // libcurl takes port 1080 for an HTTP proxy without one, which surprises; a job has to say it.
        let own = scheme == .https ? 443 : scheme == .http ? nil : 1080
        guard let port = pieces.port ?? standardPort ?? own else { throw .noPort }
        guard pieces.isProxy else { throw .malformed }
        self.scheme = scheme
        self.port = port
        host = pieces.host
        credentials = pieces.credentials
    }

    /// What libcurl's URL API makes of the text.
    private struct Pieces {
        var host: String
        var port: Int?
        var credentials: SourceURL.Credentials?
        /// Whether there is a host and nothing behind host and port.
        var isProxy: Bool

        init(_ text: String) throws(URLError) {
            let parts = try URLParts(text)
            host = (try parts.text(.host, .punycode) ?? "").lowercased()
            port = try parts.text(.port).flatMap { Int($0) }
            let user = try parts.text(.user, .decoded)
            let password = try parts.text(.password, .decoded)
            if user != nil || password != nil { credentials = .init(user: user ?? "", password: password ?? "") }
            let path = try parts.text(.path) ?? ""
            let query = try parts.text(.query)
            let fragment = try parts.text(.fragment)
            isProxy = !host.isEmpty && (path.isEmpty || path == "/") && query == nil && fragment == nil
        }
    }
}

/// Why a text is no proxy.
public enum ProxyFault: Error, Hashable, Sendable, CustomStringConvertible {
    case noScheme
    case unknownScheme(String)
    case noPort
    case malformed

    public var description: String {
        switch self {
        case .noScheme: "a proxy is written with its scheme, such as http://proxy.example.org:3128, or `none`"
        case .unknownScheme(let scheme):
            "a proxy cannot have the scheme \(shown(scheme)); http, https, socks4, socks4a, socks5 and socks5h can"
        case .noPort: "the proxy has no port; write it, such as http://proxy.example.org:3128"
        case .malformed: "the proxy cannot be read; write scheme://[user:password@]host:port"
        }
    }
}
