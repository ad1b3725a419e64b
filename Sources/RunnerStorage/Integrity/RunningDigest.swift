internal import LibCrypto
internal import RunnerJob

/// One digest or sum of a stream of bytes.
enum RunningDigest: ~Copyable, Sendable {
    case hash(Digester)
    case sum32(CyclicSum<UInt32>)
    case sum64(CyclicSum<UInt64>)

    init(_ algorithm: DigestAlgorithm) throws(CryptoError) {
        switch algorithm {
        case .crc32: self = .sum32(CyclicSum(.crc32))
        case .crc32c: self = .sum32(CyclicSum(.crc32c))
        case .crc64nvme: self = .sum64(CyclicSum(.nvme))
        case .md5: self = .hash(try Digester("MD5"))
        case .sha1: self = .hash(try Digester("SHA1"))
        case .sha224: self = .hash(try Digester("SHA2-224"))
        case .sha256: self = .hash(try Digester("SHA2-256"))
        case .sha384: self = .hash(try Digester("SHA2-384"))
        case .sha512: self = .hash(try Digester("SHA2-512"))
        case .sha512_256: self = .hash(try Digester("SHA2-512/256"))
        case .sha3_256: self = .hash(try Digester("SHA3-256"))
        case .sha3_384: self = .hash(try Digester("SHA3-384"))
        case .sha3_512: self = .hash(try Digester("SHA3-512"))
        case .blake2b: self = .hash(try Digester("BLAKE2B-512"))
        case .blake2s: self = .hash(try Digester("BLAKE2S-256"))
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        switch consume self {
        case .hash(var digester):
            do throws(CryptoError) {
                try digester.update(bytes)
            } catch {
                self = .hash(digester)
                throw error
            }
            self = .hash(digester)
        case .sum32(var sum):
            sum.update(bytes)
            self = .sum32(sum)
        case .sum64(var sum):
            sum.update(bytes)
            self = .sum64(sum)
        }
    }

    /// Most significant byte first.
    consuming func finalize() throws(CryptoError) -> [UInt8] {
        switch consume self {
        case .hash(let digester): try digester.finalize()
        case .sum32(let sum): sum.bytes
        case .sum64(let sum): sum.bytes
        }
    }
}
