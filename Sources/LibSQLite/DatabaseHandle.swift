internal import CLibSQLite

/// An open `sqlite3`, closed with the last reference: of its connection, or of a statement that outlives that.
final class DatabaseHandle {
    let pointer: OpaquePointer

    /// Opens a database; `name` is a path or a URI.
    ///
    /// The handle is closed when opening failed too, since SQLite makes one nonetheless (sqlite3_open_v2).
    init(name: String, flags: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard let opened else {
            throw .failed(
                call: "sqlite3_open_v2", code: code, systemError: 0, text: String(cString: sqlite3_errstr(code)))
        }
        pointer = opened
        guard code == SQLITE_OK else { throw error("sqlite3_open_v2") }
    }

    deinit {
        sqlite3_close_v2(pointer)
    }

    /// Throws unless the call was successful.
    func check(_ code: Int32, _ call: String) throws(SQLiteError) {
        if code != SQLITE_OK { throw error(call) }
    }

    /// The error of the last call.
    func error(_ call: String) -> SQLiteError {
        .failed(
            call: call, code: sqlite3_extended_errcode(pointer), systemError: sqlite3_system_errno(pointer),
            text: String(cString: sqlite3_errmsg(pointer)))
    }
}
