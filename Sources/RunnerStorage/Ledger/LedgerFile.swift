internal import Glibc
internal import LibCrypto
internal import LibSQLite

/// The file of the ledger: found, made, and set aside when it is broken.
struct LedgerFile {
    static let name = "ledger.sqlite"

    let folder: StateFolder
    var path: String { "\(folder.path)/\(Self.name)" }

    /// Opens the ledger for writing; one that is missing is made, one that is broken is set aside first.
    ///
    /// - Parameter warn: told what was set aside.
    func open(warn: (LedgerWarning) -> Void) throws(LedgerError) -> Connection {
        // Twice, since what was set aside may be found anew when another run makes the same mistake with it.
        for _ in 0..<3 {
            guard let kind = presentKind() else {
                try create()
                continue
            }
            if kind == .odd {
                warn(.damaged(setAside: try setAside(), text: "not a file, or an empty one"))
                continue
            }
            do throws(LedgerSchema.Fault) {
                return try openPresent()
            } catch {
                if let warning = try setAside(for: error) { warn(warning) }
            }
        }
        return try openAtLast()
    }

    private func openAtLast() throws(LedgerError) -> Connection {
        do throws(LedgerSchema.Fault) {
            return try openPresent()
        } catch {
            if case .sqlite(let error) = error { throw LedgerError(error, path: path) }
            throw .refused(path: path, code: 0, errno: 0, text: "the ledger changes all the time")
        }
    }

    /// Moves a broken ledger away.
    ///
    /// - Returns: what to tell; nil when it is gone already.
    /// - Throws: when it is not broken, but cannot be used now.
    private func setAside(for fault: LedgerSchema.Fault) throws(LedgerError) -> LedgerWarning? {
        switch fault {
        case .newer(let migration): return .newer(setAside: try setAside(), migration: migration)
        case .foreign, .older: return .damaged(setAside: try setAside(), text: "not a ledger")
        case .sqlite(let error):
            if presentKind() == nil { return nil }
            guard error.isDamage || error.isMissingTable else { throw LedgerError(error, path: path) }
            return .damaged(setAside: try setAside(), text: LedgerError(error, path: path).text)
        }
    }

    enum Kind { case file, odd }

    /// The error that keeps anybody from telling what lies there; nil where it can be told, also that nothing does.
    func obstacle() -> SystemError? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return nil }
        let code = errno
        return code == ENOENT || code == ENOTDIR ? nil : SystemError(code)
    }

    /// What lies there; an empty file and everything that is no file are odd, since a ledger is never there half-made.
    func presentKind() -> Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 ? .file : .odd
    }

    private func openPresent() throws(LedgerSchema.Fault) -> Connection {
        let connection: Connection
        do throws(SQLiteError) {
            connection = try Connection(path: path, access: .existing, busyTimeout: .seconds(5))
            try Self.chooseJournal(of: connection, on: FileSystemKind.of(folder.path))
        } catch {
            throw .sqlite(error)
        }
        try LedgerSchema.migrate(connection)
        try LedgerSchema.checkTables(of: connection)
        return connection
    }

    /// A write-ahead log where memory can be shared, else a journal that is cut.
    ///
    /// NORMAL is enough for the log: after a power loss the last rows may be gone, the others stay whole. No row claims
    /// more than was on the disk when it was written, so that a lost one costs time only. With a journal NORMAL could
    /// break the file (https://www.sqlite.org/pragma.html#pragma_synchronous).
    private static func chooseJournal(of connection: Connection, on kind: FileSystemKind) throws(SQLiteError) {
        switch kind {
        case .local:
            let mode = try connection.text("PRAGMA journal_mode = WAL")
            try connection.execute(mode == "wal" ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL")
        case .network:
            // Under an exclusive lock a log that came from elsewhere is read without shared memory.
            _ = try connection.text("PRAGMA locking_mode = EXCLUSIVE")
            _ = try connection.text("PRAGMA journal_mode = TRUNCATE")
            _ = try connection.text("PRAGMA locking_mode = NORMAL")
            try connection.execute("PRAGMA synchronous = FULL")
        }
    }

    /// Makes a ledger beside the place and links it there when it is whole, so that a kill leaves none or a whole one.
    private func create() throws(LedgerError) {
        do throws(StorageError) {
            try folder.makeFolders(for: Self.name)
        } catch {
            throw .storage(error)
        }
        let temporary = "\(path).\(getpid())-\(Self.randomDigits()).tmp"
        defer { unlink(temporary) }
        do throws(SQLiteError) {
            let connection = try Connection(path: temporary, access: .readWrite)
            _ = try connection.text("PRAGMA journal_mode = OFF")
            try LedgerSchema.begin(connection)
        } catch {
            throw LedgerError(error, path: temporary)
        }
        defer { folder.excludeFromBackup() }
        if link(temporary, path) == 0 || errno == EEXIST { return }
        // Not every file system has links; there two runs that begin at once may lose the rows of one.
        guard rename(temporary, path) == 0 else {
            throw .storage(.failed(.create, path: path, errno: errno))
        }
    }

    /// Moves the ledger to a name that is free, its log first: a log must never be found beside another database.
    func setAside() throws(LedgerError) -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let target = "\(path).damaged-\(number)"
        for suffix in ["-wal", "-shm", "-journal", ""] where rename(path + suffix, target + suffix) != 0 {
            if errno != ENOENT { throw .storage(.failed(.rename, path: path + suffix, errno: errno)) }
        }
        return target
    }

    static func randomDigits() -> String {
        (0..<8).map { _ in String(UInt8.random(in: 0..<16), radix: 16) }.joined()
    }
}

extension SQLiteError {
    /// SQLITE_ERROR is what a statement gets whose table or column is not there.
    fileprivate var isMissingTable: Bool { code == 1 }
}

extension LedgerError {
    /// The library's words, or the name of the system's error.
    var text: String {
        switch self {
        case .refused(_, _, _, let text): text
        case .storage(let error): error.code ?? "storage"
        }
    }
}
