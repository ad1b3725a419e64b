/// Digests in a checksum list that one line alone does not tell.
///
/// `gpg --print-md` writes a digest in groups over several lines, behind the name of the file; Debian's Release and
/// source control files (deb-src-control(5)) have sections for each algorithm with digest, size and name in a line.
package struct ChecksumBlocks {
    /// A digest and the name it is of; nil for what a pipe gave.
    package typealias Entry = (name: ArraySlice<UInt8>?, digest: Digest)

    /// What a line is.
    package enum Line {
        /// None of these forms.
        case other
        /// Part of one, which further lines may go on with.
        case part
        /// One whole.
        case entry(Entry)
    }

    private enum Phase {
        case outside
        /// Below the heading of a section.
        case section(DigestAlgorithm)
        /// Behind the first line of a digest in groups.
        case groups(Groups)
    }

    private struct Groups {
        var name: ArraySlice<UInt8>?
        /// nil where the length says it.
        var algorithm: DigestAlgorithm?
        var digits: [UInt8]
    }

    /// Algorithms that a digest without a name of its own may be of.
    private let untagged: [DigestAlgorithm]
    private var phase = Phase.outside

    package init(_ parser: ChecksumLineParser) {
        untagged = parser.untagged
    }

    /// Takes a line before it is read as a line of its own, which it may look like.
    package mutating func take(_ line: ArraySlice<UInt8>) -> Line {
        switch phase {
        case .groups(var groups):
            // Below a name that is too long the digits begin at the left.
            guard line.first == 0x20 || groups.digits.isEmpty, let digits = Self.digits(line), !digits.isEmpty else {
                break
            }
            groups.digits += digits
            phase = .groups(groups)
            return .part
        case .section(let algorithm):
            if line.first == 0x20, let entry = Self.sized(line, algorithm) { return .entry(entry) }
            phase = .outside
        case .outside: break
        }
        guard let algorithm = Self.heading(line) else { return .other }
        phase = .section(algorithm)
        return .part
    }

    /// Takes a line that is no entry of its own; ``end()`` has to be asked before.
    package mutating func begin(_ line: ArraySlice<UInt8>) -> Line {
        guard let groups = Self.start(line) else { return .other }
        phase = .groups(groups)
        return .part
    }

    /// The entry that ends where no further line goes on with it; nil for none, or one that is not whole.
    package mutating func end() -> Entry? {
        guard case .groups(let groups) = phase else { return nil }
        phase = .outside
        let algorithms = groups.algorithm.map { [$0] } ?? untagged
        guard let algorithm = algorithms.first(where: { 2 * $0.byteCount == groups.digits.count }),
            let digest = Hexadecimal.bytes(groups.digits).flatMap({ Digest(algorithm, bytes: $0) })
        else { return nil }
        return (groups.name, digest)
    }

    // MARK: Groups

    /// `NAME: DIGITS…`, `NAME: ALGORITHM = DIGITS…`, or digits in groups alone.
    private static func start(_ line: ArraySlice<UInt8>) -> Groups? {
        if let digits = digits(line), !digits.isEmpty { return Groups(name: nil, algorithm: nil, digits: digits) }
        guard let colon = line.lastIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
        var rest = line[(colon + 1)...]
        var algorithm: DigestAlgorithm?
        if let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            guard let tag = ChecksumLineParser.algorithm(tag: rest[..<equals]) else { return nil }
            algorithm = tag
            rest = rest[(equals + 1)...]
        }
        return digits(rest).map { Groups(name: line[..<colon], algorithm: algorithm, digits: $0) }
    }

    /// The digits of a line of nothing but groups of them, of which none is longer than eight.
    private static func digits(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let groups = line.split(whereSeparator: ChecksumLineParser.isSpace)
        let areDigits = groups.allSatisfy { $0.count <= 8 && $0.allSatisfy { Hexadecimal.value($0) != nil } }
        return areDigits ? Array(groups.joined()) : nil
    }

    // MARK: Sections

    /// `SHA256:` and `Checksums-Sha256:`; `Files:` has MD5.
    private static func heading(_ line: ArraySlice<UInt8>) -> DigestAlgorithm? {
        let text = ChecksumLineParser.trimmed(line)
        guard text.last == UInt8(ascii: ":"), line.first != 0x20 else { return nil }
        var name = String(decoding: text.dropLast(), as: UTF8.self).lowercased()
        if name == "files" || name == "md5sum" { return .md5 }
        if name.hasPrefix("checksums-") { name.removeFirst("checksums-".count) }
        return ChecksumLineParser.algorithm(tag: Array(name.utf8)[...])
    }

    /// ` DIGEST SIZE NAME`; in `Files` of a changes file two more words stand before the name.
    private static func sized(_ line: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm) -> Entry? {
        let words = line.split(whereSeparator: ChecksumLineParser.isSpace)
        guard words.count == 3 || words.count == 5, words[0].count == 2 * algorithm.byteCount,
            words[1].allSatisfy({ 0x30...0x39 ~= $0 }), let name = words.last,
            let digest = Hexadecimal.bytes(words[0]).flatMap({ Digest(algorithm, bytes: $0) })
        else { return nil }
        return (name, digest)
    }
}
