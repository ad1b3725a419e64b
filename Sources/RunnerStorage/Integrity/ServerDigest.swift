package import RunnerJob

/// A digest that a server sent beside the bytes it speaks of.
package struct ServerDigest: Hashable, Sendable {
    /// The field that it came in, such as `Repr-Digest`.
    package var field: String
    package var digest: Digest
    /// The bytes of the file that it covers; nil for all of them.
    package var range: Range<Int64>?

    package init(field: String, _ digest: Digest, range: Range<Int64>? = nil) {
        self.field = field
        self.digest = digest
        self.range = range
    }
}

extension Verification {
    /// Whether a digest that cannot be forged has the last word, so that nothing a server says could add to it.
    package var isGuarded: Bool { digests.contains { !$0.algorithm.isWeak } }

    /// The algorithms to compute over the whole file when a server sent these digests, each once.
    package func algorithms(with sent: [ServerDigest]) -> [DigestAlgorithm] {
        let further = relevant(sent).filter { $0.range == nil }.map(\.digest.algorithm)
        return (algorithms + further).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// What is worth comparing: nothing under a strong digest of the job, and no sum of bytes that a hash covers too.
    private func relevant(_ sent: [ServerDigest]) -> [ServerDigest] {
        if isGuarded { return [] }
        return sent.filter { claim in
            !claim.digest.algorithm.isSum
                || !sent.contains { $0.range == claim.range && !$0.digest.algorithm.isSum }
        }
    }

    /// Compares a file with what a server said of it.
    ///
    /// - Parameter actual: digests of the whole file; what is missing among them is read.
    func failures(
        of sent: [ServerDigest], in file: some ReadableFile, actual: [DigestAlgorithm: Digest]
    ) throws(StorageError) -> [VerificationFailure] {
        var failures: [VerificationFailure] = []
        for claim in relevant(sent) {
            guard let found = try Self.actual(claim, in: file, known: actual), found != claim.digest else { continue }
            failures.append(.serverDigest(claim, actual: found))
        }
        return failures
    }

    /// The digest of the bytes that a server's digest covers; nil when the file does not reach so far.
    static func actual(
        _ claim: ServerDigest, in file: some ReadableFile, known: [DigestAlgorithm: Digest] = [:]
    ) throws(StorageError) -> Digest? {
        let range = claim.range ?? 0..<file.length
        guard range.upperBound <= file.length else { return nil }
        let isWhole = range == 0..<file.length
        if isWhole, let digest = known[claim.digest.algorithm] { return digest }
        let set = try DigestSet([claim.digest.algorithm])
        _ = try FileHasher.add(Int64(range.count), bytesOf: file, from: range.lowerBound, to: set)
        return try set.finalize()[claim.digest.algorithm]
    }
}
