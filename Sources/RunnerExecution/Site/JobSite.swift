public import RunnerJob
public import RunnerPlan
internal import RunnerStorage
internal import RunnerTransfer
internal import Synchronization

/// A job's place on the disk: its directory, what earlier runs left, and who may work there now.
///
/// Looking changes nothing. ``occupy(run:)`` is what a run does before it writes anything.
public final class JobSite: Sendable {
    /// Tells this job from all others: the real path of its file, for example.
    public let identity: String
    /// Absolute path of the folder of what is kept between runs.
    public let stateFolder: String
    let directory: JobDirectory
    let folder: StateFolder
    let ledger: Ledger
    private let lease = Mutex<Lease?>(nil)
    /// How the ledger looked when a view was taken last.
    private let seen = Mutex<LedgerMark?>(nil)
    private var reader: LedgerReader { LedgerReader(folder: folder, directory: directory) }

    /// - Parameter stateFolder: nil for `.runner` in the job's directory.
    public convenience init(_ job: Job, identity: String, stateFolder: String? = nil) {
        self.init(
            directory: job.directory, identity: identity, stateFolder: stateFolder ?? job.directory + "/.runner")
    }

    /// - Parameter directory: absolute path of the folder that relative paths start from.
    init(directory root: String, identity: String, stateFolder: String) {
        self.identity = identity
        self.stateFolder = stateFolder
        directory = JobDirectory(root: root)
        folder = StateFolder(path: self.stateFolder)
        ledger = Ledger(folder: folder, directory: directory, job: identity)
    }

    /// Folder of the checksum lists that the job names by URL.
    public var listsFolder: TargetPath {
        let isUsual = ExactText(stateFolder) == ExactText(directory.root + "/.runner")
        return isUsual ? Planner.standardListsFolder : TargetPath(normalized: stateFolder + "/lists")
    }

    /// What a planner may look at: the disk, the ledger, and parts of earlier runs, as they are now.
    public func view() -> SiteView {
        let mark = reader.mark()
        seen.withLock { $0 = mark }
        let contents = reader.contents(job: identity)
        return SiteView(
            disk: JobDisk(
                directory: directory, ledger: contents.value, states: PartStates(folder: folder, job: identity),
                identity: identity),
            warning: contents.warning.map(SiteText.sentence))
    }

    /// Whether a run has written down what it did since ``view()`` was called last: a plan made of that view may do
    /// again what was done.
    public var isViewOutdated: Bool {
        seen.withLock { $0.map { $0 != reader.mark() } ?? false }
    }

    /// Takes the job's lease, so that no other run of it works at the same time.
    ///
    /// - Throws: ``SiteRefusal`` at once when another run has it, or when the state folder cannot be written.
    public func occupy(run: String) throws(SiteRefusal) {
        do throws(LeaseError) {
            let lease = try Lease.acquire(in: folder, job: identity, run: run, now: WallClock.seconds)
            self.lease.withLock { $0 = lease }
        } catch {
            throw SiteRefusal(error, folder: stateFolder)
        }
    }

    /// Gives the lease back.
    public func leave() {
        lease.withLock { $0.take() }?.release()
    }

    /// Shows that the run is alive; false when another run has taken the lease over.
    func heartbeat() -> Bool {
        lease.withLock { $0?.heartbeat() ?? true }
    }
}

/// The disk as a planner sees it; see ``JobSite/view()``.
public struct SiteView: DiskView, Sendable {
    let disk: JobDisk
    /// One sentence when the ledger could not be read; planning goes on without it.
    public let warning: String?

    /// Until when origins want to be left alone, in milliseconds since 1970, by ``Origin/description``.
    public var holds: [String: Int64] {
        Dictionary(disk.ledger.origins.map { ($0.origin, $0.until) }) { max($0, $1) }
    }

    public func state(of path: TargetPath) -> FileState? { disk.state(of: path) }
    public func freeSpace() -> Int64? { disk.freeSpace() }
    public func isOpenToOthers(_ path: String) -> Bool { disk.isOpenToOthers(path) }
    public func record(of path: TargetPath) -> PublishedRecord? { disk.record(of: path) }
    public func paths(from sources: Set<Int64>) -> [Int64: [TargetPath]] { disk.paths(from: sources) }
    public func part(of download: Download) -> PartOnDisk? { disk.part(of: download) }
    public func product(of key: ExactText) -> ProductRecord? { disk.product(of: key) }
    public func stamp(of path: TargetPath) -> PathStamp { disk.stamp(of: path) }
}

/// Why a run may not begin at a site.
public struct SiteRefusal: Error, Hashable, Sendable {
    /// One sentence in words.
    public var message: String
    /// Whether another run of the same job is at work, so that waiting would help.
    public var isOccupied: Bool

    init(_ error: LeaseError, folder: String) {
        switch error {
        case .held(let holder):
            message = "another run of this job is at work: \(SiteText.name(holder))"
            isOccupied = true
        case .heldByUnknown(let path):
            message =
                "another run of this job seems to be at work: \(path) does not say which; it counts for a minute after its"
                + " last change"
            isOccupied = true
        case .storage(let error):
            let advice = StorageText.advice(error).map { "; \($0)" } ?? ""
            message = "the state folder \(folder) cannot be used: \(StorageText.sentence(error))\(advice)"
            isOccupied = false
        }
    }
}

/// What lies in the state folder, in words.
enum SiteText {
    static func name(_ holder: LeaseHolder) -> String {
        "process \(holder.pid) on \(holder.host), since \(Self.time(holder.since)), run \(holder.run)"
    }

    static func sentence(_ warning: LedgerWarning) -> String {
        switch warning {
        case .damaged(let path, let text): "the ledger was damaged (\(text)) and was set aside as \(path)"
        case .newer(let path, let migration):
            "the ledger was written by a newer version (\(migration)) and was set aside as \(path)"
        case .unreadable(let path, let text): "the ledger \(path) is not used: \(text)"
        }
    }

    static func sentence(_ error: LedgerError) -> String {
        switch error {
        case .refused(let path, _, _, let text): "\(path): \(text)"
        case .storage(let error): StorageText.sentence(error)
        }
    }

    private static func time(_ seconds: Int64) -> String {
        CivilTime(utc: seconds).text
    }
}
