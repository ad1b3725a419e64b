internal import RunnerJob
internal import RunnerPlan
internal import RunnerStorage
internal import RunnerTransfer

/// A job of which an earlier run says that all was in place at its end, and what that run's word depends on.
public struct SettledJob: Sendable {
    private let record: SettledRecord
    /// Where the job works; its lease is to be taken before ``isInPlace()`` is asked.
    public let site: JobSite

    /// What an earlier run left of a job; nil when there is nothing, or it was written before the machine started.
    ///
    /// - Parameter stateFolder: absolute path of the folder of what is kept between runs.
    public init?(identity: String, stateFolder: String) {
        guard let record = SettledRecord.load(job: identity, from: StateFolder(path: stateFolder)),
            !record.boot.isEmpty, record.boot == BootID.current
        else { return nil }
        self.record = record
        site = JobSite(directory: record.directory, identity: identity, stateFolder: stateFolder)
    }

    /// What the job was read from hashed to then.
    public var key: [UInt8] { record.key }
    /// What the key was made of, besides the job file.
    public var variables: [String] { record.variables }
    public var inputs: [String] { record.inputs }
    /// Absolute path of the job's own report; nil where it asks for none.
    public var report: String? { record.report }
    /// What the report's lines tell of the tasks, each ended by a line feed.
    public var lines: ArraySlice<UInt8> { record.lines }
    public var tasks: Int { record.tasks }
    /// Size of all files.
    public var bytes: Int64 { record.bytes }

    /// Whether every file is as it was then; two threads look.
    public func isInPlace() async -> Bool {
        let (first, second) = record.files.halves
        let directory = site.directory
        async let rest = directory.holds(second)
        let holds = directory.holds(first)
        return await rest && holds
    }

    /// The first event of a run that has nothing to do.
    public func started(_ run: String, version: String, concurrency: Int?) -> RunStarted {
        RunIdentity.started(
            run: run, job: record.job, file: record.file, fileSHA256: record.fileSHA256, version: version,
            tasks: record.tasks,
            limits: Limits(
                concurrency: DescriptorLimit.concurrency(concurrency ?? record.concurrency), perHost: record.perHost))
    }

    /// Writes the run into the ledger.
    ///
    /// - Returns: a warning where the ledger refuses; the run is what it is without.
    public func book(_ started: RunStarted, at began: Int64, _ finished: RunFinished) -> String? {
        defer { site.ledger.close() }
        do throws(LedgerError) {
            let row = RunRow(
                run: started.run, job: site.identity, name: started.job, file: started.file, started: began,
                report: RunArchive.reportName(of: started.run))
            try Bookkeeper.end(row.ended(finished, at: WallClock.milliseconds), at: site)
            return nil
        } catch {
            return Bookkeeper.Refusal(error).message
        }
    }
}
