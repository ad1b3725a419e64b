internal import CLibSQLite

/// An open database; one thread at a time uses it.
package final class Connection {
    /// What a connection may do, and what it may leave behind.
    package enum Access: Hashable, Sendable {
        /// Reads and writes a file, which is made where it is missing.
        case readWrite
        /// Reads and writes a file that is there.
        case existing
        /// Reads only; files for coordination may be made beside the database.
        case readOnly
        /// Reads a file that nobody writes meanwhile: no lock is taken and no file is made
        /// (https://www.sqlite.org/uri.html, `immutable`).
        case immutable
    }

    private let handle: DatabaseHandle
    private var statements: [String: Statement] = [:]

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: an absolute path; it is looked at by the first statement, so that a damaged file fails then.
    ///   - busyTimeout: how long a statement waits for another connection, to milliseconds.
    package init(path: String, access: Access, busyTimeout: Duration = .zero) throws(SQLiteError) {
        // NOMUTEX: one thread at a time; the caller sees to it.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let flags: Int32
        var name = path
        switch access {
        case .readWrite: flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .existing: flags = SQLITE_OPEN_READWRITE
        case .readOnly: flags = SQLITE_OPEN_READONLY
        case .immutable:
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = "file:" + Self.escaped(path) + "?immutable=1"
        }
        handle = try DatabaseHandle(name: name, flags: common | flags)
        let milliseconds = busyTimeout / .milliseconds(1)
        try handle.check(
            sqlite3_busy_timeout(handle.pointer, Int32(min(max(milliseconds, 0), 1e9))), "sqlite3_busy_timeout")
        // A file from elsewhere shall not run code of its schema, nor harm by its content (https://www.sqlite.org/security.html).
        try set(SQLITE_DBCONFIG_DEFENSIVE, true)
        try set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try set(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        try set(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    }

    /// Runs statements that return nothing, parted by semicolons; their rows are passed over.
    package func execute(_ script: String) throws(SQLiteError) {
        try handle.check(sqlite3_exec(handle.pointer, script, nil, nil, nil), "sqlite3_exec")
    }

    /// A statement ready to be run: one that was made before for the same text, unless that is in use.
    package func statement(_ text: String) throws(SQLiteError) -> Statement {
        if let statement = statements[text], !statement.isBusy {
            try statement.reset()
            return statement
        }
        let statement = try Statement(text, in: handle)
        if statements[text] == nil { statements[text] = statement }
        return statement
    }

    /// Runs one statement to its end.
    package func run(_ text: String, _ values: SQLiteValue...) throws(SQLiteError) {
        let statement = try statement(text)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// The first column of the first row; nil when there is no row, or it is NULL.
    package func integer(_ text: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int64? {
        let statement = try statement(text)
        try statement.bind(values)
        let number = try statement.step() ? statement.integer(0) : nil
        try statement.reset()
        return number
    }

    /// The first column of the first row as text; nil when there is no row, or it is NULL.
    package func text(_ text: String, _ values: SQLiteValue...) throws(SQLiteError) -> String? {
        let statement = try statement(text)
        try statement.bind(values)
        let result = try statement.step() ? statement.text(0) : nil
        try statement.reset()
        return result
    }

    /// Does something wholly or not at all; the lock for writing is taken at once.
    package func transaction<Failure: Error>(
        _ body: () throws(Failure) -> Void, failure: (SQLiteError) -> Failure
    ) throws(Failure) {
        do throws(SQLiteError) { try execute("BEGIN IMMEDIATE") } catch { throw failure(error) }
        do throws(Failure) {
            try body()
            do throws(SQLiteError) { try execute("COMMIT") } catch { throw failure(error) }
        } catch {
            rollBack()
            throw error
        }
    }

    /// Does something wholly or not at all; the lock for writing is taken at once.
    package func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try transaction(body, failure: { $0 })
    }

    /// Number of rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes64(handle.pointer)) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle.pointer) == 0 }

    /// Some errors have rolled back already (https://www.sqlite.org/lang_transaction.html).
    private func rollBack() {
        if isInTransaction { try? execute("ROLLBACK") }
    }

    private func set(_ option: Int32, _ isOn: Bool) throws(SQLiteError) {
        try handle.check(runner_sqlite3_set_switch(handle.pointer, option, isOn ? 1 : 0), "sqlite3_db_config")
    }

    /// A path as the part of a URI: everything that has a meaning there is written as %HH.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"):
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
