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
    /// A word behind a digest is none, such as the name in a line of a checksum list.
    case wordBehind(String)
    /// A blank parts the name from the value.
    case blankBehindName(String)

    public var description: String {
        switch self {
        case .empty: "the digest is missing; write it in hexadecimal digits, such as sha256:3f5a…"
        case .unknownAlgorithm(let name):
            "unknown digest algorithm \(shown(name))"
                + didYouMean(name, among: DigestAlgorithm.ofJobs.map(\.rawValue))
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
        case .blankBehindName(let name): "no blank may stand behind \(shown(name)), between the name and the digits"
        case .wordBehind(let word): "\(shown(word)) behind the digest is none; leave it out"
        }
    }
}

extension Digest {
    /// Reads one or several digests parted by blanks, each in any usual spelling.
    ///
    /// `sha256:hex`, `sha-256=hex`, Subresource Integrity `sha256-base64` (https://www.w3.org/TR/sri/), and bare
    /// hexadecimal digits, told apart by their number; digits in either case, colons between bytes.
    /// - Parameter algorithm: What the digests must be, which may then be Base64 too; nil to take what the text says.
    /// - Throws: ``DigestFault`` for the first that cannot be read.
    public static func parse(_ text: String, algorithm: DigestAlgorithm? = nil) throws(DigestFault) -> [Digest] {
        // What most files hold: the digits of one digest, and nothing else.
        if let algorithm, text.utf8.count == 2 * algorithm.byteCount, let bytes = Hexadecimal.bytes(of: text),
            let digest = Digest(algorithm, bytes: bytes)
        {
            return [digest]
        }
        var digests: [Digest] = []
        let words = Array(text.utf8).split(whereSeparator: { $0 == 0x20 || 9...13 ~= $0 })
        for word in words {
            do throws(DigestFault) {
                digests.append(try DigestText(word: word).digest(wanted: algorithm))
            } catch {
                switch error {
                case .empty where words.count > 1: throw .blankBehindName(String(decoding: word, as: UTF8.self))
                // The shortest digest has 32 digits.
                case .notHexadecimal, .unknownAlgorithm, .wrongLength(..<32, _), .unknownLength(..<32):
                    if digests.isEmpty { throw error }
                    throw .wordBehind(String(decoding: word, as: UTF8.self))
                default: throw error
                }
            }
        }
        if digests.isEmpty { throw .empty }
        return digests
    }
}

/// One digest as it is written.
private struct DigestText {
    let word: ArraySlice<UInt8>

    func digest(wanted: DigestAlgorithm?) throws(DigestFault) -> Digest {
        // Under a key that names the algorithm, Base64 needs no other mark: it has fewer digits.
        if let wanted, let bytes = Base64.bytes(word) {
            if let digest = Digest(wanted, bytes: bytes) { return digest }
            if word.last == UInt8(ascii: "=") { throw .badBase64(wanted) }
        }
        guard let mark = mark() else { return try bare(wanted: wanted) }
        let name = String(decoding: word[..<mark], as: UTF8.self)
        guard let algorithm = DigestAlgorithm(spelling: name) else { throw .unknownAlgorithm(name) }
        if let wanted, wanted != algorithm { throw .otherAlgorithm(found: algorithm, wanted: wanted) }
        let value = word[(mark + 1)...]
        if word[mark] == UInt8(ascii: "-") { return try sri(value, algorithm) }
        return try hexadecimal(value, algorithm)
    }

    /// Where the name ends; nil when there is none.
    private func mark() -> Int? {
        if let index = word.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") }) {
            let name = word[..<index]
            // `58:91:…` has bytes between its colons.
            if name.count == 2, name.allSatisfy({ Hexadecimal.value($0) != nil }) { return nil }
            // A `=` may also pad the Base64 behind a `-`.
            if word[index] == UInt8(ascii: ":") || isName(name) { return index }
        }
        // Names hold `-` themselves, so that the longest name that is known wins.
        let dashes = word.indices.filter { word[$0] == UInt8(ascii: "-") }
        return dashes.last { isName(word[..<$0]) } ?? dashes.first ?? word.firstIndex(of: UInt8(ascii: "="))
    }

    private func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        DigestAlgorithm(spelling: String(decoding: bytes, as: UTF8.self)) != nil
    }

    private func bare(wanted: DigestAlgorithm?) throws(DigestFault) -> Digest {
        if let wanted { return try hexadecimal(word, wanted) }
        guard word.allSatisfy({ $0 == UInt8(ascii: ":") || Hexadecimal.value($0) != nil }) else {
            throw .notHexadecimal
        }
        let digits = word.count { $0 != UInt8(ascii: ":") }
        let byLength: [DigestAlgorithm] = [.md5, .sha1, .sha224, .sha256, .sha384, .sha512]
        guard let algorithm = byLength.first(where: { $0.byteCount * 2 == digits }) else {
            throw .unknownLength(digits: digits)
        }
        return try hexadecimal(word, algorithm)
    }

    private func hexadecimal(_ value: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm) throws(DigestFault) -> Digest {
        if value.isEmpty { throw .empty }
        let pairs = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // Colons stand between all bytes or nowhere.
        if pairs.count > 1, !pairs.allSatisfy({ $0.count == 2 }) { throw .notHexadecimal }
        let digits = Array(pairs.joined())
        guard digits.allSatisfy({ Hexadecimal.value($0) != nil }) else { throw .notHexadecimal }
        guard let bytes = Hexadecimal.bytes(digits), let digest = Digest(algorithm, bytes: bytes) else {
            throw .wrongLength(digits: digits.count, algorithm: algorithm)
        }
        return digest
    }

    private func sri(_ value: ArraySlice<UInt8>, _ algorithm: DigestAlgorithm) throws(DigestFault) -> Digest {
        guard [.sha256, .sha384, .sha512].contains(algorithm) else { throw .notSRIAlgorithm(algorithm) }
        guard let bytes = Base64.bytes(value), let digest = Digest(algorithm, bytes: bytes) else {
            throw .badBase64(algorithm)
        }
        return digest
    }
}

extension DigestAlgorithm {
    /// Takes any usual spelling of a name: `sha256`, `SHA-256`, `sha512/256`.
    public init?(spelling name: String) {
        let plain = Self.plain(name)
        guard let algorithm = Self.ofJobs.first(where: { Self.plain($0.rawValue) == plain }) else { return nil }
        self = algorithm
    }

    private static func plain(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { ![UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "_")].contains($0) }
    }
}
