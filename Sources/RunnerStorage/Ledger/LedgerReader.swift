internal import Glibc
internal import LibSQLite
package import RunnerJob
package import RunnerPlan

/// Reads the ledger and leaves nothing behind: no file is made or changed in the state folder.
package struct LedgerReader: Sendable {
    /// What is read, and what was wrong with it; damage gives what an empty ledger gives.
    package struct Answer<Value: Sendable>: Sendable {
        package var value: Value
        package var warning: LedgerWarning?
    }

    private let file: LedgerFile
    private let root: String
    private static let attempts = 4

    package init(folder: StateFolder, directory: JobDirectory) {
        file = LedgerFile(folder: folder)
        root = LedgerRoot.of(directory, in: folder)
    }

    /// How the ledger looks now; to be asked for before it is read.
    package func mark() -> LedgerMark { LedgerMark(of: file.path) }

    /// All that a plan needs.
    ///
    /// - Parameter job: identity of the job whose tasks are asked for; nil for none.
    package func contents(job: String? = nil) -> Answer<LedgerContents> {
        answer(LedgerContents()) { connection throws(SQLiteError) in
            LedgerContents(
                files: try connection.recordedFiles(root: root), origins: try connection.origins(),
                products: try job.map { (job) throws(SQLiteError) in try connection.products(root: root, job: job) }
                    ?? [:])
        }
    }

    /// The files that a job has put in place, the oldest first.
    package func files(of job: String) -> Answer<[OwnedFile]> {
        answer([]) { connection throws(SQLiteError) in try connection.files(root: root, job: job) }
    }

    /// The newest runs, the last one first; of all jobs where `job` is nil.
    package func runs(of job: String?, limit: Int = 1000) -> Answer<[RunRow]> {
        answer([]) { connection throws(SQLiteError) in try connection.runs(job: job, limit: limit) }
    }

    private func answer<Value>(
        _ empty: Value, _ read: (Connection) throws(SQLiteError) -> Value
    ) -> Answer<Value> {
        guard let kind = file.presentKind() else {
            let warning = file.obstacle().map { error in
                LedgerWarning.unreadable(
                    path: file.path, text: "it cannot be looked at (\(ErrnoName.of(error.code)))")
            }
            return Answer(value: empty, warning: warning)
        }
        guard kind == .file else {
            return Answer(value: empty, warning: .unreadable(path: file.path, text: "not a file, or an empty one"))
        }
        var failure: LedgerWarning?
        for attempt in 0..<Self.attempts {
            let before = LedgerMark(of: file.path)
            // A log means that a run lasts or was killed: the newest rows are in it.
            let isCopied = attempt > 0 || before.hasLog
            do throws(LedgerSchema.Fault) {
                let value = try isCopied ? readCopy(read) : readInPlace(read)
                // A copy of what is written all the time is good enough in the end: each row was true at some moment,
                // and is compared with the file itself.
                if LedgerMark(of: file.path) == before || isCopied && attempt == Self.attempts - 1 {
                    return Answer(value: value)
                }
            } catch {
                failure = warning(error)
                // Nobody wrote meanwhile: a further attempt would find the same.
                if isCopied, LedgerMark(of: file.path) == before { break }
            }
        }
        return Answer(
            value: empty, warning: failure ?? .unreadable(path: file.path, text: "it changes all the time"))
    }

    private func warning(_ fault: LedgerSchema.Fault) -> LedgerWarning {
        let text =
            switch fault {
            case .sqlite(let error): LedgerError(error, path: file.path).text
            case .foreign: "not a ledger"
            case .older: "written by an older version"
            case .newer(let migration): "written by a newer version (\(migration))"
            }
        return .unreadable(path: file.path, text: text)
    }

    private func readInPlace<Value>(
        _ read: (Connection) throws(SQLiteError) -> Value
    ) throws(LedgerSchema.Fault) -> Value {
        let connection = try Self.connect(file.path, .immutable)
        guard try LedgerSchema.missing(in: connection).isEmpty else { throw .older }
        return try Self.read(connection, read)
    }

    /// Reads a copy in a private folder, where SQLite may write what it likes.
    private func readCopy<Value>(
        _ read: (Connection) throws(SQLiteError) -> Value
    ) throws(LedgerSchema.Fault) -> Value {
        let copy: PrivateCopy
        do throws(SystemError) {
            copy = try PrivateCopy(of: file.path)
        } catch {
            let text = "it cannot be copied (\(ErrnoName.of(error.code)))"
            throw .sqlite(.failed(call: "copy", code: 10, systemError: error.code, text: text))
        }
        defer { copy.remove() }
        let connection = try Self.connect(copy.path, .existing)
        try LedgerSchema.migrate(connection)
        return try Self.read(connection, read)
    }

    private static func connect(
        _ path: String, _ access: Connection.Access
    ) throws(LedgerSchema.Fault) -> Connection {
        do throws(SQLiteError) {
            return try Connection(path: path, access: access)
        } catch {
            throw .sqlite(error)
        }
    }

    private static func read<Value>(
        _ connection: Connection, _ read: (Connection) throws(SQLiteError) -> Value
    ) throws(LedgerSchema.Fault) -> Value {
        do throws(SQLiteError) {
            return try read(connection)
        } catch {
            throw .sqlite(error)
        }
    }
}

/// What a plan takes from the ledger.
package struct LedgerContents: Sendable {
    package var files: RecordedFiles
    package var origins: [OriginHold]
    /// Tasks that were done, by ``JobTask/productKey``.
    package var products: [ExactText: ProductRecord]

    package init(
        files: RecordedFiles = RecordedFiles(), origins: [OriginHold] = [],
        products: [ExactText: ProductRecord] = [:]
    ) {
        self.files = files
        self.origins = origins
        self.products = products
    }
}
