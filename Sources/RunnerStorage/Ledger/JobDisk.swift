package import RunnerJob
package import RunnerPlan

/// All that a plan asks of the disk: what lies there, what the ledger says of it, and what earlier runs left.
package struct JobDisk: DiskView {
    package let directory: JobDirectory
    /// What the ledger held when the value was made.
    package let ledger: LedgerContents
    private let states: PartStates
    private let identity: String
    private let lastFolder = LastFolder()

    /// - Parameter identity: what tells the job from any other.
    package init(directory: JobDirectory, ledger: LedgerContents, states: PartStates, identity: String) {
        self.directory = directory
        self.ledger = ledger
        self.states = states
        self.identity = identity
    }

    package func state(of path: TargetPath) -> FileState? {
        if lastFolder.lacks(path) { return nil }
        if let state = directory.state(of: path) { return state }
        lastFolder.note(path, in: directory)
        return nil
    }
    package func freeSpace() -> Int64? { directory.freeSpace() }
    package func isOpenToOthers(_ path: String) -> Bool { directory.isOpenToOthers(path) }
    package func record(of path: TargetPath) -> PublishedRecord? { ledger.files[path.path] }

    package func product(of key: ExactText) -> ProductRecord? { ledger.products[key] }
    package func stamp(of path: TargetPath) -> PathStamp { directory.treeStamp(of: path) }

    package func paths(from sources: Set<Int64>) -> [Int64: [TargetPath]] {
        ledger.files.paths(from: sources).mapValues { $0.map { TargetPath(normalized: $0.text) } }
    }

    /// Goes by the digests that the job itself names; those of a checksum list are not known before the run.
    package func part(of download: Download) -> PartOnDisk? {
        guard let state = try? states.load(download.partPath), belongs(state, to: download),
            let length = try? directory.partLength(of: download.partPath, identity: identity)
        else { return nil }
        let isGuarded = download.digests.contains { !$0.algorithm.isWeak } || download.checksumList != nil
        let validator = state.etag ?? state.lastModified
        guard isGuarded || validator != nil else { return nil }
        let bytes = state.trustedBytes(ofLength: length, isGuardedByDigest: isGuarded)
        return bytes > 0 ? PartOnDisk(bytes: bytes, total: state.total, validator: validator) : nil
    }

    private func belongs(_ state: PartState, to download: Download) -> Bool {
        guard download.checksumList == nil else {
            return ExactText(state.path) == download.partPath.path
                && download.sources.contains { ExactText(PartIdentity.withoutQuery($0)) == ExactText(state.source) }
        }
        return (try? PartIdentity(of: download, digests: download.digests).hex()) == state.identity
    }
}

extension PartState {
    /// Bytes that are there and may be believed: of a single stream by its length, of segments by their ranges.
    package func trustedBytes(ofLength length: Int64, isGuardedByDigest: Bool) -> Int64 {
        let trusted = trusted(length, isGuardedByDigest: isGuardedByDigest)
        guard let ranges else { return trusted }
        return ranges.reduce(0) { sum, range in
            guard range.count == 2, range[0] >= 0, range[0] < range[1] else { return sum }
            let (part, overflow) = sum.addingReportingOverflow(max(0, min(range[1], trusted) - range[0]))
            return overflow ? sum : part
        }
    }
}
