internal import LibSQLite
package import RunnerJob
package import RunnerPlan

/// A task that was done, as a row of the ledger.
package struct Product: Hashable, Sendable {
    /// ``JobTask/productKey``.
    package var key: ExactText
    package var record: ProductRecord

    package init(key: ExactText, record: ProductRecord) {
        self.key = key
        self.record = record
    }
}

extension Connection {
    func insert(_ product: Product, root: String, job: String) throws(SQLiteError) {
        // What made nothing has nothing that could be lost with the power.
        let isSynced: Int64 = product.record.outputs.isEmpty ? 1 : 0
        try run(
            "INSERT OR REPLACE INTO products VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(root), .text(job),
            .text(product.key.text), .integer(product.record.fingerprint),
            .text(ProductPaths.text(product.record.inputs)), .text(ProductPaths.text(product.record.outputs)),
            .integer(product.record.finished), .text(BootID.current), .integer(isSynced))
    }

    /// All that a job has done in a directory.
    func products(root: String, job: String) throws(SQLiteError) -> [ExactText: ProductRecord] {
        let statement = try statement(
            """
            SELECT key, fingerprint, inputs, outputs, finished, synced OR (boot = ? AND boot <> '') FROM products
            WHERE root = ? AND job = ?
            """)
        try statement.bind([.text(BootID.current), .text(root), .text(job)])
        var products: [ExactText: ProductRecord] = [:]
        while try statement.step() {
            products[ExactText(statement.text(0) ?? "")] = ProductRecord(
                fingerprint: statement.integer(1) ?? 0, inputs: ProductPaths.paths(statement.text(2) ?? ""),
                outputs: ProductPaths.paths(statement.text(3) ?? ""), finished: statement.integer(4) ?? 0,
                isTrusted: statement.integer(5) == 1)
        }
        return products
    }

    /// Whether there is something made since this boot that may not be on the disk yet.
    func hasUnsyncedProducts(root: String) throws(SQLiteError) -> Bool {
        try integer(
            "SELECT count(*) FROM products WHERE synced = 0 AND boot = ? AND root = ?", .text(BootID.current),
            .text(root)) ?? 0 > 0
    }
}

/// Paths with their stamps in one column: a line for each, stamp, tab, path, and after another tab digests where there are
/// any; no path holds a control character.
enum ProductPaths {
    static func text(_ paths: [ProductRecord.Path]) -> String {
        paths.map { path in
            let digests = path.digests.isEmpty ? "" : "\t\(path.digests.text)"
            return "\(path.stamp.text)\t\(path.path.text)\(digests)\n"
        }.joined()
    }

    static func paths(_ text: String) -> [ProductRecord.Path] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 2)
            guard parts.count >= 2 else { return nil }
            return ProductRecord.Path(
                TargetPath(normalized: String(parts[1])), PathStamp(String(parts[0])),
                digests: RecordedDigests(parts.count > 2 ? String(parts[2]) : ""))
        }
    }
}
