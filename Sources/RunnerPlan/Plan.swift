public import RunnerJob

/// What a run would do, task by task, and why.
///
/// Made once, never changed.
public struct Plan: Sendable {
    public var job: Job
    /// The job's tasks in file order, then the tasks that they imply (fetching a checksum list);
    /// only those that were selected.
    public var tasks: [PlannedTask]
    /// Indices into ``tasks`` in the order in which they would start with one slot:
    /// what a task needs comes first; then priority, then critical path, then file order.
    public var order: [Int]
    /// Job warnings and those found while planning.
    public var warnings: [Diagnostic]
    /// Bytes that were free for the job's directory when the plan was made; nil when that could not be told.
    public var freeSpace: Int64?
    /// Local time at which the job's hours begin, such as `22:00` or `Sat 22:00`; nil when transfers may start at once.
    public private(set) var waitsUntil: String?

    public init(
        job: Job, tasks: [PlannedTask], order: [Int], warnings: [Diagnostic], freeSpace: Int64? = nil
    ) {
        self.job = job
        self.tasks = tasks
        self.order = order
        self.warnings = warnings
        self.freeSpace = freeSpace
    }

    /// Where the checksum list of a download lies when the download begins; nil when it has none.
    public func checksumList(of planned: PlannedTask) -> ChecksumListFile? {
        guard case .download(let download) = planned.task.action, let list = download.checksumList else { return nil }
        switch list.source {
        case .path(let path):
            return ChecksumListFile(path, at: list.place, digests: list.digests)
        case .url:
            guard let task = planned.checksumListTask, case .download(let fetched) = tasks[task].task.action else {
                return nil
            }
            return ChecksumListFile(fetched.path, at: list.place, digests: list.digests)
        }
    }

    /// Looks at the clock: whether a run that began now would have to wait for the job's hours.
    public mutating func lookAt(_ clock: JobClock) {
        switch WindowState(job.limits.windows, at: clock.now, local: clock.local) {
        case .open: waitsUntil = nil
        case .closed(let until): waitsUntil = clock.local(until).clockText(seenFrom: clock.local(clock.now))
        }
    }
}

/// One task of a plan.
public struct PlannedTask: Sendable {
    public var task: JobTask
    /// Indices of the tasks that must have succeeded first, ascending and without repetition.
    public var needs: [Int]
    /// Whether the job file did not name it: it fetches what another task refers to.
    public var isImplied: Bool
    public var verdict: Verdict
    public var reason: Reason
    /// Bytes that would be transferred or read, where known.
    public var bytes: Int64?
    /// Index of the task that writes the checksum list of this download.
    public var checksumListTask: Int?
    /// Tasks on the longest chain that begins here, itself included.
    public var criticalPath: Int
    /// What an earlier run left for this one to begin with.
    public var recollection: Recollection?

    /// What the server is asked with; there where the verdict is ``Verdict/revalidate``.
    public var validators: RevalidationValidators? {
        if case .validators(let validators)? = recollection { validators } else { nil }
    }
    /// What the ledger keeps of the last time that the task was done; nil where it has nothing, or is not believed.
    public var product: ProductRecord? {
        if case .work(let product, _)? = recollection { product } else { nil }
    }
    /// What the ledger knows of the bytes of files that the task reads.
    public var contents: KnownContents {
        if case .work(_, let contents)? = recollection { contents } else { [:] }
    }

    /// What the ledger has of the file; there where the file is as recorded, or has to be compared.
    public var record: PublishedRecord? {
        if case .record(let record)? = recollection { record } else { nil }
    }

    public init(
        task: JobTask, needs: [Int] = [], isImplied: Bool = false, verdict: Verdict, reason: Reason,
        bytes: Int64? = nil, checksumListTask: Int? = nil, criticalPath: Int = 1,
        recollection: Recollection? = nil
    ) {
        self.task = task
        self.needs = needs
        self.isImplied = isImplied
        self.verdict = verdict
        self.reason = reason
        self.bytes = bytes
        self.checksumListTask = checksumListTask
        self.criticalPath = criticalPath
        self.recollection = recollection
    }
}

/// What an earlier run left for a task to begin with.
///
/// It lies apart, since most tasks have none.
public indirect enum Recollection: Sendable {
    /// Of a download: what the server is asked with.
    case validators(RevalidationValidators)
    /// Of a download: what the ledger has of the file, which needs nothing or whose digest will be told during the run.
    case record(PublishedRecord)
    /// Of every other kind: what was made of what, the last time, and what is known of the bytes that it reads.
    case work(ProductRecord?, KnownContents)
}

/// What would be done with a task.
///
/// The raw values are words of the plan and of the report.
public enum Verdict: String, Sendable, CaseIterable {
    case fetch, resume, revalidate, verify
    case upToDate = "up_to_date"
    case run
}

/// Why a verdict is what it is.
///
/// Becomes words in RunnerReport, nowhere else.
public enum Reason: Hashable, Sendable {
    case notOnDisk
    /// `exists: replace`.
    case replaceAsked
    /// `exists: keep` and the file is there.
    case keepAsked
    /// `exists: fail` and the file is there: the run will fail this task.
    case existsAndMustNot
    /// The size on the disk is not the one asked for.
    case sizeDiffers(onDisk: Int64, wanted: Int64)
    /// The digest in the job has to be compared with the file's bytes.
    case digestToCheck(onDisk: Int64)
    /// The digest comes from a list that is read during the run.
    case listToRead(onDisk: Int64)
    /// On disk, but nothing says what it should be.
    case nothingToCompare(onDisk: Int64)
    /// All is as it should be but for the permission bits.
    case modeDiffers
    /// Something else than a file is there: the run will fail this task.
    case notAFile
    /// A symbolic link is there: it will be replaced, not followed.
    case symbolicLink
    /// A part file holds that many bytes; the rest is asked for with that validator.
    case partOnDisk(at: Int64, validator: String?)
    /// The digest is known and the file is as it was put in place, at that time in seconds since 1970.
    case asRecorded(since: Int64)
    /// The file is not as it was put in place at that time.
    case changedSince(Int64, onDisk: Int64)
    /// The machine has started anew before the bytes were surely on the disk.
    case notSynced(onDisk: Int64)
    /// The file is as recorded, but a digest that is asked for was not computed then.
    case digestNotRecorded(onDisk: Int64)
    /// The file is as recorded, and is known to have another digest.
    case otherDigestRecorded
    /// `--rehash`.
    case rehashAsked(onDisk: Int64)
    /// The server is asked whether its file still has the entity tag, or the date, that came with this one.
    case entityTagToAsk(String)
    case dateToAsk(String)
    /// The server sent neither an entity tag nor a date with the file.
    case noValidator
    /// The file came from another URL, or was asked for with other header fields.
    case sourceChanged
    /// The ledger knows of no time that the task was done.
    case notDoneBefore
    /// Nothing tells whether the task would do anything new, so that it is always done.
    case alwaysDone
    /// Something else was asked of the task when it was done, at that time in seconds since 1970.
    case askedOtherwise(since: Int64)
    /// What the task made is not there, or not as it was left.
    case resultMissing(TargetPath)
    case resultChanged(TargetPath)
    /// The machine has started anew before what the task made was surely on the disk.
    case resultNotSynced
    /// What the task reads is not as it was when the task was done.
    case inputChanged(TargetPath)
    /// What the task reads is still to be made; whether it changes is seen then.
    case inputToCome(TargetPath)
    /// Nothing lies where the task reads: the run will fail it unless it comes.
    case inputMissing(TargetPath)
    /// Done at that time in seconds since 1970, and nothing has changed.
    case asDone(since: Int64)
}
