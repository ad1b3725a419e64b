package import RunnerJob

/// Something that cleaning removes, and why.
package struct CleanItem: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The part file of a destination, with its state.
        case part(of: TargetPath)
        /// A file that the ledger says the job has put in place.
        case download(OwnedFile)
        /// A file of the state folder that nobody uses any more.
        case leftover
        /// The report of a past run, and its row.
        case report(run: String?)
    }

    package enum Reason: Hashable, Sendable {
        /// No task of the job wants it.
        case notWanted
        /// It is older than `limit`.
        case tooOld(age: Duration, limit: Duration)
        /// The job's downloads take `bytes`, more than `ceiling`, and this is the oldest.
        case overCeiling(bytes: Int64, ceiling: Int64)
        /// So many newer ones are kept.
        case tooMany(kept: Int)
    }

    package var kind: Kind
    /// Relative to the job's directory, or to the state folder for ``Kind/leftover`` and ``Kind/report(run:)``.
    package var path: String
    /// Bytes that it takes on the disk.
    package var bytes: Int64
    package var reason: Reason

    package init(_ kind: Kind, path: String, bytes: Int64, _ reason: Reason) {
        self.kind = kind
        self.path = path
        self.bytes = bytes
        self.reason = reason
    }
}
