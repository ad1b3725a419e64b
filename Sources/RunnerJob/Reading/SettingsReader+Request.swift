extension SettingsReader {
    /// Reads one of the fields that make up a request, over those that hold without it.
    func readRequest(_ key: TaskKey, _ node: Node, into request: inout RequestSettings) {
        var value = request.value
        switch key {
        case .headers: readHeaders(node, into: &value.headers)
        case .userAgent: value.userAgent = fields.line(node, key.rawValue) ?? value.userAgent
        case .method: value.method = method(node) ?? value.method
        case .body: value.body = body(node) ?? value.body
        case .auth: value.auth = self.auth(node) ?? value.auth
        default: return
        }
        request = RequestSettings(value)
    }

    // MARK: Method and body

    /// A method in capitals (RFC 9110 section 9.1: their case matters); one whose reply has no body is of no use.
    private func method(_ node: Node) -> String? {
        guard let text = fields.line(node, "method") else { return nil }
        let isWord = text.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-") }
        guard isWord else {
            fields.faults.error(
                "`method` wants a method in capitals, such as POST, not \(fields.written(node))", at: node.place)
            return nil
        }
        guard !["HEAD", "CONNECT", "TRACE"].contains(text) else {
            fields.faults.error("the reply to \(text) is no file, so that it cannot be a `method` here", at: node.place)
            return nil
        }
        return text
    }

    private enum BodyKey: String, CaseIterable { case file }

    private func body(_ node: Node) -> RequestFields.Body? {
        guard case .mapping(let entries) = node.content else {
            return fields.value(node, "body").map { .text($0.text, hasSecret: $0.hasSecret) }
        }
        var path: TargetPath?
        let areKnown = fields.each(entries, of: "`body`", as: BodyKey.self) { key, entry in
            path = fields.text(entry.value, key.rawValue).flatMap {
                fields.path($0, in: directory, at: entry.value.place)
            }
        }
        if entries.isEmpty, areKnown { fields.faults.error("`body` wants a text, or `{file: PATH}`", at: node.place) }
        return path.map { .file($0, at: node.place) }
    }

    // MARK: Headers

    /// Names are the server's, so that `x-` has no meaning of its own here.
    func readHeaders(_ node: Node, into headers: inout [HeaderField]) {
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
}

extension String {
    /// The text without blanks and tabs at its ends.
    package func trimmingBlanks() -> String {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 9 || $0 == 10 || $0 == 13 }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
