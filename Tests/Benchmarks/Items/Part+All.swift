import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerReport
import RunnerStorage
import TestSupport

extension Part {
    /// Every part, in the order in which a run needs them.
    static func all(in folder: LedgerFolder) -> [Part] {
        [parse, expand, plan, digest, report, writeLedger(in: folder), readLedger(in: folder)]
    }

    private static var parse: Part {
        Part(name: "parse: a download with a digest") { count in
            let input = JobTexts.input(JobTexts.listed(count))
            return { try JobParser.parse(input).tasks.count }
        }
    }

    private static var expand: Part {
        Part(name: "expand: a row of a matrix") { count in
            let input = JobTexts.input(JobTexts.matrix(count))
            return { try JobParser.parse(input).tasks.count }
        }
    }

    private static var plan: Part {
        Part(name: "plan: nothing on disk") { count in
            let job = try JobParser.parse(JobTexts.input(JobTexts.listed(count)))
            return { try Planner.plan(job, disk: EmptyDisk()).tasks.count }
        }
    }

    private static var digest: Part {
        Part(name: "digest: SHA-256 of 4 KiB") { count in
            let content = [UInt8](repeating: 7, count: 4 << 10)
            return {
                for _ in 0..<count { _ = try DigestSet.digest(of: content, by: .sha256) }
                return count
            }
        }
    }

    private static var report: Part {
        Part(name: "report: the two lines of a task") { count in
            let events = try Plans.events(count)
            return {
                var encoder = ReportEncoder(run: "20261129T031500-ab12")
                var lines = 0
                for event in events where !encoder.line(event).isEmpty { lines += 1 }
                return lines / 2
            }
        }
    }

    /// Every round writes the same rows anew, 500 to a transaction, as a run does when many files end together.
    private static func writeLedger(in folder: LedgerFolder) -> Part {
        Part(name: "ledger: a row written") { count in
            let rows = Plans.rows(count)
            return {
                let ledger = Ledger(folder: folder.state(count), directory: folder.directory, job: "bench")
                for start in stride(from: 0, to: count, by: 500) {
                    try ledger.record(files: Array(rows[start..<min(start + 500, count)]))
                }
                ledger.close()
                return count
            }
        }
    }

    private static func readLedger(in folder: LedgerFolder) -> Part {
        Part(name: "ledger: a row read") { count in
            { LedgerReader(folder: folder.state(count), directory: folder.directory).contents().value.files.count }
        }
    }
}

/// A disk on which nothing lies.
private struct EmptyDisk: DiskView {
    func state(of path: TargetPath) -> FileState? { nil }
    func freeSpace() -> Int64? { nil }
    func isOpenToOthers(_ path: String) -> Bool { false }
}

/// Where ledgers are written, one for each number of rows.
struct LedgerFolder {
    private let folder: TemporaryDirectory
    let directory: JobDirectory

    init() throws {
        folder = try TemporaryDirectory()
        directory = JobDirectory(root: folder.path)
    }

    func state(_ rows: Int) -> StateFolder { StateFolder(path: "\(folder.path)/state-\(rows)") }
}
