internal import RunnerJob
internal import RunnerStorage
internal import RunnerTransfer

/// The runs that a state folder has seen; to look at them changes nothing.
public struct RunHistory: Sendable {
    /// Absolute path of the state folder.
    public let stateFolder: String
    /// Of the job whose runs are meant; nil for those of all jobs.
    public let identity: String?
    private let archive: RunArchive

    /// - Parameter identity: of the job whose runs are meant; nil for those of all jobs.
    public init(stateFolder: String, identity: String? = nil) {
        self.stateFolder = stateFolder
        self.identity = identity
        archive = RunArchive(folder: StateFolder(path: stateFolder))
    }

    /// Whether there is such a folder.
    public var exists: Bool { archive.exists }

    /// The newest runs, the last one first, and one sentence when the ledger could not be read.
    public func runs() -> (runs: [PastRun], warning: String?) {
        let answer = archive.runs(of: identity)
        var holders: [String: LeaseHolder?] = [:]
        let runs = answer.value.map { row -> PastRun in
            guard row.finished == nil else { return PastRun(row, .finished) }
            if holders[row.job] == nil {
                holders[row.job] = .some(archive.holder(of: row.job, now: WallClock.seconds))
            }
            guard let holder = holders[row.job] ?? nil, holder.run == row.run else { return PastRun(row, .killed) }
            return PastRun(row, .running(host: holder.host, pid: holder.pid))
        }
        return (runs, answer.warning.map(SiteText.sentence))
    }

    /// Reports that no row of the ledger tells of, as after its loss; the newest first.
    public func strayReports() -> [(run: String, report: [UInt8])] {
        let known = Set(archive.runs(of: nil).value.map(\.run))
        return archive.reports().filter { !known.contains($0) }.sorted(by: >).compactMap { run in
            archive.report(of: run).map { (run, $0) }
        }
    }

    /// Where a run stands that has not told of its end.
    public func state(ofUnfinished run: String) -> PastRun.State {
        guard let holder = identity.flatMap({ archive.holder(of: $0, now: WallClock.seconds) }), holder.run == run
        else { return .killed }
        return .running(host: holder.host, pid: holder.pid)
    }

    /// Absolute path of the report of a run; nil when it is not kept any more.
    public func reportPath(of run: PastRun) -> String? {
        archive.path(ofReport: run.row)
    }

    /// The report of a run; nil when it is not kept any more.
    public func report(of run: PastRun) -> [UInt8]? {
        archive.report(of: run.row)
    }
}

/// A run that a state folder knows of.
public struct PastRun: Hashable, Sendable {
    /// Where a run stands.
    public enum State: Hashable, Sendable {
        /// It lasts, in that process.
        case running(host: String, pid: Int32)
        /// It began, never said how it ended, and lasts no more.
        case killed
        case finished

        /// The state in one word, for programs.
        public var word: String {
            switch self {
            case .running: "running"
            case .killed: "killed"
            case .finished: "finished"
            }
        }
    }

    public var state: State
    private(set) var row: RunRow

    init(_ row: RunRow, _ state: State) {
        self.row = row
        self.state = state
    }

    /// A run as its report tells of it, where the ledger does not.
    ///
    /// - Parameter identity: of its job; nil where that is not known.
    public init(run: String, identity: String?, job: String, file: String, started: Int64, state: State) {
        row = RunRow(
            run: run, job: identity ?? job + "\n" + file, name: job, file: file, started: started,
            report: RunArchive.reportName(of: run))
        self.state = state
    }

    /// Adds how it ended.
    public mutating func end(
        at finished: Int64, outcome: String, exitStatus: Int64?, counts: [String: Int64], bytes: Int64?,
        transferred: Int64?
    ) {
        row.finished = finished
        row.outcome = outcome
        row.exitStatus = exitStatus
        row.counts = counts
        row.bytes = bytes
        row.transferred = transferred
    }

    /// Whether it lasts.
    public var isGoingOn: Bool {
        if case .running = state { true } else { false }
    }

    /// Unique name of the run.
    public var run: String { row.run }
    /// What tells the job from all others.
    public var identity: String { row.job }
    /// The job's name, and its file as it was given.
    public var job: String { row.name }
    public var file: String { row.file }
    /// Milliseconds since 1970.
    public var started: Int64 { row.started }
    public var finished: Int64? { row.finished }
    /// Raw value of ``RunFinished/Outcome``.
    public var outcome: String? { row.outcome }
    public var exitStatus: Int64? { row.exitStatus }
    /// Number of tasks by the raw value of their outcome.
    public var counts: [String: Int64] { row.counts }
    /// Size of all files that were in place at the end.
    public var bytes: Int64? { row.bytes }
    /// Body bytes that came over the network.
    public var transferred: Int64? { row.transferred }
}

extension JobSite {
    /// The runs of this job.
    public var history: RunHistory { RunHistory(stateFolder: stateFolder, identity: identity) }

    /// Absolute path of the report that is kept of a run.
    public func reportPath(of run: String) -> String { stateFolder + "/" + RunArchive.reportName(of: run) }

    /// Bytes of a destination's part file; nil when there is none.
    public func partBytes(of destination: String) -> Int64? {
        let path = TargetPath(normalized: destination)
        return (try? directory.partLength(of: path, identity: identity)) ?? nil
    }
}
