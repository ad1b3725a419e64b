internal import CLibSQLite

/// A failed call of SQLite.
package enum SQLiteError: Error, Hashable, Sendable {
    /// The library refused.
    ///
    /// `call` is the C function, `code` its extended result code (https://www.sqlite.org/rescode.html), `systemError`
    /// the errno behind it or 0, and `text` the library's own words, which never hold bound values.
    case failed(call: String, code: Int32, systemError: Int32, text: String)
    /// A statement was given another number of values than it has parameters.
    case wrongNumberOfValues(wanted: Int, given: Int)

    /// The extended result code; SQLITE_RANGE where a statement got too many or too few values.
    package var code: Int32 {
        switch self {
        case .failed(_, let code, _, _): code
        case .wrongNumberOfValues: SQLITE_RANGE
        }
    }

    /// The errno of the system call that failed; nil where none did.
    package var systemError: Int32? {
        switch self {
        case .failed(_, _, let systemError, _): systemError == 0 ? nil : systemError
        case .wrongNumberOfValues: nil
        }
    }

    /// The class of the code, without its extension.
    private var primary: Int32 { code & 0xFF }

    /// Whether the file is no database, or one that is broken.
    package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || isShortRead }

    /// Whether another connection held the database for longer than the time allowed.
    package var isBusy: Bool { primary == SQLITE_BUSY || primary == SQLITE_LOCKED }

    /// Whether the disk is full.
    package var isFull: Bool { primary == SQLITE_FULL }

    /// A page beyond the end of the file: it was cut.
    ///
    /// The macro is an expression that Swift cannot read.
    private var isShortRead: Bool { code == SQLITE_IOERR | (2 << 8) }
}
