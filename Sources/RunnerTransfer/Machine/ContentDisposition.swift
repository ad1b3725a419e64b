internal import RunnerJob

/// Reads the file name out of a Content-Disposition field (RFC 6266, with the extended values of RFC 8187).
enum ContentDisposition {
    /// A name that is safe as that of one file; nil where the field gives none, so that the URL has the word.
    ///
    /// Only what the standard forbids and nobody means is refused: blanks in a value without quotes are taken along, as
    /// browsers do. A name with a slash is no name but an attempt, one that begins with a dot would be hidden, and no disk
    /// takes one of more than 255 bytes.
    static func fileName(_ field: some Collection<UInt8>) -> String? {
        var scanner = Scanner(rest: Array(field)[...])
        guard scanner.type() else { return nil }
        var plain: String?
        var extended: String?
        while let parameter = scanner.parameter() {
            switch parameter.name {
            // The first one counts; two are a fault of the server.
            case "filename": plain = plain ?? text(parameter.value)
            case "filename*" where !parameter.isQuoted: extended = extended ?? self.extended(parameter.value)
            default: continue
            }
        }
        return [extended, plain].lazy.compactMap { $0.flatMap(safe) }.first
    }

    /// UTF-8 where it is that, else ISO 8859-1, which RFC 9110, section 5.5, says fields once were.
    private static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// `charset'language'percent-encoded` (RFC 8187, section 3.2.1).
    private static func extended(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var bytes: [UInt8] = []
        var rest = parts[2]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = Hexadecimal.bytes(rest.prefix(2)) else { return nil }
            bytes += decoded
            rest = rest.dropFirst(2)
        }
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return latin1(bytes)
        default: return nil
        }
    }

    private static func safe(_ name: String) -> String? {
        // What stands before a backslash is a folder of another system.
        let last =
            name.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false).last.map { String($0) } ?? ""
        let trimmed = last.drop { $0 == " " }
        let end = trimmed.lastIndex { $0 != " " }
        let plain = end.map { String(trimmed[...$0]) } ?? ""
        let isBad = plain.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        return plain.isEmpty || isBad || plain.hasPrefix(".") || plain.utf8.count > FileName.ceiling ? nil : plain
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        struct Parameter {
            var name: String
            var value: [UInt8]
            var isQuoted: Bool
        }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func isToken(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
        }

        /// Takes the disposition itself, whichever it is; false where there is none.
        mutating func type() -> Bool {
            rest = rest.drop(while: Self.isBlank)
            let token = rest.prefix(while: Self.isToken)
            rest = rest[token.endIndex...].drop(while: Self.isBlank)
            return !token.isEmpty && (rest.isEmpty || rest.first == UInt8(ascii: ";"))
        }

        /// The next parameter that can be read; nil at the end.
        mutating func parameter() -> Parameter? {
            while rest.first == UInt8(ascii: ";") {
                rest = rest.dropFirst().drop(while: Self.isBlank)
                let name = rest.prefix(while: Self.isToken)
                rest = rest[name.endIndex...].drop(while: Self.isBlank)
                guard !name.isEmpty, rest.first == UInt8(ascii: "=") else {
                    skip()
                    continue
                }
                rest = rest.dropFirst().drop(while: Self.isBlank)
                let lowered = String(decoding: name, as: UTF8.self).lowercased()
                guard rest.first == UInt8(ascii: "\"") else {
                    return Parameter(name: lowered, value: bare(), isQuoted: false)
                }
                if let value = quoted() { return Parameter(name: lowered, value: value, isQuoted: true) }
            }
            return nil
        }

        /// Everything up to the next `;`.
        private mutating func bare() -> [UInt8] {
            var value = rest.prefix { $0 != UInt8(ascii: ";") }
            rest = rest[value.endIndex...]
            while let last = value.last, Self.isBlank(last) { value = value.dropLast() }
            return Array(value)
        }

        /// A quoted text (RFC 9110, section 5.6.4); nil where it does not end, or goes on behind its end.
        private mutating func quoted() -> [UInt8]? {
            rest = rest.dropFirst()
            var value: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""):
                    rest = rest.drop(while: Self.isBlank)
                    if rest.isEmpty || rest.first == UInt8(ascii: ";") { return value }
                    skip()
                    return nil
                case UInt8(ascii: "\\"):
                    if let escaped = rest.popFirst() { value.append(escaped) }
                default: value.append(byte)
                }
            }
            return nil
        }

        /// Passes over what cannot be read, up to the next `;` outside of quotes.
        private mutating func skip() {
            var isInQuotes = false
            while let byte = rest.first, isInQuotes || byte != UInt8(ascii: ";") {
                if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
                rest = rest.dropFirst()
            }
        }
    }
}
