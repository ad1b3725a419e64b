package import RunnerJob
package import RunnerPlan

/// A row of the ledger: a file as it was put in place.
package struct PublishedFile: Hashable, Sendable {
    package var path: TargetPath
    /// As it was right after it was put in place.
    package var state: FileState
    /// What was computed of its bytes; more is better.
    package var digests: [Digest]
    /// Where it came from, without user info and query; for people.
    package var source: String
    /// The request it came from.
    package var sourceKey: Int64
    package var etag: String?
    package var lastModified: String?
    /// Seconds since 1970.
    package var published: Int64

    /// - Parameter source: the one of the download's sources that the bytes came from; nil where that is not known, as
    ///   of a file that was found in place and compared.
    package init(
        path: TargetPath, state: FileState, digests: [Digest] = [], source: SourceURL? = nil,
        request: RequestSettings = .standard, etag: String? = nil, lastModified: String? = nil, published: Int64
    ) {
        self.path = path
        self.state = state
        self.digests = digests
        self.source = source.map(PartIdentity.withoutQuery) ?? ""
        sourceKey = source.map { SourceKey.of($0, request) } ?? 0
        self.etag = etag
        self.lastModified = lastModified
        self.published = published
    }
}

/// An origin that asked to be left alone, also by later runs.
package struct OriginHold: Hashable, Sendable {
    /// As ``Origin/description`` writes it.
    package var origin: String
    /// Milliseconds since 1970.
    package var until: Int64
    /// Why, in one word of the report, such as `rate_limited`.
    package var reason: String

    package init(origin: String, until: Int64, reason: String) {
        self.origin = origin
        self.until = until
        self.reason = reason
    }
}

/// A run, as `history` tells of it.
package struct RunRow: Hashable, Sendable {
    package var run: String
    /// The job's identity, its name, and its file as it was given.
    package var job: String
    package var name: String
    package var file: String
    /// Milliseconds since 1970; no `finished` means that it lasts, or that it was killed.
    package var started: Int64
    package var finished: Int64?
    package var outcome: String?
    package var exitStatus: Int64?
    /// Number of tasks by outcome.
    package var counts: [String: Int64]
    /// Size of all files that were in place at the end, and what came over the network.
    package var bytes: Int64?
    package var transferred: Int64?
    /// The run's report, relative to the state folder.
    package var report: String?

    package init(
        run: String, job: String, name: String, file: String, started: Int64, finished: Int64? = nil,
        outcome: String? = nil, exitStatus: Int64? = nil, counts: [String: Int64] = [:], bytes: Int64? = nil,
        transferred: Int64? = nil, report: String? = nil
    ) {
        self.run = run
        self.job = job
        self.name = name
        self.file = file
        self.started = started
        self.finished = finished
        self.outcome = outcome
        self.exitStatus = exitStatus
        self.counts = counts
        self.bytes = bytes
        self.transferred = transferred
        self.report = report
    }
}

/// A file that the ledger says a job has put in place; what cleaning may remove.
package struct OwnedFile: Hashable, Sendable {
    package var path: TargetPath
    package var record: PublishedRecord

    package init(path: TargetPath, record: PublishedRecord) {
        self.path = path
        self.record = record
    }
}
