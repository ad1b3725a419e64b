package import RunnerJob
package import RunnerPlan
package import RunnerStorage

/// What is known of the bytes that are there already.
package struct Part: Hashable, Sendable {
    package private(set) var present = ByteRanges()
    /// Size of the whole file; nil when unknown.
    package var total: Int64?
    /// Strong validators of the version that the bytes belong to.
    package var validator = Validator()
    /// Index of the source that they came from; nil when there are none, or when that source is gone from the job.
    package var source: Int?
    /// Digests that servers sent of these bytes, or of all of the file.
    package private(set) var sentDigests: [ServerDigest] = []
    /// Where the next byte of the main stream goes, and how many of its bytes are there already and passed over.
    package private(set) var position: Int64 = 0
    private var skip: Int64 = 0

    package init(have: Int64 = 0, total: Int64? = nil, validator: Validator = Validator(), source: Int? = nil) {
        self.init(
            present: ByteRanges(CollectionOfOne(0..<max(0, have))), total: total, validator: validator, source: source)
    }

    package init(present: ByteRanges, total: Int64?, validator: Validator, source: Int?) {
        self.present = present
        self.total = total
        self.validator = validator
        self.source = source
    }

    /// Bytes that are there.
    package var have: Int64 { present.count }

    /// Where a single stream goes on: the first byte that is missing.
    package var firstMissing: Int64 { present.firstMissing(from: 0) }

    /// Whether nothing is missing, as far as the size is known.
    package var isWhole: Bool { total.map { present.prefix >= $0 } ?? false }

    /// A body of the main stream begins.
    ///
    /// A body from the first byte on replaces everything.
    mutating func begin(_ body: ReplyMeaning.Body, _ head: ReplyHead, source: Int, sent: [ServerDigest]) {
        if body.start == 0 {
            present = ByteRanges()
            sentDigests = []
            validator = Validator(head)
            self.source = source
        }
        position = body.start
        skip = body.skip
        total = body.total
        note(sent)
    }

    /// Notes what a reply says of its bytes.
    mutating func note(_ sent: [ServerDigest]) {
        for digest in sent where !sentDigests.contains(digest) { sentDigests.append(digest) }
    }

    /// Bytes of the main stream came in; those beyond `limit` are not kept.
    mutating func received(_ count: Int, limit: Int64) {
        let skipped = min(skip, Int64(count))
        skip -= skipped
        let end = min(position + Int64(count) - skipped, max(position, limit))
        present.insert(position..<end)
        position = end
    }

    /// Bytes of another stream came in.
    mutating func received(_ range: Range<Int64>) {
        present.insert(range)
    }
}

/// What this transfer has seen of one source.
package struct SourceRecord: Hashable, Sendable {
    package enum Standing: Hashable, Sendable {
        case usable
        /// Not asked again by this transfer; ``SourceRecord/lastFault`` tells why.
        case setAside
    }

    /// What was done about bytes of this source that were wrong.
    package enum Doubt: Hashable, Sendable {
        case none, askedFromZero, askedPastCaches
    }

    /// How it is asked.
    package enum Asking: Hashable, Sendable {
        /// For what is missing or has changed.
        case withConditions
        /// For the whole file, since it answered Range or a condition with an error.
        case plainly
    }

    package let url: SourceURL
    package var standing = Standing.usable
    package var asking = Asking.withConditions
    package var doubt = Doubt.none
    /// Requests in the present budget.
    package var attempts = 0
    package var wasTriedInRound = false
    /// Time of the transfer before which the source is not to be asked (Retry-After).
    package var notBefore = Duration.zero
    package var lastFault: Fault?

    package init(url: SourceURL) {
        self.url = url
    }

    /// Whether it may be asked at once.
    func isOpen(at now: Duration) -> Bool {
        standing == .usable && !wasTriedInRound && notBefore <= now
    }

    mutating func begin() {
        attempts += 1
        wasTriedInRound = true
    }

    /// An attempt that did not count after all.
    mutating func takeBack() {
        attempts = max(0, attempts - 1)
    }

    mutating func note(_ fault: Fault, at now: Duration) {
        lastFault = fault
        if let wait = fault.retryAfter { notBefore = max(notBefore, now + wait) }
    }
}

extension TransferMachine {
    /// What stays the same for a whole transfer.
    package struct Configuration: Sendable {
        /// In order of preference; at least one.
        package var sources: [SourceURL]
        package var policy: RetryPolicy
        /// Limit on the whole, which also bounds the waits.
        package var total: Duration?
        package var segments: Download.Segments
        package var redirects: RedirectRules
        package var resolve: @Sendable (SourceURL, String) -> SourceURL?
        package var statuses: Set<Int>
        /// Whether a digest of the whole file has the last word, so that a resume needs no validator.
        package var isGuardedByDigest: Bool
        /// What the file that is there is asked about with.
        package var revalidation: RevalidationValidators?
        /// Exact size that the job asks for.
        package var size: Int64?
        package var maxSize: Int64?
        /// Media type that the job asks for, in lower case.
        package var mediaType: String?
        /// Whether the request may be made again after the server may have acted on it.
        package var isRepeatable = true
        /// Whether the rest of a file can be asked for: only GET knows ranges (RFC 9110 section 14.2).
        package var isResumable = true
        /// Whether what comes is the reply to a file that is sent.
        package var isUpload = false
        /// Whether the job says that an entity tag is the MD5 of the file.
        package var etagIsMD5 = false

        package init(
            sources: [SourceURL], policy: RetryPolicy, segments: Download.Segments = .single,
            redirects: RedirectRules = RedirectRules(),
            resolve: @escaping @Sendable (SourceURL, String) -> SourceURL?, statuses: Set<Int> = [],
            isGuardedByDigest: Bool = false, size: Int64? = nil, maxSize: Int64? = nil, mediaType: String? = nil
        ) {
            self.sources = sources
            self.policy = policy
            self.segments = segments
            self.redirects = redirects
            self.resolve = resolve
            self.statuses = statuses
            self.isGuardedByDigest = isGuardedByDigest
            self.size = size
            self.maxSize = maxSize
            self.mediaType = mediaType
        }

        var attempts: Int { max(1, policy.settings.attempts) }

        /// What the head of a reply alone shows to be wrong, so that its body need not be fetched.
        func objection(to head: ReplyHead, _ body: ReplyMeaning.Body) -> Fault? {
            if let mediaType, !Self.isMediaType(head.contentType ?? "", mediaType) {
                return Fault(.content, .mediaType(wanted: mediaType, got: head.contentType))
            }
            if etagIsMD5, DigestFields.md5(etag: head.etag ?? "") == nil {
                return Fault(.content, .etagIsNotMD5(head.etag))
            }
            guard let total = body.total else { return nil }
            if let size, total != size {
                return Fault(.integrity, .sizeDiffers(declared: total, wanted: size))
            }
            if let maxSize, total > maxSize {
                return Fault(.tooLarge, .tooLarge(size: total, limit: maxSize))
            }
            return nil
        }

        /// Compares media types without parameters and without case (RFC 9110 section 8.3.1).
        private static func isMediaType(_ field: String, _ wanted: String) -> Bool {
            let name = field.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            return name.filter { $0 != " " && $0 != "\t" }.lowercased() == wanted.lowercased()
        }
    }
}
