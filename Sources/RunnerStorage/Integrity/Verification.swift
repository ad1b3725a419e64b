package import RunnerJob

/// What a finished file must be.
package struct Verification: Sendable {
    /// Bytes.
    package var size: Int64?
    /// Every one of them must hold.
    package var digests: [Digest]
    package var expectations: Expectations
    /// The name of the file, which may say that a page or nothing at all cannot be meant.
    package var name: String

    package init(
        size: Int64? = nil, digests: [Digest] = [], expectations: Expectations = Expectations(), name: String = ""
    ) {
        self.size = size
        self.digests = digests
        self.expectations = expectations
        self.name = name
    }

    /// What a download asks for, together with the digests that a checksum list gave for it.
    package init(of download: Download, listed: [Digest] = []) {
        self.init(
            size: download.size, digests: download.digests + listed, expectations: download.expect,
            name: download.path.name)
    }

    /// The algorithms to compute, each once.
    package var algorithms: [DigestAlgorithm] {
        digests.map(\.algorithm).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// A file that is not what was wanted.
    package struct Fault: Error, Hashable, Sendable {
        /// Never empty; what says most comes first: size, digests, then the looks.
        package var failures: [VerificationFailure]
        package var evidence: FileEvidence

        /// The class of the first failure.
        package var faultClass: FaultClass { failures.first?.faultClass ?? .internal }
    }

    /// Compares a file with what is wanted; nil when all of it holds.
    ///
    /// - Parameters:
    ///   - actual: the digests of the file's bytes, one for each of ``algorithms``.
    ///   - sent: what servers said of the bytes.
    package func fault(
        in file: some ReadableFile, actual: [DigestAlgorithm: Digest], sent: [ServerDigest] = []
    ) throws(StorageError) -> Fault? {
        let length = file.length
        var failures: [VerificationFailure] = []
        if let size, size != length { failures.append(.size(expected: size, actual: length)) }
        failures += failuresOfDigests(actual: actual)
        failures += try self.failures(of: sent, in: file, actual: actual)
        failures += failuresOfRange(length: length)
        let namesBinary = namesBinary
        let looksAtContent = expectations.type != nil || namesBinary || !failures.isEmpty
        let start = looksAtContent ? try file.firstBytes(ContentSignature.length) : []
        if let failure = try failureOfContent(start, namesBinary, in: file) { failures.append(failure) }
        if failures.isEmpty { return nil }
        var evidence = FileEvidence(size: length, firstBytes: start, name: name)
        if failures.contains(where: \.isOfJobsDigest) { evidence.serverAgrees = try serverAgrees(sent, in: file) }
        return Fault(failures: failures, evidence: evidence)
    }

    /// Whether the name alone says what the file cannot be; what a digest or a media type settles is let be.
    private var namesBinary: Bool {
        expectations.type == nil && expectations.mediaType == nil && digests.isEmpty && BinaryName.isBinary(name)
    }

    private func failureOfContent(
        _ start: [UInt8], _ namesBinary: Bool, in file: some ReadableFile
    ) throws(StorageError) -> VerificationFailure? {
        if namesBinary {
            if start.isEmpty, size != 0, BinaryName.isArchive(name) { return .empty }
            return ContentSignature.matches(.notHTML, start) ? nil : .type(expected: .notHTML, found: nil)
        }
        guard let type = expectations.type else { return nil }
        guard ContentSignature.matches(type, start) else {
            return start.isEmpty ? .empty : .type(expected: type, found: ContentSignature.kind(of: start))
        }
        // Bytes that a strong digest vouches for were not cut on the way.
        if isGuarded { return nil }
        return try ContentStructure.flaw(type, start: start, in: file).map { .structure(type, $0) }
    }

    /// What the server's own digest of the file says of the bytes that came; nil when it sent none of the whole.
    private func serverAgrees(_ sent: [ServerDigest], in file: some ReadableFile) throws(StorageError) -> Bool? {
        guard let claim = sent.first(where: { $0.range == nil }) else { return nil }
        return try Self.actual(claim, in: file) == claim.digest
    }

    private func failuresOfRange(length: Int64) -> [VerificationFailure] {
        var failures: [VerificationFailure] = []
        if let minimum = expectations.minSize, length < minimum {
            failures.append(.tooSmall(minimum: minimum, actual: length))
        }
        if let maximum = expectations.maxSize, length > maximum {
            failures.append(.tooLarge(maximum: maximum, actual: length))
        }
        return failures
    }

    private func failuresOfDigests(actual: [DigestAlgorithm: Digest]) -> [VerificationFailure] {
        digests.compactMap { wanted in
            guard let found = actual[wanted.algorithm] else { return .digestNotComputed(wanted) }
            return found == wanted ? nil : .digest(expected: wanted, actual: found)
        }
    }
}
