internal import LibCurl

extension SettingsReader {
    /// Reads one of the fields that say how a server is reached, over those that hold without it.
    func readNetwork(_ key: TaskKey, _ node: Node, into request: inout RequestSettings) {
        var value = request.network.value
        let name = key.rawValue
        switch key {
        case .proxy: value.proxy = proxy(node) ?? value.proxy
        case .tls: readTLS(node, into: &value.tls)
        case .ssh: readSSH(node, into: &value.ssh)
        case .cookies: value.cookies = file(node, name) ?? value.cookies
        case .saveCookies: value.savedCookies = file(node, name) ?? value.savedCookies
        case .ip: value.addressFamily = fields.choice(node, name) ?? value.addressFamily
        case .httpVersion: value.httpVersion = httpVersion(node) ?? value.httpVersion
        case .interface: value.interface = fields.line(node, name) ?? value.interface
        case .unixSocket: value.unixSocket = unixSocket(node) ?? value.unixSocket
        case .redirects: readRedirects(node, into: &value.redirects)
        case .minRate: value.minimumRate = fields.rate(node, name) ?? value.minimumRate
        default: return
        }
        guard value != request.network.value else { return }
        request = request.changing { $0.network = NetworkSettings(value) }
    }

    /// The absolute path of a file that configures.
    private func file(_ node: Node, _ name: String) -> String? {
        fields.text(node, name).flatMap { fields.absolutePath($0, in: folder, at: node.place) }
    }

    // MARK: The way

    private func proxy(_ node: Node) -> NetworkFields.Proxy? {
        guard let text = fields.line(node, "proxy") else { return nil }
        if text == "none" { return NetworkFields.Proxy.none }
        do throws(ProxyFault) {
            let server = try ProxyServer(text)
            if let own = server.credentials {
                fields.secrets.formUnion([own.password, own.user].filter { !$0.isEmpty }.prefix(1))
                fields.secrets.insert(Base64.text(Array("\(own.user):\(own.password)".utf8)))
            }
            return .server(server)
        } catch {
            fields.faults.error(error.description, at: node.place)
            return nil
        }
    }

    private func httpVersion(_ node: Node) -> NetworkFields.HTTPVersion? {
        guard let version: NetworkFields.HTTPVersion = fields.choice(node, "http_version") else { return nil }
        if version == .http3, !CurlLibrary.has(.http3) {
            fields.faults.error("this libcurl (\(CurlLibrary.version)) was built without HTTP/3", at: node.place)
            return nil
        }
        if version == .http2, !CurlLibrary.has(.http2) {
            fields.faults.error("this libcurl (\(CurlLibrary.version)) was built without HTTP/2", at: node.place)
            return nil
        }
        return version
    }

    /// The longest path that the address of a socket holds is 107 bytes (unix(7)).
    private func unixSocket(_ node: Node) -> String? {
        guard let path = file(node, "unix_socket") else { return nil }
        guard CurlLibrary.has(.unixSockets) else {
            fields.faults.error("this libcurl (\(CurlLibrary.version)) was built without unix sockets", at: node.place)
            return nil
        }
        guard path.utf8.count <= 107 else {
            fields.faults.error("the path of a unix socket has at most 107 bytes", at: node.place)
            return nil
        }
        return path
    }

    private enum RedirectKey: String, CaseIterable { case max, downgrade }

    private func readRedirects(_ node: Node, into redirects: inout NetworkFields.Redirects) {
        guard let entries = fields.mapping(node, "redirects", example: "{max: 5}") else { return }
        fields.each(entries, of: "`redirects`", as: RedirectKey.self) { key, entry in
            switch key {
            case .max: redirects.max = fields.integer(entry.value, key.rawValue, in: 0...100) ?? redirects.max
            case .downgrade: redirects.downgrade = fields.boolean(entry.value, key.rawValue) ?? redirects.downgrade
            }
        }
    }

    // MARK: Trust

    private enum TLSKey: String, CaseIterable { case ca, pin, cert, key, passphrase }

    private func readTLS(_ node: Node, into tls: inout TLSFields) {
        guard let entries = fields.mapping(node, "tls", example: "{ca: corporate.pem}") else { return }
        fields.each(entries, of: "`tls`", as: TLSKey.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .ca: tls.authorities = file(value, name) ?? tls.authorities
            case .cert: tls.certificate = file(value, name) ?? tls.certificate
            case .key: tls.key = file(value, name) ?? tls.key
            case .passphrase: tls.passphrase = passphrase(value) ?? tls.passphrase
            case .pin:
                let given = fields.checks(value, name).flatMap { pins($0) }
                if !given.isEmpty { tls.pins = given }
            }
        }
        if tls.certificate == nil, tls.key != nil || tls.passphrase != nil {
            fields.faults.error("`tls` has a key, but no `cert` that it belongs to", at: node.place)
        }
    }

    private func passphrase(_ node: Node) -> String? {
        guard let text = fields.line(node, "passphrase") else { return nil }
        fields.secrets.insert(text)
        return text
    }

    /// Pins as curl writes them: `sha256//` and the base64 of 32 bytes, several parted by `;`.
    private func pins(_ node: Node) -> [String] {
        guard let text = fields.line(node, "pin") else { return [] }
        let pins = text.split(separator: ";").map { String($0).trimmingBlanks() }
        let areGood = pins.allSatisfy { pin in
            pin.hasPrefix("sha256//") && Base64.bytes(pin.utf8.dropFirst(8))?.count == 32
        }
        guard areGood, !pins.isEmpty else {
            fields.faults.error(
                "a `pin` is sha256// and the base64 of a public key's SHA-256 (44 characters); several are parted by `;`",
                at: node.place)
            return []
        }
        return pins
    }

    private enum SSHKey: String, CaseIterable {
        case knownHosts = "known_hosts"
        case pin, key, passphrase
    }

    private func readSSH(_ node: Node, into ssh: inout SSHFields) {
        guard let entries = fields.mapping(node, "ssh", example: "{known_hosts: hosts}") else { return }
        fields.each(entries, of: "`ssh`", as: SSHKey.self) { key, entry in
            switch key {
            case .knownHosts: ssh.knownHosts = file(entry.value, key.rawValue) ?? ssh.knownHosts
            case .pin: ssh.pin = hostKeyPin(entry.value) ?? ssh.pin
            case .key: ssh.key = file(entry.value, key.rawValue) ?? ssh.key
            case .passphrase: ssh.passphrase = passphrase(entry.value) ?? ssh.passphrase
            }
        }
    }

    /// A host key as `ssh-keygen -l` shows it, `SHA256:` and 43 characters, or in the form of `tls.pin`.
    private func hostKeyPin(_ node: Node) -> String? {
        guard let text = fields.line(node, "pin") else { return nil }
        for prefix in ["SHA256:", "sha256//"] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(prefix.count)
            let bare = digits.hasSuffix("=") ? digits.dropLast() : digits
            if Base64.bytes((bare + "=").utf8)?.count == 32 { return String(bare) }
        }
        fields.faults.error(
            "a host key's `pin` is SHA256: and 43 characters, as `ssh-keygen -l -f ssh_host_ed25519_key.pub` shows it",
            at: node.place)
        return nil
    }
}
