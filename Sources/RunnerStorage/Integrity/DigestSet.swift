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
        var computation: RunningDigest?

        init(_ algorithm: DigestAlgorithm) throws(StorageError) {
            self.algorithm = algorithm
            do throws(CryptoError) {
                computation = try RunningDigest(algorithm)
            } catch {
                throw .digestFailed(algorithm, text: error.text)
            }
        }

        /// nil when it has been told before.
        func finalize() throws(StorageError) -> Digest? {
            guard let computation = computation.take() else { return nil }
            let bytes: [UInt8]
            do throws(CryptoError) {
                bytes = try computation.finalize()
            } catch {
                throw .digestFailed(algorithm, text: error.text)
            }
            guard let digest = Digest(algorithm, bytes: bytes) else {
                throw .digestFailed(algorithm, text: "\(bytes.count) bytes")
            }
            return digest
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
                    try lane.computation?.update(bytes)
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
            for lane in lanes { digests[lane.algorithm] = try lane.finalize() }
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
}
