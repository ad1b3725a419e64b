extension SettingsReader {
    private enum AuthKey: String, CaseIterable { case basic, digest, bearer, netrc }

    /// Who asks: exactly one of the ways to say so.
    func auth(_ node: Node) -> RequestFields.Auth? {
        guard let entries = fields.mapping(node, "auth", example: "{bearer: \"${secret:TOKEN}\"}") else { return nil }
        var found: [RequestFields.Auth] = []
        var isWhole = fields.each(entries, of: "`auth`", as: AuthKey.self) { key, entry in
            if let auth = auth(key, entry.value) { found.append(auth) }
        }
        let kinds = entries.filter { AuthKey(rawValue: $0.key) != nil }
        if kinds.count != 1, isWhole {
            fields.faults.error("`auth` wants one of `basic`, `digest`, `bearer` and `netrc`", at: node.place)
            isWhole = false
        }
        return isWhole ? found.first : nil
    }

    private func auth(_ key: AuthKey, _ node: Node) -> RequestFields.Auth? {
        switch key {
        case .basic: password(node, key.rawValue).map { .basic(user: $0.user, password: $0.password) }
        case .digest: password(node, key.rawValue).map { .digest(user: $0.user, password: $0.password) }
        case .bearer: bearer(node)
        case .netrc: netrc(node)
        }
    }

    private func bearer(_ node: Node) -> RequestFields.Auth? {
        guard let token = fields.line(node, "bearer") else { return nil }
        fields.secrets.insert(token)
        return .bearer(token)
    }

    /// `true` for the usual file, else the path of one.
    private func netrc(_ node: Node) -> RequestFields.Auth? {
        guard let text = fields.line(node, "netrc") else { return nil }
        if text == "true" { return .netrc(.init(place: node.place)) }
        guard text != "false" else {
            fields.faults.error(
                "`netrc` wants `true`, or the path of a file; leave `auth` out for none", at: node.place)
            return nil
        }
        return fields.absolutePath(text, in: folder, at: node.place).map { .netrc(.init(file: $0, place: node.place)) }
    }

    private enum PasswordKey: String, CaseIterable { case user, password }

    private func password(_ node: Node, _ name: String) -> (user: String, password: String)? {
        guard let entries = fields.mapping(node, name, example: "{user: me, password: \"${secret:PASSWORD}\"}")
        else { return nil }
        var user: String?
        var password: String?
        var given: Set<PasswordKey> = []
        fields.each(entries, of: "`\(name)`", as: PasswordKey.self) { key, entry in
            given.insert(key)
            switch key {
            case .user: user = fields.line(entry.value, key.rawValue)
            case .password: password = fields.text(entry.value, key.rawValue)
            }
        }
        for key in PasswordKey.allCases where !given.contains(key) {
            fields.faults.error("`\(name)` needs `\(key.rawValue)`", at: node.place)
        }
        guard let user, let password else { return nil }
        // RFC 7617: the first colon ends the user.
        if user.utf8.contains(UInt8(ascii: ":")) {
            fields.faults.error("the user of `\(name)` cannot hold a colon", at: node.place)
            return nil
        }
        if !password.isEmpty { fields.secrets.formUnion([password, Base64.text(Array("\(user):\(password)".utf8))]) }
        return (user, password)
    }
}
