internal import LibSQLite
package import RunnerJob
package import RunnerPlan

/// The rows of all files of a directory, packed: ten thousand of them are read in a few milliseconds.
///
/// All text lies in one array of bytes, and becomes strings only for a row that is asked for. A dictionary of records
/// took four allocations a row, which was most of the time.
package struct RecordedFiles: Sendable {
    /// Where a row's text lies, and its numbers.
    private struct Row {
        var start: Int
        var path: Int
        var digests: Int
        /// Counts of bytes; -1 for none.
        var etag: Int
        var lastModified: Int
        var size: Int64
        var modified: Int64
        var changed: Int64
        var inode: Int64
        var sourceKey: Int64
        var published: Int64
        var isTrusted: Bool
    }

    private var rows: [Row] = []
    private var text: [UInt8] = []
    /// An open hash table of indices into ``rows``, -1 for a free place; a power of two, at most half full.
    private var table: [Int32] = []

    package init() {}

    package var count: Int { rows.count }
    package var isEmpty: Bool { rows.isEmpty }
    /// All paths, in no order.
    package var paths: [ExactText] { rows.map { ExactText(string($0.start, $0.path)) } }
    /// All records, in the order of ``paths``.
    package var records: [PublishedRecord] { rows.map(record) }

    /// The record of a path; nil when there is none.
    package subscript(path: ExactText) -> PublishedRecord? {
        guard !table.isEmpty else { return nil }
        var path = path.text
        let found = path.withUTF8 { bytes -> Int? in
            let place = place(of: UnsafeRawBufferPointer(bytes))
            return table[place] >= 0 ? Int(table[place]) : nil
        }
        return found.map { record(rows[$0]) }
    }

    /// The paths of the files that came from some requests, by their ``SourceKey``; of one request the newest last.
    package func paths(from sources: Set<Int64>) -> [Int64: [ExactText]] {
        let found = rows.filter { sources.contains($0.sourceKey) }.sorted { $0.published < $1.published }
        return Dictionary(grouping: found, by: \.sourceKey).mapValues { rows in
            rows.map { ExactText(string($0.start, $0.path)) }
        }
    }

    private func record(_ row: Row) -> PublishedRecord {
        let digests = row.start + row.path
        let etag = digests + row.digests
        let lastModified = etag + max(0, row.etag)
        return PublishedRecord(
            size: row.size, modified: row.modified, changed: row.changed, inode: UInt64(bitPattern: row.inode),
            digests: RecordedDigests(string(digests, row.digests)), sourceKey: row.sourceKey,
            etag: row.etag < 0 ? nil : string(etag, row.etag),
            lastModified: row.lastModified < 0 ? nil : string(lastModified, row.lastModified),
            published: row.published, isTrusted: row.isTrusted)
    }

    private func string(_ start: Int, _ count: Int) -> String {
        String(decoding: text[start..<start + count], as: UTF8.self)
    }

    /// The columns that ``append(_:)`` reads, in their order; the parameter is this boot.
    static let columns = """
        path, digests, etag, last_modified, size, modified, changed, inode, source_key, published, \
        synced OR (boot = ? AND boot <> '')
        """

    /// Adds the row that a statement stands on; ``index()`` has to follow.
    mutating func append(_ statement: Statement) {
        let start = text.count
        let path = statement.append(0, to: &text) ?? 0
        let digests = statement.append(1, to: &text) ?? 0
        let etag = statement.append(2, to: &text) ?? -1
        let lastModified = statement.append(3, to: &text) ?? -1
        rows.append(
            Row(
                start: start, path: path, digests: digests, etag: etag, lastModified: lastModified,
                size: statement.number(4), modified: statement.number(5), changed: statement.number(6),
                inode: statement.number(7), sourceKey: statement.number(8), published: statement.number(9),
                isTrusted: statement.number(10) == 1))
    }

    /// Makes rows found by their paths; a path is there once, as the ledger's key has it.
    mutating func index() {
        var capacity = 16
        while capacity < 2 * rows.count { capacity *= 2 }
        table = Array(repeating: -1, count: capacity)
        for (index, row) in rows.enumerated() {
            let place = text.withUnsafeBytes { bytes in
                self.place(of: UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.start + row.path]))
            }
            table[place] = Int32(truncatingIfNeeded: index)
        }
    }

    /// The place in the table of the row with a path, or the free one where it would be.
    private func place(of path: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: path)
        let mask = table.count - 1
        var place = hasher.finalize() & mask
        while table[place] >= 0, !isPath(path, of: rows[Int(table[place])]) { place = (place + 1) & mask }
        return place
    }

    private func isPath(_ path: UnsafeRawBufferPointer, of row: Row) -> Bool {
        row.path == path.count && text[row.start..<row.start + row.path].elementsEqual(path)
    }
}

extension Connection {
    /// Every file of a directory.
    func recordedFiles(root: String) throws(SQLiteError) -> RecordedFiles {
        let statement = try statement("SELECT \(RecordedFiles.columns) FROM files WHERE root = ?")
        try statement.bind([.text(BootID.current), .text(root)])
        var files = RecordedFiles()
        while try statement.step() { files.append(statement) }
        files.index()
        return files
    }
}
