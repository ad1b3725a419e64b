internal import Glibc

/// What is known of the runs that a state folder has seen; reads only, and leaves nothing behind.
package struct RunArchive: Sendable {
    private let folder: StateFolder

    package init(folder: StateFolder) {
        self.folder = folder
    }

    /// Where the report of a run lies, relative to the state folder.
    package static func reportName(of run: String) -> String { "reports/\(run).jsonl" }

    /// Whether there is a state folder at all.
    package var exists: Bool { access(folder.path, F_OK) == 0 }

    /// The newest runs, the last one first; of all jobs where `job` is nil.
    package func runs(of job: String?) -> LedgerReader.Answer<[RunRow]> {
        LedgerReader(folder: folder, directory: JobDirectory(root: folder.path)).runs(of: job)
    }

    /// The report of a run; nil when it is not there or cannot be read.
    package func report(of run: RunRow) -> [UInt8]? {
        name(ofReport: run).flatMap { folder.read($0, limit: 1 << 30) }
    }

    /// Names of the runs that have a report, in no order.
    package func reports() -> [String] {
        folder.names(in: "reports").filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }
    }

    /// The report of a run by its name.
    package func report(of run: String) -> [UInt8]? {
        folder.read(Self.reportName(of: run), limit: 1 << 30)
    }

    /// Absolute path of the report of a run; nil when it is not there.
    package func path(ofReport run: RunRow) -> String? {
        name(ofReport: run).map { "\(folder.path)/\($0)" }.flatMap { access($0, R_OK) == 0 ? $0 : nil }
    }

    private func name(ofReport run: RunRow) -> String? {
        guard let name = run.report, name.hasPrefix("reports/"), !name.contains("/../") else { return nil }
        return name
    }

    /// Who holds the lease of a job now; nil when nobody does, or when that cannot be told.
    ///
    /// - Parameter now: seconds since 1970.
    package func holder(of job: String, now: Int64) -> LeaseHolder? {
        (try? Lease.current(in: folder, job: job, now: now &* 1_000_000_000)) ?? nil
    }
}
