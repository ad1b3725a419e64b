extension SettingsReader {
    /// Reads one of the fields that make up a request, over those that hold without it.
    func readRequest(_ key: TaskKey, _ node: Node, into request: inout RequestSettings) {
        var headers = request.headers
        var userAgent = request.userAgent
        var auth = request.auth
        var authorities = request.certificateAuthorities
        switch key {
        case .headers: readHeaders(node, into: &headers)
        case .userAgent: userAgent = fields.line(node, key.rawValue) ?? userAgent
        case .auth: auth = self.auth(node) ?? auth
        case .tls: authorities = certificateAuthorities(node) ?? authorities
        default: return
        }
        request = RequestSettings(
            headers: headers, userAgent: userAgent, auth: auth, certificateAuthorities: authorities)
    }

    // MARK: Headers

    /// Names are the server's, so that `x-` has no meaning of its own here.
    private func readHeaders(_ node: Node, into headers: inout [HeaderField]) {
        guard let entries = fields.mapping(node, "headers", example: "{Accept: application/json}") else { return }
        var seen: [String: Place] = [:]
        for entry in entries {
            let name = entry.key.lowercased()
            if let first = seen.updateValue(entry.keyPlace, forKey: name) {
                fields.faults.error(
                    "the header field \(shown(entry.key)) is there twice; their case does not matter",
                    at: entry.keyPlace, notes: [Diagnostic.Note("the first is here", at: first)])
                continue
            }
            guard let field = headerField(entry) else { continue }
            if let index = headers.firstIndex(where: { $0.name.lowercased() == name }) {
                headers[index] = field
            } else {
                headers.append(field)
            }
        }
    }

    private func headerField(_ entry: Node.Entry) -> HeaderField? {
        guard HeaderText.isToken(entry.key) else {
            fields.faults.error("\(shown(entry.key)) is no name of a header field", at: entry.keyPlace)
            return nil
        }
        guard !HeaderText.isReserved(entry.key) else {
            fields.faults.error(
                "the header field `\(entry.key)` steers the transfer and cannot be set", at: entry.keyPlace)
            return nil
        }
        guard let value = fields.value(entry.value, entry.key) else { return nil }
        let text = value.text.trimmingBlanks()
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
            fields.faults.error(
                "a header field cannot hold a line break or another control character", at: entry.value.place)
            return nil
        }
        let isCredential = value.hasSecret || HeaderText.isCredential(entry.key)
        if isCredential { fields.secrets.formUnion(HeaderText.secrets(in: text)) }
        return HeaderField(name: entry.key, value: text, isCredential: isCredential)
    }

    // MARK: Credentials and trust

    private enum AuthKey: String, CaseIterable { case basic, bearer }

    private func auth(_ node: Node) -> RequestSettings.Auth? {
        guard let entries = fields.mapping(node, "auth", example: "{bearer: \"${secret:TOKEN}\"}") else { return nil }
        var found: [RequestSettings.Auth] = []
        var isWhole = fields.each(entries, of: "`auth`", as: AuthKey.self) { key, entry in
            let auth = key == .basic ? basic(entry.value) : bearer(entry.value)
            if let auth { found.append(auth) }
        }
        let kinds = entries.filter { AuthKey(rawValue: $0.key) != nil }
        if kinds.count != 1, isWhole {
            fields.faults.error("`auth` wants one of `basic` and `bearer`", at: node.place)
            isWhole = false
        }
        return isWhole ? found.first : nil
    }

    private func bearer(_ node: Node) -> RequestSettings.Auth? {
        guard let token = fields.line(node, "bearer") else { return nil }
        fields.secrets.insert(token)
        return .bearer(token)
    }

    private enum BasicKey: String, CaseIterable { case user, password }

    private func basic(_ node: Node) -> RequestSettings.Auth? {
        guard let entries = fields.mapping(node, "basic", example: "{user: me, password: \"${secret:PASSWORD}\"}")
        else { return nil }
        var user: String?
        var password: String?
        var given: Set<BasicKey> = []
        fields.each(entries, of: "`basic`", as: BasicKey.self) { key, entry in
            given.insert(key)
            switch key {
            case .user: user = fields.line(entry.value, key.rawValue)
            case .password: password = fields.text(entry.value, key.rawValue)
            }
        }
        for key in BasicKey.allCases where !given.contains(key) {
            fields.faults.error("`basic` needs `\(key.rawValue)`", at: node.place)
        }
        guard let user, let password else { return nil }
        // RFC 7617: the first colon ends the user.
        if user.utf8.contains(UInt8(ascii: ":")) {
            fields.faults.error("the user of `basic` cannot hold a colon", at: node.place)
            return nil
        }
        if !password.isEmpty { fields.secrets.formUnion([password, Base64.text(Array("\(user):\(password)".utf8))]) }
        return .basic(user: user, password: password)
    }

    private enum TLSKey: String, CaseIterable { case ca }

    private func certificateAuthorities(_ node: Node) -> String? {
        guard let entries = fields.mapping(node, "tls", example: "{ca: corporate.pem}") else { return nil }
        var path: String?
        fields.each(entries, of: "`tls`", as: TLSKey.self) { key, entry in
            guard let text = fields.text(entry.value, key.rawValue) else { return }
            path = fields.absolutePath(text, in: folder, at: entry.value.place)
        }
        return path
    }
}

extension String {
    /// The text without blanks and tabs at its ends.
    func trimmingBlanks() -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
