internal import LibSQLite

/// The tables of the ledger, as a list of changes that are made once each, known by their names.
enum LedgerSchema {
    /// `RUNR`: what the header of the file says that it is (https://www.sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int64 = 0x5255_4E52

    struct Migration {
        var name: String
        var script: String
    }

    /// Never changed, only added to: a ledger that has a name has its change.
    static let migrations = [
        Migration(
            name: "1-files-origins-runs",
            script: """
                CREATE TABLE files (
                    root TEXT NOT NULL, path TEXT NOT NULL, job TEXT NOT NULL,
                    size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
                    inode INTEGER NOT NULL, device INTEGER NOT NULL,
                    digests TEXT NOT NULL, source TEXT NOT NULL, source_key INTEGER NOT NULL,
                    etag TEXT, last_modified TEXT, published INTEGER NOT NULL,
                    boot TEXT NOT NULL, synced INTEGER NOT NULL,
                    PRIMARY KEY (root, path)
                ) WITHOUT ROWID;
                CREATE TABLE origins (
                    origin TEXT PRIMARY KEY NOT NULL, held_until INTEGER NOT NULL, reason TEXT NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE runs (
                    run TEXT PRIMARY KEY NOT NULL, job TEXT NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL,
                    started INTEGER NOT NULL, finished INTEGER, outcome TEXT, exit_status INTEGER,
                    counts TEXT NOT NULL, report TEXT
                ) WITHOUT ROWID;
                """),
        Migration(
            name: "2-products",
            script: """
                CREATE TABLE products (
                    root TEXT NOT NULL, job TEXT NOT NULL, key TEXT NOT NULL, fingerprint INTEGER NOT NULL,
                    inputs TEXT NOT NULL, outputs TEXT NOT NULL, finished INTEGER NOT NULL,
                    boot TEXT NOT NULL, synced INTEGER NOT NULL,
                    PRIMARY KEY (root, job, key)
                ) WITHOUT ROWID;
                """),
        Migration(
            name: "3-run-bytes",
            script: """
                ALTER TABLE runs ADD COLUMN bytes INTEGER;
                ALTER TABLE runs ADD COLUMN transferred INTEGER;
                """),
    ]

    /// What is wrong with a file that SQLite can read.
    enum Fault: Error {
        case sqlite(SQLiteError)
        /// It is no ledger.
        case foreign
        /// It lacks a change, and may not be written.
        case older
        /// It has a change that is not known here.
        case newer(String)
    }

    /// Writes the frame into a new, empty file.
    static func begin(_ connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            PRAGMA application_id = \(applicationID);
            CREATE TABLE migrations (name TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
            """)
    }

    /// The changes that a ledger lacks.
    ///
    /// - Throws: when it is no ledger, is damaged, or is of a newer version.
    static func missing(in connection: Connection) throws(Fault) -> [Migration] {
        let identity: Int64?
        var present: Set<String> = []
        do throws(SQLiteError) {
            identity = try connection.integer("PRAGMA application_id")
            if identity == applicationID {
                let statement = try connection.statement("SELECT name FROM migrations")
                while try statement.step() { present.insert(statement.text(0) ?? "") }
            }
        } catch {
            throw .sqlite(error)
        }
        guard identity == applicationID else { throw .foreign }
        if let unknown = present.subtracting(migrations.map(\.name)).min() { throw .newer(unknown) }
        return migrations.filter { !present.contains($0.name) }
    }

    /// Throws unless every table is there.
    static func checkTables(of connection: Connection) throws(Fault) {
        do throws(SQLiteError) {
            _ = try connection.integer("SELECT 1 FROM files, origins, runs, products LIMIT 0")
        } catch {
            throw .sqlite(error)
        }
    }

    /// Brings a ledger to the newest form.
    static func migrate(_ connection: Connection) throws(Fault) {
        guard try !missing(in: connection).isEmpty else { return }
        try connection.transaction(
            { () throws(Fault) in
                // Asked again under the lock, since another run may have done it meanwhile.
                for migration in try missing(in: connection) {
                    do throws(SQLiteError) {
                        try connection.execute(migration.script)
                        try connection.run("INSERT INTO migrations VALUES (?)", .text(migration.name))
                    } catch {
                        throw .sqlite(error)
                    }
                }
            }, failure: { Fault.sqlite($0) })
    }
}
