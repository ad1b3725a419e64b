/// Which of a job's own downloads are removed, once it does not name them any more (job-file reference, `clean`).
public struct CleanSection: Hashable, Sendable {
    /// Files that were put in place longer ago are removed; nil for any age.
    public var olderThan: Duration?
    /// Bytes on the disk that the job's downloads may take; nil for any size.
    public var maxSize: Int64?
    /// Patterns of paths that are never removed.
    public var keep: [String]

    public init(olderThan: Duration? = nil, maxSize: Int64? = nil, keep: [String] = []) {
        self.olderThan = olderThan
        self.maxSize = maxSize
        self.keep = keep
    }
}
