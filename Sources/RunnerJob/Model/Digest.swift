/// An algorithm of digests.
///
/// The raw value is the key of the job file for those that it can name.
public enum DigestAlgorithm: String, Sendable {
    case md5, sha1, sha224, sha256, sha384, sha512
    case sha512_256 = "sha512-256"
    case sha3_256 = "sha3-256"
    case sha3_384 = "sha3-384"
    case sha3_512 = "sha3-512"
    case blake2b, blake2s
    /// Sums that stores send beside a file. They tell accidents and nothing else, so that no job can name them.
    case crc32, crc32c, crc64nvme

    /// Those that a job file can name.
    public static let ofJobs: [Self] = [
        .md5, .sha1, .sha224, .sha256, .sha384, .sha512, .sha512_256, .sha3_256, .sha3_384, .sha3_512, .blake2b,
        .blake2s,
    ]

    /// Length of the digest in bytes.
    public var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256, .sha512_256, .sha3_256, .blake2s: 32
        case .sha384, .sha3_384: 48
        case .sha512, .sha3_512, .blake2b: 64
        }
    }

    /// Whether collisions can be made on purpose, so that the digest guards against accidents only.
    public var isWeak: Bool { self == .md5 || self == .sha1 || isSum }

    /// Whether it is a sum rather than a hash.
    public var isSum: Bool { self == .crc32 || self == .crc32c || self == .crc64nvme }
}

/// A digest value: what a file's bytes must hash to.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
    public let algorithm: DigestAlgorithm
    /// Exactly ``DigestAlgorithm/byteCount`` bytes.
    public let bytes: [UInt8]

    /// Returns nil when the number of bytes is not the algorithm's.
    public init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.byteCount else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Whether this is what no bytes at all hash to, by the algorithms that people use most.
    var isOfNothing: Bool {
        let beginning: UInt64
        switch algorithm {
        case .md5: beginning = 0xd41d_8cd9_8f00_b204
        case .sha1: beginning = 0xda39_a3ee_5e6b_4b0d
        case .sha224: beginning = 0xd14a_028c_2a3a_2bc9
        case .sha256: beginning = 0xe3b0_c442_98fc_1c14
        case .sha384: beginning = 0x38b0_60a7_51ac_9638
        case .sha512: beginning = 0xcf83_e135_7eef_b8bd
        default: return false
        }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } == beginning
    }

    /// The value in lower-case hexadecimal digits.
    public var hex: String {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// `sha256:0a1b…`, the spelling of the report.
    public var description: String { "\(algorithm.rawValue):\(hex)" }
}
