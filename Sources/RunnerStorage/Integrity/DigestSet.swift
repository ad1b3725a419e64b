internal import LibCrypto
package import RunnerJob
internal import Synchronization

/// Several digests of one stream of bytes, computed at once.
///
/// One thread at a time uses it. Without an algorithm it costs nothing.
package final class DigestSet: Sendable {
    /// In the order of first mention, each once.
    package let algorithms: [DigestAlgorithm]
    private let lanes: Mutex<[Lane]>

    /// A running digest; a class, because an array cannot hold a value that has one owner.
    private final class Lane {
        let algorithm: DigestAlgorithm
        var digester: Digester?

        init(_ algorithm: DigestAlgorithm) throws(StorageError) {
            self.algorithm = algorithm
            do throws(CryptoError) {
                digester = try Digester(algorithm.opensslName)
            } catch {
                throw .digestFailed(algorithm, text: error.text)
            }
        }
    }

    /// - Throws: ``StorageError/digestFailed(_:text:)`` when libcrypto has no such algorithm.
    package init(_ algorithms: [DigestAlgorithm]) throws(StorageError) {
        var seen: Set<DigestAlgorithm> = []
        self.algorithms = algorithms.filter { seen.insert($0).inserted }
        lanes = Mutex(try Self.start(self.algorithms))
    }

    /// The algorithms of the digests that are wanted.
    package convenience init(for wanted: [Digest]) throws(StorageError) {
        try self.init(wanted.map(\.algorithm))
    }

    /// Adds the next bytes of the stream.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        try lanes.withLock { (lanes) throws(StorageError) in
            for lane in lanes {
                do throws(CryptoError) {
                    try lane.digester?.update(bytes)
                } catch {
                    throw .digestFailed(lane.algorithm, text: error.text)
                }
            }
        }
    }

    /// Starts again with no bytes added.
    package func restart() throws(StorageError) {
        try lanes.withLock { (lanes) throws(StorageError) in lanes = try Self.start(algorithms) }
    }

    /// Ends the stream: the digest of every algorithm.
    ///
    /// The set holds nothing after that, until ``restart()``.
    package func finalize() throws(StorageError) -> [DigestAlgorithm: Digest] {
        try lanes.withLock { (lanes) throws(StorageError) in
            var digests: [DigestAlgorithm: Digest] = [:]
            for lane in lanes {
                guard let digester = lane.digester.take() else { continue }
                digests[lane.algorithm] = try Self.finish(digester, lane.algorithm)
            }
            return digests
        }
    }

    /// The digest of bytes that are in memory.
    package static func digest(of bytes: [UInt8], by algorithm: DigestAlgorithm) throws(StorageError) -> Digest {
        let set = try DigestSet([algorithm])
        try bytes.span.withUnsafeBytes { (bytes) throws(StorageError) in try set.update(bytes) }
        guard let digest = try set.finalize()[algorithm] else { throw .digestFailed(algorithm, text: "no digest") }
        return digest
    }

    private static func start(_ algorithms: [DigestAlgorithm]) throws(StorageError) -> [Lane] {
        var lanes: [Lane] = []
        for algorithm in algorithms { lanes.append(try Lane(algorithm)) }
        return lanes
    }

    private static func finish(
        _ digester: consuming Digester, _ algorithm: DigestAlgorithm
    ) throws(StorageError) -> Digest {
        let bytes: [UInt8]
        do throws(CryptoError) {
            bytes = try digester.finalize()
        } catch {
            throw .digestFailed(algorithm, text: error.text)
        }
        guard let digest = Digest(algorithm, bytes: bytes) else {
            throw .digestFailed(algorithm, text: "\(bytes.count) bytes")
        }
        return digest
    }
}

extension DigestAlgorithm {
    /// The algorithm's name in OpenSSL's default provider (OSSL_PROVIDER-default(7)).
    var opensslName: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha224: "SHA2-224"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        case .sha512_256: "SHA2-512/256"
        case .sha3_256: "SHA3-256"
        case .sha3_384: "SHA3-384"
        case .sha3_512: "SHA3-512"
        case .blake2b: "BLAKE2B-512"
        case .blake2s: "BLAKE2S-256"
        }
    }
}
