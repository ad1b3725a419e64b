package import RunnerJob

/// One way in which a file is not what was wanted.
package enum VerificationFailure: Error, Hashable, Sendable {
    case size(expected: Int64, actual: Int64)
    case digest(expected: Digest, actual: Digest)
    /// A digest is wanted that was not computed: a mistake of this program.
    case digestNotComputed(Digest)
    /// The bytes are not those that a server said it sent.
    case serverDigest(ServerDigest, actual: Digest)
    case tooSmall(minimum: Int64, actual: Int64)
    case tooLarge(maximum: Int64, actual: Int64)
    /// `found` is what the first bytes say, where that is known.
    case type(expected: Expectations.ContentType, found: Expectations.ContentType?)
    /// Text in angle brackets where an archive was meant: a page that is no whole one, or an error in XML.
    case markup
    /// Nothing came where something must have been meant.
    case empty
    /// The beginning is right, the rest is not.
    case structure(Expectations.ContentType, ContentStructure.Flaw)

    package var faultClass: FaultClass {
        switch self {
        case .size, .digest, .serverDigest: .integrity
        case .digestNotComputed: .internal
        case .tooSmall, .type, .markup, .empty, .structure: .content
        case .tooLarge: .tooLarge
        }
    }

    /// Whether the bytes are not those of a digest that the job asks for.
    var isOfJobsDigest: Bool {
        if case .digest = self { true } else { false }
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

    /// What the file is a form of, rather than what was meant; nil when that cannot be told.
    package var disguise: Disguise?
    /// Whether the server's own digest fits the bytes that came; nil when it sent none.
    package var serverAgrees: Bool?
    /// Where the file was kept; nil when that was not asked for.
    package var kept: Kept?

    /// Another form in which a file may come.
    package enum Disguise: Hashable, Sendable {
        /// A pointer of Git LFS (its specification, version 1).
        case lfsPointer
        /// Not compressed, though the name says so.
        case unpacked
    }

    /// What became of a bad file that was to be kept.
    package enum Kept: Hashable, Sendable {
        case at(path: String)
        case failed(StorageError)
    }

    /// - Parameter name: name of the file that was meant.
    package init(size: Int64, firstBytes bytes: [UInt8], name: String = "") {
        self.size = size
        firstBytes = SafeText.of(bytes)
        kind = ContentSignature.kind(of: bytes)
        page = HTMLPage(bytes)
        if bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
            disguise = .lfsPointer
        } else if BinaryName.isGzip(name), size > 0, kind != .gzip, page == nil {
            disguise = .unpacked
        }
    }

    package init(of file: some ReadableFile) throws(StorageError) {
        self.init(size: file.length, firstBytes: try file.firstBytes(ContentSignature.length))
    }
}
