public import RunnerJob

/// A job held to its lock file.
public struct LockedJob: Sendable {
    /// One way in which job and lock file do not agree.
    public struct Drift: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// The job has a download that the lock file does not know.
            case notLocked
            /// The lock file has an entry that no download of the job has.
            case notInJob
            /// Job and lock file ask for different bytes.
            case digest(job: Digest, locked: Digest)
            case size(job: Int64, locked: Int64)
        }

        public var kind: Kind
        /// The destination.
        public var path: ExactText
        /// Where it stands in the job; nil when the job has nothing of it.
        public var place: Place?

        public init(_ kind: Kind, _ path: ExactText, at place: Place?) {
            self.kind = kind
            self.path = path
            self.place = place
        }
    }

    /// The job, whose every download now has the digest and the size of the lock file.
    ///
    /// A file that is there is compared with them too: `exists: keep` becomes `verify`. Optional downloads without an
    /// entry are left out.
    public private(set) var job: Job
    /// In the order of the job, then of the lock file; empty when the job may run.
    public private(set) var drifts: [Drift] = []

    /// Holds a job to a lock file; pure.
    ///
    /// A URL that has changed while the bytes have not is a warning of the job: the digest has the last word.
    ///
    /// - Parameter redactor: masks URLs as it did when the lock file was written.
    public init(_ job: Job, lock: LockFile, redactor: Redactor) {
        self.job = job
        var known: Set<ExactText> = []
        var unlocked: Set<Int> = []
        for index in job.tasks.indices {
            guard case .download(var download) = job.tasks[index].action else { continue }
            let place = job.tasks[index].place
            let entry = lock.entry(of: download, redactor: redactor)
            // What is locked has its name too.
            if let entry { download.destination = .file(TargetPath(normalized: entry.path.text)) }
            known.insert(download.path.path)
            guard let entry else {
                // What may be missing was missing when the lock file was written.
                if job.tasks[index].isOptional {
                    unlocked.insert(index)
                    continue
                }
                drifts.append(Drift(.notLocked, download.path.path, at: place))
                continue
            }
            hold(&download, to: entry, at: place)
            self.job.tasks[index].action = .download(download)
            warn(of: redactor.url(download.sources.first?.url.text ?? ""), entry, at: place)
        }
        leaveOut(unlocked)
        for entry in lock.entries where !known.contains(entry.path) {
            drifts.append(Drift(.notInJob, entry.path, at: nil))
        }
    }

    /// Takes optional downloads out of the job that the lock file does not have.
    private mutating func leaveOut(_ unlocked: Set<Int>) {
        for index in unlocked.sorted() {
            let task = job.tasks[index]
            job.warnings.append(
                Diagnostic(
                    .warning, "'\(task.id)' is optional and not in the lock file, so that it is left out",
                    at: task.place))
        }
        job.tasks = job.tasks.enumerated().filter { !unlocked.contains($0.offset) }.map(\.element)
    }

    private mutating func hold(_ download: inout Download, to entry: LockFile.Entry, at place: Place) {
        if let own = download.digests.first(where: { $0.algorithm == entry.digest.algorithm }) {
            if own != entry.digest {
                drifts.append(Drift(.digest(job: own, locked: entry.digest), entry.path, at: place))
            }
        } else {
            download.digests.append(entry.digest)
        }
        if let own = download.size, own != entry.size {
            drifts.append(Drift(.size(job: own, locked: entry.size), entry.path, at: place))
        }
        download.size = entry.size
        // The lock file is what the list said when it was written; a list is not asked for again.
        download.checksumList = nil
        if download.exists == .keep { download.exists = .verify }
    }

    private mutating func warn(of url: String, _ entry: LockFile.Entry, at place: Place) {
        guard ExactText(url) != ExactText(entry.url) else { return }
        job.warnings.append(
            Diagnostic(
                .warning,
                "the URL is not the one that was locked (\(entry.url)); the locked digest decides about the file",
                at: place))
    }
}
