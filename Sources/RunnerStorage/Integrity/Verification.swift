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
    /// Where the file comes from, which has a name for it, too.
    private var source: SourceURL?
    /// Whether it is the server that gives the file its name, which then says nothing of what was meant.
    private var isNamedByServer = false

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
        source = download.sources.first
        if case .named = download.destination { isNamedByServer = true }
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
        let named = kindByName
        let looksAtContent = expectations.type != nil || named != nil || !failures.isEmpty
        let start = looksAtContent ? try file.firstBytes(ContentSignature.length) : []
        if let failure = try failureOfContent(start, named, in: file) { failures.append(failure) }
        if failures.isEmpty { return nil }
        var evidence = FileEvidence(size: length, firstBytes: start, name: name)
        if failures.contains(where: \.isOfJobsDigest) { evidence.serverAgrees = try serverAgrees(sent, in: file) }
        return Fault(failures: failures, evidence: evidence)
    }

    /// What the names alone say that the file cannot be; what a digest or a media type settles is let be.
    private var kindByName: BinaryName.Kind? {
        guard expectations.type == nil, expectations.mediaType == nil, digests.isEmpty else { return nil }
        if let kind = BinaryName.kind(of: name) { return kind }
        // An archive stays one under whatever name it is kept, unless that is one of a text.
        guard isNamedByServer || !BinaryName.isText(name), let name = source?.fileName,
            BinaryName.kind(of: name) == .archive
        else { return nil }
        return .archive
    }

    private func failureOfContent(
        _ start: [UInt8], _ named: BinaryName.Kind?, in file: some ReadableFile
    ) throws(StorageError) -> VerificationFailure? {
        if let named {
            if start.isEmpty, size != 0, named == .archive { return .empty }
            if !ContentSignature.matches(.notHTML, start) { return .type(expected: .notHTML, found: nil) }
            return named == .archive && TextStart(start).isMarkup ? .markup : nil
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
