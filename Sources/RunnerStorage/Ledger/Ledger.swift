internal import LibSQLite
package import RunnerJob
internal import Synchronization

/// What is known of files, origins and runs over the end of a run; rows in SQLite below the state folder.
///
/// It is opened, and made, by the first row that is written. Every call may wait for the disk and belongs on a thread
/// that may block; calls of several threads follow each other. Losing it costs time, never correctness.
package final class Ledger: Sendable {
    private enum State {
        case closed
        case open(Connection)
        /// Its locks cannot be had; to wait for them once more would only take time.
        case barred(LedgerError)
    }

    private let file: LedgerFile
    private let directory: JobDirectory
    private let job: String
    /// What parts the paths of this directory from those of others that share the state folder.
    private let root: String
    private let state = Mutex(State.closed)
    private let syncer: FileSyncer
    private let warnings = Mutex<[LedgerWarning]>([])

    /// - Parameters:
    ///   - job: the job's identity.
    package init(folder: StateFolder, directory: JobDirectory, job: String) {
        file = LedgerFile(folder: folder)
        self.directory = directory
        self.job = job
        root = LedgerRoot.of(directory, in: folder)
        syncer = FileSyncer(directory: directory)
    }

    /// What was found wrong since the last call.
    package func takeWarnings() -> [LedgerWarning] {
        warnings.withLock { warnings in
            defer { warnings = [] }
            return warnings
        }
    }

    /// Writes rows of files that were put in place; all of them or none.
    ///
    /// Call it once for many files, after they are in place and before ``checkpoint()``.
    package func record(files: [PublishedFile]) throws(LedgerError) {
        guard !files.isEmpty else { return }
        syncer.watch(files)
        let (root, job) = (root, job)
        try write { connection throws(SQLiteError) in
            try connection.insert(files, root: root, job: job)
        }
    }

    /// Writes rows of tasks that were done; all of them or none.
    package func record(products: [Product]) throws(LedgerError) {
        guard !products.isEmpty else { return }
        let (root, job) = (root, job)
        try write { connection throws(SQLiteError) in
            for product in products { try connection.insert(product, root: root, job: job) }
        }
    }

    /// Takes out the rows of files that are no longer there.
    package func forget(files: [TargetPath]) throws(LedgerError) {
        guard !files.isEmpty else { return }
        let root = root
        try write { connection throws(SQLiteError) in
            for path in files {
                try connection.run("DELETE FROM files WHERE root = ? AND path = ?", .text(root), .text(path.text))
            }
        }
    }

    /// Keeps until when origins are to be left alone; what is over by `now`, in milliseconds since 1970, is dropped.
    package func hold(_ origins: [OriginHold], now: Int64) throws(LedgerError) {
        guard !origins.isEmpty else { return }
        try write { connection throws(SQLiteError) in
            try connection.run("DELETE FROM origins WHERE held_until <= ?", .integer(now))
            for hold in origins {
                try connection.run(
                    "INSERT OR REPLACE INTO origins VALUES (?, ?, ?)", .text(hold.origin), .integer(hold.until),
                    .text(hold.reason))
            }
        }
    }

    /// Writes a run when it begins, and again when it has ended.
    package func record(run: RunRow) throws(LedgerError) {
        try write { connection throws(SQLiteError) in
            try connection.run(
                "INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(run.run),
                .text(run.job), .text(run.name), .text(run.file), .integer(run.started), .integer(run.finished),
                .text(run.outcome), .integer(run.exitStatus), .text(RunCounts.text(run.counts)), .text(run.report),
                .integer(run.bytes), .integer(run.transferred))
        }
    }

    /// Takes out runs whose reports are no longer kept.
    package func forget(runs: [String]) throws(LedgerError) {
        guard !runs.isEmpty else { return }
        try write { connection throws(SQLiteError) in
            for run in runs { try connection.run("DELETE FROM runs WHERE run = ?", .text(run)) }
        }
    }

    /// Takes out the runs of this job whose reports are no longer kept.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: what was taken out.
    package func pruneRuns(now: Int64) throws(LedgerError) -> [RunRow] {
        let job = job
        let rows = try whenOpen { connection throws(SQLiteError) in try connection.runs(job: job, limit: .max) }
        let old = CleanDecision.runs(rows ?? [], now: now).map(\.run)
        try forget(runs: old.map(\.run))
        return old
    }

    /// Syncs the data of files whose rows are not marked yet, then marks them.
    ///
    /// May take as long as the disk needs for all that was written. Rows are written meanwhile by other threads, and
    /// are left for the next time.
    /// - Returns: number of rows that are sure now.
    @discardableResult
    package func checkpoint() throws(LedgerError) -> Int {
        try checkpointProducts()
        let root = root
        guard let pending = try whenOpen({ connection throws(SQLiteError) in try connection.pending(root: root) }),
            !pending.isEmpty
        else { return 0 }
        let synced = syncer.synchronize(pending)
        guard !synced.isEmpty else { return 0 }
        try write { connection throws(SQLiteError) in
            for file in synced {
                try connection.run(
                    "UPDATE files SET synced = 1 WHERE root = ? AND path = ? AND inode = ? AND changed = ?",
                    .text(root), .text(file.path.text), .integer(file.inode), .integer(file.changed))
            }
        }
        return synced.count
    }

    /// Syncs what tasks have made, which may be thousands of files, by its whole file system.
    private func checkpointProducts() throws(LedgerError) {
        let root = root
        let isPending = try whenOpen { connection throws(SQLiteError) in
            try connection.hasUnsyncedProducts(root: root)
        }
        guard isPending == true, syncer.synchronizeDirectory() else { return }
        try write { connection throws(SQLiteError) in
            try connection.run(
                "UPDATE products SET synced = 1 WHERE root = ? AND boot = ?", .text(root), .text(BootID.current))
        }
    }

    /// Closes the ledger, so that no log is left; rows that were not marked stay so.
    package func close() {
        state.withLock { $0 = .closed }
        syncer.close()
    }

    /// Does something in a transaction; a ledger that proves to be damaged is set aside, and the whole is done anew.
    private func write(_ body: @Sendable (Connection) throws(SQLiteError) -> Void) throws(LedgerError) {
        try state.withLock { (state) throws(LedgerError) in
            for isSecond in [false, true] {
                let connection = try opened(&state)
                do throws(SQLiteError) {
                    try connection.transaction { () throws(SQLiteError) in try body(connection) }
                    return
                } catch {
                    state = .closed
                    if isSecond || !error.isDamage { throw barring(LedgerError(error, path: file.path), &state) }
                }
                try setAside(text: "damage was found while it was written")
            }
        }
    }

    private func opened(_ state: inout State) throws(LedgerError) -> Connection {
        switch state {
        case .open(let connection): return connection
        case .barred(let error): throw error
        case .closed: break
        }
        let connection: Connection
        do throws(LedgerError) {
            connection = try file.open { warning in warnings.withLock { $0.append(warning) } }
        } catch {
            throw barring(error, &state)
        }
        state = .open(connection)
        return connection
    }

    /// Lets go of a ledger whose lock was waited for in vain, until it is closed.
    private func barring(_ error: LedgerError, _ state: inout State) -> LedgerError {
        if error.isBusy { state = .barred(error) }
        return error
    }

    private func setAside(text: String) throws(LedgerError) {
        let target = try file.setAside()
        warnings.withLock { $0.append(.damaged(setAside: target, text: text)) }
    }

    /// Asks a ledger that is open; nil when it is not.
    private func whenOpen<Result: Sendable>(
        _ body: @Sendable (Connection) throws(SQLiteError) -> Result
    ) throws(LedgerError) -> Result? {
        try state.withLock { (state) throws(LedgerError) in
            guard case .open(let connection) = state else { return nil }
            do throws(SQLiteError) {
                return try body(connection)
            } catch {
                throw LedgerError(error, path: file.path)
            }
        }
    }
}
