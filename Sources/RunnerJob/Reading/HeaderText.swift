/// The grammar of header fields (RFC 9110, section 5).
enum HeaderText {
    /// Whether a text can be the name of a field.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Fields that say who asks, so that they belong to one origin.
    static func isCredential(_ name: String) -> Bool {
        ["authorization", "proxy-authorization", "cookie"].contains(name.lowercased())
    }

    /// Fields that steer the transfer itself, so that a job must not set them.
    static func isReserved(_ name: String) -> Bool {
        ["range", "if-range", "content-length", "transfer-encoding", "connection", "te", "upgrade"]
            .contains(name.lowercased())
    }

    /// What must not be printed of the value of a credential field: all of it, and what stands behind its scheme.
    static func secrets(in value: String) -> [String] {
        var secrets = [value]
        if let blank = value.firstIndex(of: " ") { secrets.append(String(value[value.index(after: blank)...])) }
        for pair in value.split(separator: ";") {
            if let equals = pair.firstIndex(of: "=") { secrets.append(String(pair[pair.index(after: equals)...])) }
        }
        return secrets.filter { !$0.isEmpty }
    }
}
