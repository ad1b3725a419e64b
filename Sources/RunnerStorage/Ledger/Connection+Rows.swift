internal import LibSQLite
internal import RunnerJob
internal import RunnerPlan

/// The rows of the ledger as values.
extension Connection {
    func insert(_ files: [PublishedFile], root: String, job: String) throws(SQLiteError) {
        let statement = try statement(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")
        for file in files {
            try statement.bind([
                .text(root), .text(file.path.text), .text(job), .integer(file.state.size),
                .integer(file.state.modified), .integer(file.state.changed),
                .integer(Int64(bitPattern: file.state.inode)), .integer(Int64(bitPattern: file.state.device)),
                .text(RecordedDigests(file.digests).text), .text(file.source), .integer(file.sourceKey),
                .text(file.etag), .text(file.lastModified), .integer(file.published), .text(BootID.current),
            ])
            while try statement.step() {}
        }
    }

    /// Files of this boot that are not marked as synced.
    ///
    /// Those of an earlier boot stay unmarked: what the power loss took is not known.
    func pending(root: String) throws(SQLiteError) -> [FileSyncer.Pending] {
        let statement = try statement(
            "SELECT path, device, inode, changed FROM files WHERE synced = 0 AND boot = ? AND root = ?")
        try statement.bind([.text(BootID.current), .text(root)])
        var files: [FileSyncer.Pending] = []
        while try statement.step() {
            files.append(
                FileSyncer.Pending(
                    path: TargetPath(normalized: statement.text(0) ?? ""),
                    device: UInt64(bitPattern: statement.integer(1) ?? 0), inode: statement.integer(2) ?? 0,
                    changed: statement.integer(3) ?? 0))
        }
        return files
    }

    /// The files that a job has put in place, the oldest first.
    func files(root: String, job: String) throws(SQLiteError) -> [OwnedFile] {
        let statement = try statement(
            "SELECT \(RecordedFiles.columns) FROM files WHERE root = ? AND job = ? ORDER BY published, path")
        try statement.bind([.text(BootID.current), .text(root), .text(job)])
        var files = RecordedFiles()
        while try statement.step() { files.append(statement) }
        return zip(files.paths, files.records).map { OwnedFile(path: TargetPath(normalized: $0.text), record: $1) }
    }

    func origins() throws(SQLiteError) -> [OriginHold] {
        let statement = try statement("SELECT origin, held_until, reason FROM origins ORDER BY origin")
        var holds: [OriginHold] = []
        while try statement.step() {
            holds.append(
                OriginHold(
                    origin: statement.text(0) ?? "", until: statement.integer(1) ?? 0, reason: statement.text(2) ?? ""))
        }
        return holds
    }

    /// The newest runs, the last one first; of all jobs where `job` is nil.
    func runs(job: String?, limit: Int) throws(SQLiteError) -> [RunRow] {
        let statement = try statement(
            """
            SELECT run, job, name, file, started, finished, outcome, exit_status, counts, report, bytes, transferred
            FROM runs
            WHERE job = ?1 OR ?1 IS NULL ORDER BY started DESC, run DESC LIMIT ?2
            """)
        try statement.bind([.text(job), .integer(Int64(limit))])
        var runs: [RunRow] = []
        while try statement.step() {
            runs.append(
                RunRow(
                    run: statement.text(0) ?? "", job: statement.text(1) ?? "", name: statement.text(2) ?? "",
                    file: statement.text(3) ?? "", started: statement.integer(4) ?? 0,
                    finished: statement.integer(5), outcome: statement.text(6), exitStatus: statement.integer(7),
                    counts: RunCounts.counts(statement.text(8) ?? ""), bytes: statement.integer(10),
                    transferred: statement.integer(11), report: statement.text(9)))
        }
        return runs
    }
}

/// Numbers of tasks by outcome, in one column: `failed=1 succeeded=20`.
enum RunCounts {
    static func text(_ counts: [String: Int64]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    static func counts(_ text: String) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2, let number = Int64(parts[1]) { counts[String(parts[0])] = number }
        }
        return counts
    }
}

/// What parts the rows of several directories in one state folder.
enum LedgerRoot {
    /// Empty where the state folder lies in the directory, so that both can be moved together; else the directory.
    static func of(_ directory: JobDirectory, in folder: StateFolder) -> String {
        ExactText(folder.path) == ExactText(directory.root + "/.runner") ? "" : directory.root
    }
}
