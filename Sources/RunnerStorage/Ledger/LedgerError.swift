internal import Glibc
internal import LibSQLite

/// Why the ledger cannot be used; a run goes on without it, and the next one looks at more files than it had to.
package enum LedgerError: Error, Hashable, Sendable {
    /// SQLite refused; `code` is its extended result code, `errno` that of the system call behind it or 0.
    case refused(path: String, code: Int32, errno: Int32, text: String)
    /// The folder or the file cannot be made or moved.
    case storage(StorageError)

    init(_ error: SQLiteError, path: String) {
        switch error {
        case .failed(_, let code, let systemError, let text):
            self = .refused(path: path, code: code, errno: systemError, text: text)
        case .wrongNumberOfValues:
            self = .refused(path: path, code: error.code, errno: 0, text: "wrong number of values")
        }
    }

    /// Whether its lock could not be had: another run writes all the time, or the file system has no locks (ENOLCK).
    package var isBusy: Bool {
        if case .refused(_, let code, _, _) = self { [5, 6, 15].contains(code & 0xFF) } else { false }
    }

    /// Whether there is no room for it.
    package var isNoSpace: Bool {
        switch self {
        case .refused(_, let code, let errno, _): code & 0xFF == 13 || errno == ENOSPC || errno == EDQUOT
        case .storage(.noSpace): true
        case .storage(.failed(_, _, let errno)): errno == ENOSPC || errno == EDQUOT
        case .storage: false
        }
    }
}

/// What a user ought to know of the ledger, though the run goes on.
package enum LedgerWarning: Hashable, Sendable {
    /// It was damaged and lies at `setAside` now; a new one was begun.
    case damaged(setAside: String, text: String)
    /// It was written by a newer version of the program, whose change `migration` is not known here; set aside likewise.
    case newer(setAside: String, migration: String)
    /// It could not be read, so that nothing is known of the files.
    case unreadable(path: String, text: String)
}
