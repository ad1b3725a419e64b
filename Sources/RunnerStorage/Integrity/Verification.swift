package import RunnerJob

/// What a finished file must be.
package struct Verification: Sendable {
    /// Bytes.
    package var size: Int64?
    /// Every one of them must hold.
    package var digests: [Digest]
    package var expectations: Expectations

    package init(size: Int64? = nil, digests: [Digest] = [], expectations: Expectations = Expectations()) {
        self.size = size
        self.digests = digests
        self.expectations = expectations
    }

    /// What a download asks for, together with the digests that a checksum list gave for it.
    package init(of download: Download, listed: [Digest] = []) {
        self.init(size: download.size, digests: download.digests + listed, expectations: download.expect)
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
    /// - Parameter actual: the digests of the file's bytes, one for each of ``algorithms``.
    package func fault(
        in file: some ReadableFile, actual: [DigestAlgorithm: Digest]
    ) throws(StorageError) -> Fault? {
        let length = file.length
        var failures: [VerificationFailure] = []
        if let size, size != length { failures.append(.size(expected: size, actual: length)) }
        failures += failuresOfDigests(actual: actual) + failuresOfRange(length: length)
        var start: [UInt8]?
        if let type = expectations.type {
            let bytes = try file.firstBytes(ContentSignature.length)
            start = bytes
            if !ContentSignature.matches(type, bytes) {
                failures.append(.type(expected: type, found: ContentSignature.kind(of: bytes)))
            }
        }
        if failures.isEmpty { return nil }
        let bytes: [UInt8]
        if let start { bytes = start } else { bytes = try file.firstBytes(ContentSignature.length) }
        return Fault(failures: failures, evidence: FileEvidence(size: length, firstBytes: bytes))
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
