/// The grammar of header fields (RFC 9110, section 5).
package enum HeaderText {
    /// Whether a text can be the name of a field.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Whether a text is a media type, with parameters or without (RFC 9110, section 8.3.1).
    static func isMediaType(_ text: String) -> Bool {
        var rest = text[...]
        let type = rest.prefix { $0 != ";" }
        rest = rest[type.endIndex...]
        let names = type.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, isToken(names[0]), isToken(String(names[1]).trimmingBlanks()) else { return false }
        while !rest.isEmpty {
            guard rest.removeFirst() == ";" else { return false }
            rest = rest.drop { $0 == " " }
            let name = rest.prefix { $0 != "=" }
            rest = rest[name.endIndex...]
            guard isToken(name), rest.popFirst() == "=", let value = parameterValue(&rest), !value.isEmpty else {
                return false
            }
            rest = rest.drop { $0 == " " }
        }
        return true
    }

    /// Takes a token or a text in quotes; nil where there is neither.
    private static func parameterValue(_ rest: inout Substring) -> Substring? {
        let start = rest
        guard rest.first == "\"" else {
            let value = rest.prefix { isToken(String($0)) }
            rest = rest[value.endIndex...]
            return value
        }
        rest.removeFirst()
        while let character = rest.popFirst() {
            if character == "\"" { return start[..<rest.startIndex] }
            if character == "\\" { _ = rest.popFirst() }
        }
        return nil
    }

    /// Fields that say who asks, so that they belong to one origin.
    package static func isCredential(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
    }

    /// Fields that steer the transfer itself, so that a job must not set them.
    package static func isReserved(_ name: String) -> Bool {
        ["range", "if-range", "content-length", "transfer-encoding", "connection", "te", "upgrade"]
            .contains(name.lowercased())
    }

    /// What must not be printed of the value of a credential field: all of it, and what stands behind its scheme.
    package static func secrets(in value: String) -> [String] {
        var secrets = [value]
        if let blank = value.firstIndex(of: " ") { secrets.append(String(value[value.index(after: blank)...])) }
        for pair in value.split(separator: ";") {
            if let equals = pair.firstIndex(of: "=") { secrets.append(String(pair[pair.index(after: equals)...])) }
        }
        return secrets.filter { !$0.isEmpty }
    }
}
