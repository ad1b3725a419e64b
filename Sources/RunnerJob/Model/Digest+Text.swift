/// Why a text is no digest.
public enum DigestFault: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// The name before `:`, `=` or `-` is no algorithm.
    case unknownAlgorithm(String)
    /// The name before the value is not that of the key it stands under.
    case otherAlgorithm(found: DigestAlgorithm, wanted: DigestAlgorithm)
    case notHexadecimal
    /// The number of digits is not the algorithm's.
    case wrongLength(digits: Int, algorithm: DigestAlgorithm)
    /// No algorithm has that number of digits.
    case unknownLength(digits: Int)
    /// Subresource Integrity knows sha256, sha384 and sha512 only.
    case notSRIAlgorithm(DigestAlgorithm)
    /// Not the canonical, padded Base64 of as many bytes as the algorithm has.
    case badBase64(DigestAlgorithm)

    public var description: String {
        switch self {
        case .empty: "the digest is missing; write it in hexadecimal digits, such as sha256:3f5a…"
        case .unknownAlgorithm(let name):
            "unknown digest algorithm \(shown(name))"
                + didYouMean(name, among: DigestAlgorithm.allCases.map(\.rawValue))
        case .otherAlgorithm(let found, let wanted):
            "this is a \(found.rawValue) digest, but \(wanted.rawValue) is wanted here"
        case .notHexadecimal: "a digest is written in hexadecimal digits; this has other characters in it"
        case .wrongLength(let digits, let algorithm):
            "a \(algorithm.rawValue) digest has \(algorithm.byteCount * 2) hexadecimal digits, this has \(digits)"
        case .unknownLength(let digits):
            "no digest algorithm has \(digits) hexadecimal digits (md5 32, sha1 40, sha256 64, sha512 128)"
        case .notSRIAlgorithm(let algorithm):
            "in the form name-base64 only sha256, sha384 and sha512 are known; write \(algorithm.rawValue):hex"
        case .badBase64(let algorithm):
            "this is not the Base64 of a \(algorithm.rawValue) digest (\(algorithm.byteCount) bytes, padded with `=`)"
        }
    }
}

extension Digest {
    /// Reads one or several digests parted by blanks, each in any usual spelling.
    ///
    /// `sha256:hex`, `sha-256=hex`, Subresource Integrity `sha256-base64` (https://www.w3.org/TR/sri/), and bare
    /// hexadecimal digits, told apart by their number; digits in either case, colons between bytes.
    /// - Parameter algorithm: What the digests must be; nil to take what the text says.
    /// - Throws: ``DigestFault`` for the first that cannot be read.
    public static func parse(_ text: String, algorithm: DigestAlgorithm? = nil) throws(DigestFault) -> [Digest] {
        var digests: [Digest] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            digests.append(try DigestText(word).digest(wanted: algorithm))
        }
        if digests.isEmpty { throw .empty }
        return digests
    }
}

/// One digest as it is written.
private struct DigestText {
    let word: Substring

    init(_ word: Substring) {
        self.word = word
    }

    func digest(wanted: DigestAlgorithm?) throws(DigestFault) -> Digest {
        guard let mark = mark() else { return try bare(wanted: wanted) }
        let name = String(word[..<mark])
        guard let algorithm = DigestAlgorithm(spelling: name) else { throw .unknownAlgorithm(name) }
        if let wanted, wanted != algorithm { throw .otherAlgorithm(found: algorithm, wanted: wanted) }
        let value = word[word.index(after: mark)...]
        if word[mark] == "-" { return try sri(value, algorithm) }
        return try hexadecimal(value, algorithm)
    }

    /// Where the name ends; nil when there is none.
    ///
    /// The names themselves hold `-` and digits, so that the longest name that is known wins.
    private func mark() -> Substring.Index? {
        if let index = word.firstIndex(where: { $0 == ":" || $0 == "=" }) {
            // `58:91:…` has bytes between its colons, and Base64 ends in `=`.
            let name = word[..<index]
            let isByte = name.utf8.count == 2 && name.utf8.allSatisfy { Hexadecimal.value($0) != nil }
            if !isByte, word[index] == ":" || DigestAlgorithm(spelling: String(name)) != nil { return index }
            if isByte { return nil }
        }
        let dashes = word.indices.filter { word[$0] == "-" }
        return dashes.last { DigestAlgorithm(spelling: String(word[..<$0])) != nil } ?? dashes.first
            ?? word.firstIndex(of: "=")
    }

    private func bare(wanted: DigestAlgorithm?) throws(DigestFault) -> Digest {
        let digits = word.utf8.filter { $0 != UInt8(ascii: ":") }.count
        if let wanted { return try hexadecimal(word, wanted) }
        guard word.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || Hexadecimal.value($0) != nil }) else {
            throw .notHexadecimal
        }
        let byLength: [DigestAlgorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512]
        guard let algorithm = byLength.first(where: { $0.byteCount * 2 == digits }) else {
            throw .unknownLength(digits: digits)
        }
        return try hexadecimal(word, algorithm)
    }

    private func hexadecimal(_ value: Substring, _ algorithm: DigestAlgorithm) throws(DigestFault) -> Digest {
        if value.isEmpty { throw .empty }
        let pairs = value.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // Colons stand between all bytes or nowhere.
        if pairs.count > 1, !pairs.allSatisfy({ $0.count == 2 }) { throw .notHexadecimal }
        guard let bytes = Hexadecimal.bytes(pairs.joined()) else {
            guard pairs.joined().allSatisfy({ Hexadecimal.value($0) != nil }) else { throw .notHexadecimal }
            throw .wrongLength(digits: pairs.reduce(0) { $0 + $1.count }, algorithm: algorithm)
        }
        guard let digest = Digest(algorithm, bytes: bytes) else {
            throw .wrongLength(digits: bytes.count * 2, algorithm: algorithm)
        }
        return digest
    }

    private func sri(_ value: Substring, _ algorithm: DigestAlgorithm) throws(DigestFault) -> Digest {
        guard [.sha256, .sha384, .sha512].contains(algorithm) else { throw .notSRIAlgorithm(algorithm) }
        guard let bytes = Base64.bytes(value.utf8), let digest = Digest(algorithm, bytes: bytes) else {
            throw .badBase64(algorithm)
        }
        return digest
    }
}

extension DigestAlgorithm {
    /// Takes any usual spelling of a name: `sha256`, `SHA-256`, `sha512/256`.
    public init?(spelling name: String) {
        let plain = Self.plain(name)
        guard let algorithm = Self.allCases.first(where: { Self.plain($0.rawValue) == plain }) else { return nil }
        self = algorithm
    }

    private static func plain(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { ![UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "_")].contains($0) }
    }
}
