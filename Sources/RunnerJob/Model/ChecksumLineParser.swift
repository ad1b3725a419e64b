/// Reads one line of a checksum list.
package struct ChecksumLineParser {
    /// What a line is.
    package enum Line {
        /// The bytes of the name are nil for a bare digest, and for `-`, which means what a pipe gave.
        case entry(name: ArraySlice<UInt8>?, Digest)
        /// Blank, or a comment.
        case nothing
        case unreadable
    }

    /// Algorithms that a digest without a tag may be of.
    let untagged: [DigestAlgorithm]

    /// - Parameter listName: tells which algorithm an untagged digest is of, where its length does not.
    package init(listName: String) {
        let name = listName.lowercased()
        if name.contains("blake2s") || name.contains("b2ssum") {
            untagged = [.blake2s]
        } else if name.contains("blake2") || Self.hasWordB2(name) {
            untagged = [.blake2b]
        } else if name.contains("sha3-") || name.contains("sha3_") {
            untagged = [.sha3_256, .sha3_384, .sha3_512]
        } else if name.contains("sha512-256") || name.contains("sha512_256") {
            untagged = [.sha512_256]
        } else {
            untagged = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512]
        }
    }

    /// Whether a word of the name is `b2` or begins with `b2sum`.
    ///
    /// A fetched list has a hash in its name, and `b2` may be two of its digits.
    private static func hasWordB2(_ name: String) -> Bool {
        name.split { !($0.isLetter || $0.isNumber) }.contains { $0 == "b2" || $0.hasPrefix("b2sum") }
    }

    package func parse(_ line: ArraySlice<UInt8>) -> Line {
        var text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        text = text.drop { $0 == 0x20 || $0 == 0x09 }
        // A list that is signed in the clear may have this before any of its lines (RFC 9580 section 7.2).
        if text.starts(with: "- ".utf8) { text = text.dropFirst(2) }
        guard let first = text.first, first != UInt8(ascii: "#") else { return .nothing }
        // GNU marks a line whose name has escapes (sha256sum(1)).
        let isEscaped = first == UInt8(ascii: "\\")
        if isEscaped { text = text.dropFirst() }
        guard let found = tagged(text) ?? plain(text) else { return .unreadable }
        var name = found.name
        if isEscaped, let escaped = name {
            guard let unescaped = Self.unescape(escaped) else { return .unreadable }
            name = unescaped[...]
        }
        let isPipe = name.map { $0.elementsEqual("-".utf8) } ?? true
        return .entry(name: isPipe ? nil : name, found.digest)
    }

    private typealias Found = (name: ArraySlice<UInt8>?, digest: Digest)

    /// `SHA256 (name) = digest`, and OpenSSL's `SHA2-256(name)= digest`.
    private func tagged(_ text: ArraySlice<UInt8>) -> Found? {
        guard let open = text.firstIndex(of: UInt8(ascii: "(")), let close = text.lastIndex(of: UInt8(ascii: ")")),
            open < close
        else { return nil }
        let rest = text[(close + 1)...].drop { $0 == 0x20 }
        guard rest.first == UInt8(ascii: "=") else { return nil }
        let value = Self.trimmed(rest.dropFirst())
        // OpenSSL's name for a pipe, before which versions until 1.1 write no algorithm (openssl-dgst(1)).
        let isPipe = text[open...close].elementsEqual("(stdin)".utf8) && rest.startIndex == close + 1
        if isPipe, open == text.startIndex { return untagged(value).map { (nil, $0) } }
        guard let algorithm = Self.algorithm(tag: text[..<open]) else { return nil }
        if isPipe { return Self.digest(algorithm, value).map { (nil, $0) } }
        guard let digest = Self.digest(algorithm, value) else { return nil }
        return (text[(open + 1)..<close], digest)
    }

    /// `digest  name`, `digest *name`, the one-blank form of BSD, and a digest alone; `sha256:` may stand before it.
    private func plain(_ text: ArraySlice<UInt8>) -> Found? {
        let value = text.prefix { $0 != 0x20 && $0 != 0x09 }
        guard let digest = untagged(value) else { return nil }
        let rest = text[value.endIndex...]
        if Self.trimmed(rest).isEmpty { return (nil, digest) }
        var name = rest.dropFirst()
        if let mark = name.first, mark == 0x20 || mark == UInt8(ascii: "*") { name = name.dropFirst() }
        return name.isEmpty ? nil : (name, digest)
    }

    private func untagged(_ value: ArraySlice<UInt8>) -> Digest? {
        // Base64 counts here only with its padding: else a spoilt SHA-256 in hexadecimal would pass as SHA-384.
        if let colon = value.firstIndex(of: UInt8(ascii: ":")) {
            return Self.algorithm(tag: value[..<colon]).flatMap { Self.digest($0, value[(colon + 1)...]) }
        }
        // As in Subresource Integrity.
        if let dash = value.firstIndex(of: UInt8(ascii: "-")), let algorithm = Self.algorithm(tag: value[..<dash]) {
            return Base64.bytes(value[(dash + 1)...]).flatMap { Digest(algorithm, bytes: $0) }
        }
        let isPadded = value.last == UInt8(ascii: "=")
        for algorithm in untagged where isPadded || value.count == 2 * algorithm.byteCount {
            if let digest = Self.digest(algorithm, value) { return digest }
        }
        return nil
    }

    /// A digest in hexadecimal, or in canonical base64 with its padding (RFC 4648, 4).
    private static func digest(_ algorithm: DigestAlgorithm, _ text: ArraySlice<UInt8>) -> Digest? {
        let bytes = text.count == 2 * algorithm.byteCount ? Hexadecimal.bytes(text) : Base64.bytes(text)
        return bytes.flatMap { Digest(algorithm, bytes: $0) }
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The algorithm of a tag, whatever its case and its dashes.
    static func algorithm(tag: ArraySlice<UInt8>) -> DigestAlgorithm? {
        let tag = String(decoding: tag, as: UTF8.self).lowercased().filter { !" -_/".contains($0) }
        return switch tag {
        case "md5": .md5
        case "sha1": .sha1
        case "sha224", "sha2224": .sha224
        case "sha256", "sha2256": .sha256
        case "sha384", "sha2384": .sha384
        case "sha512", "sha2512": .sha512
        case "sha512256", "sha2512256": .sha512_256
        case "sha3256": .sha3_256
        case "sha3384": .sha3_384
        case "sha3512": .sha3_512
        case "blake2b", "blake2b512": .blake2b
        case "blake2s", "blake2s256": .blake2s
        default: nil
        }
    }

    static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { isSpace($0) }
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return text
    }

    /// A name without its escapes; nil when one is none of GNU's.
    private static func unescape(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
            default: return nil
            }
        }
        return result
    }
}
