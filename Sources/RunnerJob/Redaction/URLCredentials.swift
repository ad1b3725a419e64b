/// Finds what gives access in URLs: user info, and query values whose names say so.
enum URLCredentials {
    /// Looks at every URL that a text quotes, and at queries that stand there without their URL.
    static func findAll(in text: [UInt8], _ edits: inout Edits) {
        findUserInfo(in: text, &edits)
        findFields(in: text, end: \.endsQuotedField, &edits)
    }

    /// Looks at a text that is one URL, and at URLs in its query.
    static func find(in text: [UInt8], _ edits: inout Edits) {
        findUserInfo(in: text, &edits)
        findFields(in: text, end: \.endsField, &edits)
    }

    /// Masks what stands between each `://` and the last `@` before the path (RFC 3986, 3.2).
    private static func findUserInfo(in text: [UInt8], _ edits: inout Edits) {
        var position = 0
        // The end of the last URL that was looked through and its last `@`; looked for once, however often `://` is in it.
        var whole: (end: Int, at: Int?) = (0, nil)
        while let colon = text[position...].firstIndex(of: UInt8(ascii: ":")) {
            position = colon + 1
            guard text[position...].starts(with: "//".utf8) else { continue }
            let start = position + 2
            let authority = text[start...].prefix { !$0.endsAuthority && !$0.endsQuotedURL }
            var at = authority.lastIndex(of: UInt8(ascii: "@"))
            // Where it has no port that can be read, the `@` may stand behind a delimiter in the password.
            if at == nil, hasUnreadablePort(authority) {
                if whole.end <= start {
                    let url = text[start...].prefix { !$0.endsQuotedURL }
                    whole = (url.endIndex, url.lastIndex(of: UInt8(ascii: "@")))
                }
                at = whole.at.flatMap { $0 >= start ? $0 : nil }
            }
            if let at { edits.mask(start..<at) }
        }
    }

    private static func hasUnreadablePort(_ authority: ArraySlice<UInt8>) -> Bool {
        guard authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")) else {
            return false
        }
        return !authority[(colon + 1)...].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Masks the value of each `?name=value`, `&name=value`, `;name=value` and `#name=value` that is a credential.
    private static func findFields(
        in text: [UInt8], end endsValue: (UInt8) -> Bool, _ edits: inout Edits
    ) {
        var position = 0
        while let separator = text[position...].firstIndex(where: \.separatesFields) {
            position = separator + 1
            let field = text[position...].prefix { !endsValue($0) }
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            position = equals + 1
            guard CredentialName.matches(field[..<equals]) else { continue }
            if !isMasked(field[position...]) { edits.mask(position..<field.endIndex) }
            position = field.endIndex
        }
    }

    /// Whether a value was masked before, with nothing behind it but what ends a clause of a sentence.
    private static func isMasked(_ value: ArraySlice<UInt8>) -> Bool {
        value.starts(with: Redactor.mask.utf8) && value.dropFirst(3).allSatisfy { ")].,;:".utf8.contains($0) }
    }
}

/// Tells by the name of a query field whether its value gives access.
enum CredentialName {
    /// Words that, as a part of the name, say that the value is a credential.
    private static let words: Set<String> = [
        "token", "tokens", "key", "keys", "sig", "signature", "secret", "secrets", "password", "passwd", "passphrase",
        "pwd", "pass", "auth", "authorization", "credential", "credentials", "jwt", "hmac",
    ]
    /// Words before the last one in names that are written without a separator, such as `apikey`.
    private static let prefixes: Set<String> = [
        "api", "access", "auth", "app", "application", "client", "oauth", "private", "public", "refresh", "secret",
        "session", "shared", "sas", "sign", "signing", "user", "id", "my", "the", "download", "license", "licence",
        "security", "bearer", "csrf", "xsrf", "http", "basic", "login", "account", "admin", "master", "encryption",
    ]

    static func matches(_ name: ArraySlice<UInt8>) -> Bool {
        let name = decoded(name)
        let lowered = name.map(\.asciiLowercased)
        if lowered.starts(with: "x-amz-".utf8) || lowered.starts(with: "x-goog-".utf8) { return true }
        return parts(of: name).contains(where: isCredentialWord)
    }

    private static func isCredentialWord(_ part: String) -> Bool {
        if words.contains(part) { return true }
        return words.contains { word in
            guard part.hasSuffix(word) else { return false }
            return prefixes.contains(String(part.dropLast(word.count)))
        }
    }

    /// The words of a name in lower case: `AWSAccessKeyId` is `aws`, `access`, `key`, `id`.
    private static func parts(of name: [UInt8]) -> [String] {
        var parts: [[UInt8]] = [[]]
        for (index, byte) in name.enumerated() {
            guard byte.isASCIILetter else {
                parts.append([])
                continue
            }
            let isUpper = byte & 0x20 == 0
            let followsLower = index > 0 && name[index - 1].isASCIILetter && name[index - 1] & 0x20 != 0
            let precedesLower =
                index + 1 < name.count && name[index + 1].isASCIILetter && name[index + 1] & 0x20 != 0
            if isUpper, followsLower || precedesLower { parts.append([]) }
            parts[parts.count - 1].append(byte.asciiLowercased)
        }
        return parts.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func decoded(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var position = name.startIndex
        while position < name.endIndex {
            if name[position] == UInt8(ascii: "%"), position + 2 < name.endIndex,
                let high = name[position + 1].hexValue, let low = name[position + 2].hexValue
            {
                bytes.append(high << 4 | low)
                position += 3
            } else {
                bytes.append(name[position])
                position += 1
            }
        }
        return bytes
    }
}

/// Finds the values of header fields that carry credentials, where a text quotes a header.
enum HeaderCredentials {
    private static let names = ["authorization:", "cookie:"].map { Array($0.utf8) }

    static func find(in text: [UInt8], _ edits: inout Edits) {
        for colon in text.indices where text[colon] == UInt8(ascii: ":") {
            let isCredential = names.contains { name in
                colon + 1 >= name.count
                    && zip(text[(colon + 1 - name.count)...colon], name).allSatisfy { $0.asciiLowercased == $1 }
            }
            guard isCredential else { continue }
            let value = text[(colon + 1)...].prefix { $0 != 10 && $0 != 13 }.drop { $0 == 0x20 || $0 == 0x09 }
            edits.mask(value.startIndex..<value.endIndex)
        }
    }
}

extension UInt8 {
    /// Whether a URL that is quoted in a text ends before the byte.
    fileprivate var endsQuotedURL: Bool {
        switch self {
        case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "`"):
            true
        default: false
        }
    }

    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }

    /// Whether a value ends before the byte; some servers end it at `;` too, others take that as a part of it.
    fileprivate var endsField: Bool { self == UInt8(ascii: "&") || self == UInt8(ascii: "#") }

    /// Whether a value in a query that is quoted in a text ends before the byte.
    fileprivate var endsQuotedField: Bool { endsField || endsQuotedURL }

    fileprivate var separatesFields: Bool {
        switch self {
        case UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "?"), UInt8(ascii: "#"): true
        default: false
        }
    }
}
