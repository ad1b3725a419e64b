internal import CLibSQLite

/// A prepared statement; it keeps its database open.
package final class Statement {
    private let handle: DatabaseHandle
    private let pointer: OpaquePointer

    /// Prepares the first statement of a text.
    init(_ text: String, in handle: DatabaseHandle) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(
            handle.pointer, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        try handle.check(code, "sqlite3_prepare_v3")
        guard let prepared else {
            // Nothing but blanks or a comment.
            throw .failed(call: "sqlite3_prepare_v3", code: SQLITE_MISUSE, systemError: 0, text: "empty statement")
        }
        self.handle = handle
        pointer = prepared
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    /// Gives every parameter its value, in their order.
    ///
    /// - Throws: ``SQLiteError/wrongNumberOfValues(wanted:given:)`` unless there is one for each.
    package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        let wanted = Int(sqlite3_bind_parameter_count(pointer))
        guard values.count == wanted else { throw .wrongNumberOfValues(wanted: wanted, given: values.count) }
        for (index, value) in values.enumerated() {
            try handle.check(bind(value, at: Int32(truncatingIfNeeded: index + 1)), "sqlite3_bind")
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(pointer, index)
        case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                // An empty buffer may have no address, which SQLite would take for NULL.
                guard !bytes.isEmpty else { return runner_sqlite3_bind_text(pointer, index, "", 0) }
                return bytes.withMemoryRebound(to: CChar.self) { text in
                    runner_sqlite3_bind_text(pointer, index, text.baseAddress, UInt64(text.count))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(pointer, index, 0) }
            return bytes.withUnsafeBytes { bytes in
                runner_sqlite3_bind_blob(pointer, index, bytes.baseAddress, UInt64(bytes.count))
            }
        }
    }

    /// Goes on to the next row.
    ///
    /// - Returns: false at the end; the statement can be bound and run again then.
    package func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(pointer)
            return false
        default:
            let error = handle.error("sqlite3_step")
            sqlite3_reset(pointer)
            throw error
        }
    }

    /// Ends the run and forgets the values.
    package func reset() throws(SQLiteError) {
        sqlite3_reset(pointer)
        try handle.check(sqlite3_clear_bindings(pointer), "sqlite3_clear_bindings")
    }

    /// Whether it stands on a row.
    package var isBusy: Bool { sqlite3_stmt_busy(pointer) != 0 }

    /// A column of the row as a number; nil for NULL.
    ///
    /// Columns count from 0.
    package func integer(_ column: Int) -> Int64? {
        let column = Int32(truncatingIfNeeded: column)
        return sqlite3_column_type(pointer, column) == SQLITE_NULL ? nil : sqlite3_column_int64(pointer, column)
    }

    /// A column of the row as text; nil for NULL.
    ///
    /// Bytes that are not UTF-8 are replaced.
    package func text(_ column: Int) -> String? {
        let column = Int32(truncatingIfNeeded: column)
        guard let start = sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column of the row as a number; 0 for NULL.
    package func number(_ column: Int) -> Int64 {
        sqlite3_column_int64(pointer, Int32(truncatingIfNeeded: column))
    }

    /// Appends the text of a column to some bytes.
    ///
    /// - Returns: how many bytes; nil for NULL.
    package func append(_ column: Int, to bytes: inout [UInt8]) -> Int? {
        let column = Int32(truncatingIfNeeded: column)
        guard let start = sqlite3_column_text(pointer, column) else { return nil }
        let count = Int(sqlite3_column_bytes(pointer, column))
        bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        return count
    }

    /// A column of the row as bytes; nil for NULL.
    package func bytes(_ column: Int) -> [UInt8]? {
        let column = Int32(truncatingIfNeeded: column)
        guard sqlite3_column_type(pointer, column) != SQLITE_NULL else { return nil }
        let start = sqlite3_column_blob(pointer, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column))))
    }
}
