internal import RunnerJob
public import RunnerPlan
internal import RunnerStorage
internal import RunnerTransfer

/// What a job has left and does not need: found, and removed when asked for.
public struct JobCleaning: Sendable {
    private let cleaner: Cleaner
    private let site: JobSite

    /// - Parameter plan: of the whole job, since everything that it names stays.
    public init(_ plan: Plan, at site: JobSite) {
        let section = plan.job.clean
        let rules = CleanRules(
            olderThan: section.olderThan, maxSize: section.maxSize, keep: section.keep.map { PathPattern($0) },
            partsOlderThan: section.olderThan)
        let names = plan.tasks.compactMap(\.serverName)
        cleaner = Cleaner(
            directory: site.directory, folder: site.folder, job: site.identity,
            wanted: plan.tasks.flatMap { $0.task.action.work.outputs.map(\.path) } + names.compactMap(\.known),
            inPlace: plan.tasks.filter { $0.verdict == .upToDate }.compactMap(\.partPath),
            // Which of the files there a task means is not known before its server is asked.
            unnamed: names.filter { $0.known == nil }, rules: rules, now: WallClock.seconds)
        self.site = site
    }

    /// What there is to remove, and one sentence when the ledger could not be read; changes nothing.
    public func find() -> (items: [Leaving], warning: String?) {
        let (items, warning) = cleaner.find()
        return (items.map(Leaving.init), warning.map(SiteText.sentence))
    }

    /// Removes what was found; the caller holds the lease of the site.
    ///
    /// - Returns: what is gone, and one sentence for each that could not be removed.
    public func remove(_ items: [Leaving]) -> (removed: [Leaving], failures: [String]) {
        let (removed, failed) = cleaner.remove(items.map(\.item), ledger: site.ledger)
        site.ledger.close()
        return (removed.map(Leaving.init), failed.map { StorageText.sentence($0.error) })
    }
}

extension PlannedTask {
    /// The path that a part file of a download belongs to.
    fileprivate var partPath: TargetPath? {
        if case .download(let download) = task.action { download.partPath } else { nil }
    }

    /// The destination of a download that its server names.
    fileprivate var serverName: ServerName? {
        guard case .download(let download) = task.action, case .named(let name) = download.destination else {
            return nil
        }
        return name
    }
}

/// Something that earlier runs left and that may be removed.
public struct Leaving: Hashable, Sendable {
    /// What it is; the raw values are words for programs.
    public enum Kind: String, CaseIterable, Sendable {
        /// The part file of a destination.
        case part
        /// A file that the job has put in place.
        case download
        /// A file of the state folder that nobody uses any more.
        case leftover
        /// The report of a past run.
        case report
    }

    /// Why it may go.
    public enum Reason: Hashable, Sendable {
        case notWanted
        case tooOld(age: Duration, limit: Duration)
        case overCeiling(bytes: Int64, ceiling: Int64)
        case tooMany(kept: Int)
    }

    let item: CleanItem

    init(_ item: CleanItem) {
        self.item = item
    }

    public var kind: Kind {
        switch item.kind {
        case .part: .part
        case .download: .download
        case .leftover: .leftover
        case .report: .report
        }
    }

    /// Relative to the job's directory, or to the state folder for a leftover and a report.
    public var path: String { item.path }
    /// Bytes that it takes on the disk.
    public var bytes: Int64 { item.bytes }

    public var reason: Reason {
        switch item.reason {
        case .notWanted: .notWanted
        case .tooOld(let age, let limit): .tooOld(age: age, limit: limit)
        case .overCeiling(let bytes, let ceiling): .overCeiling(bytes: bytes, ceiling: ceiling)
        case .tooMany(let kept): .tooMany(kept: kept)
        }
    }
}
