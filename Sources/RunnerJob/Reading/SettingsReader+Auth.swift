extension SettingsReader {
    private enum AuthKey: String, CaseIterable {
        case basic, digest, bearer, netrc
        case signature = "aws_sigv4"
    }

    /// Who asks: exactly one of the ways to say so.
    func auth(_ node: Node) -> RequestFields.Auth? {
        guard let entries = fields.mapping(node, "auth", example: "{bearer: \"${secret:TOKEN}\"}") else { return nil }
        var found: [RequestFields.Auth] = []
        var isWhole = fields.each(entries, of: "`auth`", as: AuthKey.self) { key, entry in
            if let auth = auth(key, entry.value) { found.append(auth) }
        }
        let kinds = entries.filter { AuthKey(rawValue: $0.key) != nil }
        if kinds.count != 1, isWhole {
            fields.faults.error(
                "`auth` wants one of `basic`, `digest`, `bearer`, `netrc` and `aws_sigv4`", at: node.place)
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
        case .signature: signingKey(node).map { .signature($0) }
        }
    }

    private enum SigningKeyPart: String, CaseIterable {
        case region, service
        case accessKey = "access_key"
        case secretKey = "secret_key"
        case sessionToken = "session_token"
    }

    private func signingKey(_ node: Node) -> RequestFields.SigningKey? {
        let name = AuthKey.signature.rawValue
        guard
            let entries = fields.mapping(
                node, name, example: "{region: eu-central-1, access_key: ID, secret_key: \"${secret:KEY}\"}")
        else { return nil }
        var parts: [SigningKeyPart: String] = [:]
        var given: Set<SigningKeyPart> = []
        fields.each(entries, of: "`\(name)`", as: SigningKeyPart.self) { key, entry in
            given.insert(key)
            parts[key] = fields.line(entry.value, key.rawValue)
        }
        for key in [SigningKeyPart.region, .accessKey, .secretKey] where !given.contains(key) {
            fields.faults.error("`\(name)` needs `\(key.rawValue)`", at: node.place)
        }
        for key in [SigningKeyPart.region, .service] {
            // libcurl takes them between colons.
            guard let text = parts[key], text.holds(UInt8(ascii: ":")) else { continue }
            fields.faults.error("`\(key.rawValue)` cannot hold a colon", at: node.place)
            return nil
        }
        guard let region = parts[.region], let access = parts[.accessKey], let secret = parts[.secretKey] else {
            return nil
        }
        fields.secrets.formUnion([secret, parts[.sessionToken]].compactMap { $0 })
        return RequestFields.SigningKey(
            region: region, service: parts[.service] ?? "s3", accessKey: access, secretKey: secret,
            sessionToken: parts[.sessionToken])
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
        if user.holds(UInt8(ascii: ":")) {
            fields.faults.error("the user of `\(name)` cannot hold a colon", at: node.place)
            return nil
        }
        if !password.isEmpty { fields.secrets.formUnion([password, Base64.text(Array("\(user):\(password)".utf8))]) }
        return (user, password)
    }
}
