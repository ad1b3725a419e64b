import Glibc
import LibSQLite
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport

/// A job's directory with its ledger, and files in it.
struct LedgerBench {
    let disk: Disk
    let state: StateFolder
    var path: String { state.path + "/ledger.sqlite" }
    var reader: LedgerReader { LedgerReader(folder: state, directory: disk.directory) }

    init() throws {
        disk = try Disk()
        state = StateFolder(path: disk.directory.root + "/.runner")
    }

    func ledger(_ job: String = "job") -> Ledger {
        Ledger(folder: state, directory: disk.directory, job: job)
    }

    /// Puts a file in place and tells what its row would be.
    func publish(_ name: String, _ text: String = "text", published: Int64 = 100) throws -> PublishedFile {
        let part = try disk.open(name)
        try part.write(text)
        let state = try part.publish().state
        let digest = try DigestSet.digest(of: Array(text.utf8), by: .sha256)
        return PublishedFile(
            path: at(name), state: state, digests: [digest], source: source, etag: "\"\(name)\"",
            lastModified: "Mon, 30 Nov 2026 00:00:00 GMT", published: published)
    }

    let source = SourceURL(
        url: "https://example.org/a?token=hidden",
        origin: Origin(scheme: "https", host: "example.org", port: 443), place: Place(line: 1, column: 1))

    /// The files of the state folder, sorted, but for the tag that a file system without attributes gets.
    var stateFiles: [String] { DiskFile.entries(state.path).filter { $0 != BackupExclusion.tagName } }

    /// Runs SQL on the ledger as another program might.
    func meddle(_ script: String) throws {
        let connection = try Connection(path: path, access: .existing)
        try connection.execute(script)
    }

    /// What a run that was killed leaves: the database with its log, neither closed.
    func leaveLog() throws -> [String] {
        let connection = try Connection(path: path, access: .existing)
        _ = try connection.text("PRAGMA journal_mode = WAL")
        try connection.execute("PRAGMA wal_autocheckpoint = 0; UPDATE files SET etag = 'from the log'")
        let files = ["", "-wal"].map { (path + $0, DiskFile.read(path + $0) ?? []) }
        withExtendedLifetime(connection) {}
        return try files.map { name, bytes in
            let copy = name + ".copy"
            try DiskFile.write(copy, bytes)
            return copy
        }
    }
}
