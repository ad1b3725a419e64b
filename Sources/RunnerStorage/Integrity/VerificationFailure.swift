package import RunnerJob

/// One way in which a file is not what was wanted.
package enum VerificationFailure: Error, Hashable, Sendable {
    case size(expected: Int64, actual: Int64)
    case digest(expected: Digest, actual: Digest)
    /// A digest is wanted that was not computed: a mistake of this program.
    case digestNotComputed(Digest)
    case tooSmall(minimum: Int64, actual: Int64)
    case tooLarge(maximum: Int64, actual: Int64)
    /// `found` is what the first bytes say, where that is known.
    case type(expected: Expectations.ContentType, found: Expectations.ContentType?)

    package var faultClass: FaultClass {
        switch self {
        case .size, .digest: .integrity
        case .digestNotComputed: .internal
        case .tooSmall, .type: .content
        case .tooLarge: .tooLarge
        }
    }

    /// Whether the wanted digest is that of no bytes at all, which is most often a mistake in the job.
    package var wantsDigestOfNothing: Bool {
        guard case .digest(let expected, _) = self else { return false }
        return (try? DigestSet.digest(of: [], by: expected.algorithm)) == expected
    }
}

/// What a failed file looks like, so that "this is a login page" is seen at a glance.
package struct FileEvidence: Hashable, Sendable {
    /// Bytes.
    package var size: Int64
    /// At most 80 characters, safe to print.
    package var firstBytes: String
    package var kind: Expectations.ContentType?
    /// Not nil when the file is an HTML page.
    package var page: HTMLPage?

    package init(size: Int64, firstBytes bytes: [UInt8]) {
        self.size = size
        firstBytes = SafeText.of(bytes)
        kind = ContentSignature.kind(of: bytes)
        page = HTMLPage(bytes)
    }

    package init(of file: some ReadableFile) throws(StorageError) {
        self.init(size: file.length, firstBytes: try file.firstBytes(ContentSignature.length))
    }
}
