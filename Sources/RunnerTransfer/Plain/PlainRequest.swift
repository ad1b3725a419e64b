import RunnerJob

/// The bytes of a request that is so plain that libcurl is not needed to send it: a GET of HTTP/1.1 without proxy, login,
/// cookies and body.
struct PlainRequest {
    /// What connections must have in common so that a request can go over any of them.
    struct Route: Hashable {
        var origin: Origin
        var addressFamily: NetworkFields.AddressFamily
        var interface: String?
        /// By what the server is known, and the client to it; nil without TLS.
        var tls: TLSFields?

        /// Few routes lead to one origin.
        func hash(into hasher: inout Hasher) { hasher.combine(origin) }
    }

    let route: Route
    /// Whether no connection that is there is used.
    let opensConnection: Bool
    let bytes: [UInt8]

    /// nil for a request that is libcurl's.
    init?(_ request: WireRequest, proxy: ProxyChoice) {
        let network = request.network
        guard request.url.origin.isHTTP, proxy == .none, request.method == "GET", !request.isHeadOnly,
            case .none = request.body, case .none = request.cookies, request.naming == nil, request.sendRate == nil,
            network.unixSocket == nil, network.httpVersion == nil || network.httpVersion == .http11,
            Self.hasPlainAuth(request.auth), request.headers.allSatisfy({ Self.isPlain($0) }),
            // A zone is for this machine alone (RFC 6874 section 4).
            !request.url.origin.host.utf8.contains(UInt8(ascii: "%")), let target = Self.target(of: request.wireURL)
        else { return nil }
        route = Route(
            origin: request.url.origin, addressFamily: network.addressFamily, interface: network.interface,
            tls: request.tls)
        opensConnection = request.opensConnection
        bytes = Self.bytes(of: request, target, standardPort: route.tls == nil ? 80 : 443)
    }

    /// A token is a field like others; all else is worked out by libcurl.
    private static func hasPlainAuth(_ auth: RequestFields.Auth?) -> Bool {
        switch auth {
        case .bearer, nil: true
        default: false
        }
    }

    /// Fields that say how the message is to be read, or take the place of what is worked out here.
    private static let special: Set<String> = [
        "connection", "content-length", "cookie", "expect", "host", "http2-settings", "keep-alive", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func isPlain(_ field: HeaderField) -> Bool {
        !special.contains(field.name.lowercased()) && !field.value.utf8.contains { $0 == 0x0D || $0 == 0x0A }
    }

    /// Path and query of a URL (RFC 9112 section 3.2.1); nil where it holds what cannot stand in a request line.
    private static func target(of url: String) -> Substring.UTF8View? {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = url.utf8[colon...].dropFirst("://".utf8.count)
        guard let start = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else {
            return Substring("/").utf8
        }
        let target = rest[start...]
        guard target.first == UInt8(ascii: "/"), target.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") })
        else { return nil }
        return Substring(target).utf8
    }

    /// In the order in which libcurl sends them.
    private static func bytes(
        of request: WireRequest, _ target: Substring.UTF8View, standardPort: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + target.count)
        bytes += "GET ".utf8
        bytes += target
        bytes += " HTTP/1.1\r\nHost: ".utf8
        bytes += request.url.origin.host.utf8
        if request.url.origin.port != standardPort { bytes += ":\(request.url.origin.port)".utf8 }
        if request.offset > 0 || request.end != nil {
            bytes += "\r\nRange: bytes=\(request.offset)-\(request.end.map { String($0 - 1) } ?? "")".utf8
        }
        if !request.userAgent.isEmpty, !request.has("user-agent") {
            bytes += "\r\nUser-Agent: ".utf8
            bytes += request.userAgent.utf8
        }
        if !request.has("accept") { bytes += "\r\nAccept: */*".utf8 }
        for line in request.headerLines {
            bytes += "\r\n".utf8
            // Only a field without a value ends so (`WireRequest.headerLines`).
            let isEmpty = line.utf8.last == UInt8(ascii: ";") && !line.utf8.contains(UInt8(ascii: ":"))
            bytes += isEmpty ? "\(line.dropLast()):".utf8 : line.utf8
        }
        bytes += "\r\n\r\n".utf8
        return bytes
    }
}

extension WireRequest {
    /// What a connection of TLS is made with; nil without it.
    fileprivate var tls: TLSFields? {
        guard url.origin.scheme == "https" else { return nil }
        if isTrusted { return network.tls }
        var fields = TLSFields()
        fields.authorities = network.tls.authorities
        return fields
    }

    /// Whether the job has a field of its own of that name, which is given in lower case.
    fileprivate func has(_ name: String) -> Bool {
        headers.contains { $0.name.lowercased() == name }
    }
}
