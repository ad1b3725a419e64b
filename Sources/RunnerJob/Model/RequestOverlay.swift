/// Which fields of requests one place of a job file gives, by their keys: `auth`, `tls.ca`, `headers.accept`.
///
/// A layer is a whole ``RequestFields`` beside such a list, so that a value that happens to be the standard one still
/// counts as given.
struct RequestOverlay: Sendable {
    private(set) var keys: [String] = []

    var isEmpty: Bool { keys.isEmpty }

    /// Notes the fields that a key of the job file gives; those of a mapping one by one.
    mutating func note(_ key: TaskKey, _ node: Node) {
        switch (key, node.content) {
        case (.headers, .mapping(let entries)), (.tls, .mapping(let entries)), (.ssh, .mapping(let entries)),
            (.redirects, .mapping(let entries)):
            keys += entries.map { "\(key.rawValue).\($0.key.lowercased())" }
        default: keys.append(key.rawValue)
        }
    }

    /// Puts the fields that are given into others.
    ///
    /// - Parameter isShared: whether fields that belong to one origin are taken along.
    func apply(_ fields: RequestFields, to others: inout RequestFields, isShared: Bool) {
        for key in keys {
            if key.hasPrefix("headers.") {
                let name = key.dropFirst("headers.".count)
                guard let field = fields.headers.first(where: { $0.name.lowercased() == name }),
                    isShared || !field.isBound
                else { continue }
                others.headers.removeAll { $0.name.lowercased() == name }
                others.headers.append(field)
            } else if isShared || !Self.bound.contains(key) {
                Self.copies[key]?(fields, &others)
            }
        }
        // Who asks is said once: a field of the same meaning from below would win on the wire.
        if isShared, keys.contains("auth"), !keys.contains("headers.authorization") {
            others.headers.removeAll { $0.name.lowercased() == "authorization" }
        }
    }

    /// The same fields but for those that belong to one origin; a netrc file does not.
    func unbound(_ fields: RequestFields) -> RequestOverlay {
        var keepsAuth = false
        if case .netrc = fields.auth { keepsAuth = true }
        var overlay = self
        overlay.keys.removeAll { Self.bound.contains($0) && !($0 == "auth" && keepsAuth) }
        return overlay
    }

    /// Takes everything out that belongs to one origin.
    static func unbind(_ fields: inout RequestFields) {
        let standard = RequestFields()
        for key in bound { copies[key]?(standard, &fields) }
        fields.headers.removeAll(where: \.isBound)
    }

    /// Fields that say who asks and who must answer.
    private static let bound: Set<String> = [
        "auth", "tls.pin", "tls.cert", "tls.key", "tls.passphrase", "ssh.pin", "ssh.key", "ssh.passphrase",
        "unix_socket",
    ]

    private typealias Copy = @Sendable (RequestFields, inout RequestFields) -> Void

    private static func copy<Value: Sendable>(_ path: any WritableKeyPath<RequestFields, Value> & Sendable) -> Copy {
        { $1[keyPath: path] = $0[keyPath: path] }
    }

    private static func network<Value: Sendable>(
        _ path: any WritableKeyPath<NetworkFields, Value> & Sendable
    ) -> Copy {
        { from, to in
            let value = from.network.value[keyPath: path]
            to.network = to.network.changing { $0[keyPath: path] = value }
        }
    }

    private static let copies: [String: Copy] = [
        "user_agent": copy(\.userAgent), "method": copy(\.method), "body": copy(\.body), "auth": copy(\.auth),
        "proxy": network(\.proxy), "ip": network(\.addressFamily), "http_version": network(\.httpVersion),
        "interface": network(\.interface), "unix_socket": network(\.unixSocket), "min_rate": network(\.minimumRate),
        "cookies": network(\.cookies), "save_cookies": network(\.savedCookies),
        "tls.ca": network(\.tls.authorities), "tls.pin": network(\.tls.pins), "tls.cert": network(\.tls.certificate),
        "tls.key": network(\.tls.key), "tls.passphrase": network(\.tls.passphrase),
        "ssh.known_hosts": network(\.ssh.knownHosts), "ssh.pin": network(\.ssh.pin), "ssh.key": network(\.ssh.key),
        "ssh.passphrase": network(\.ssh.passphrase), "redirects.max": network(\.redirects.max),
        "redirects.downgrade": network(\.redirects.downgrade),
    ]
}
