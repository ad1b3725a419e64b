import Glibc
import LibSQLite
import TestSupport
import Testing

@Suite("Connections to SQLite")
struct ConnectionTests {
    let folder: TemporaryDirectory
    var path: String { folder.path("a.sqlite") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func open() throws -> Connection {
        let connection = try Connection(path: path, access: .readWrite)
        try connection.execute("CREATE TABLE IF NOT EXISTS t (a)")
        return connection
    }

    @Test(arguments: [
        SQLiteValue.null, .integer(.max), .integer(.min), .text(""), .text("é\u{0}日"), .blob([]), .blob([0, 255]),
    ])
    func whatIsBoundComesBack(_ value: SQLiteValue) throws {
        let connection = try open()
        try connection.run("INSERT INTO t VALUES (?)", value)
        let statement = try connection.statement("SELECT a, typeof(a) FROM t")
        #expect(try statement.step())
        switch value {
        case .null: #expect(statement.integer(0) == nil && statement.text(0) == nil && statement.bytes(0) == nil)
        case .integer(let number): #expect(statement.integer(0) == number)
        case .text(let text): #expect(statement.text(0).map { Array($0.utf8) } == Array(text.utf8))
        case .blob(let bytes): #expect(statement.bytes(0) == bytes)
        }
        let type = ["null": SQLiteValue.null, "integer": .integer(0), "text": .text(""), "blob": .blob([])]
        #expect(statement.text(1).flatMap { type[$0] }?.kind == value.kind)
        #expect(try !statement.step())
    }

    @Test func theNumberOfValuesMustFit() throws {
        let connection = try open()
        #expect(throws: SQLiteError.wrongNumberOfValues(wanted: 1, given: 0)) {
            try connection.run("INSERT INTO t VALUES (?)")
        }
        #expect(throws: SQLiteError.wrongNumberOfValues(wanted: 1, given: 2)) {
            try connection.run("INSERT INTO t VALUES (?)", .null, .null)
        }
    }

    @Test func aStatementIsPreparedOnceAndForgetsItsValues() throws {
        let connection = try open()
        let first = try connection.statement("SELECT ?")
        try first.bind([.integer(1)])
        _ = try first.step()
        let second = try connection.statement("SELECT ?")
        #expect(first !== second)
        try first.reset()
        let third = try connection.statement("SELECT ?")
        #expect(first === third)
        _ = try third.step()
        #expect(third.integer(0) == nil)
    }

    @Test func aTransactionThatFailsLeavesNothing() throws {
        let connection = try open()
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (1)")
                try connection.run("INSERT INTO nowhere VALUES (1)")
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM t") == 0)
        try connection.transaction { () throws(SQLiteError) in try connection.run("INSERT INTO t VALUES (1)") }
        #expect(connection.changes == 1)
        #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    }

    @Test func aStatementOutlivesItsConnection() throws {
        var connection: Connection? = try open()
        try connection?.run("INSERT INTO t VALUES ('kept')")
        let statement = try #require(try connection?.statement("SELECT a FROM t"))
        connection = nil
        #expect(try statement.step())
        #expect(statement.text(0) == "kept")
    }

    /// Under the address sanitizer this finds what is not freed.
    @Test func connectionsAndStatementsCanBeMadeAndDropped() throws {
        for _ in 0..<50 {
            let connection = try open()
            for number in 0..<5 { _ = try connection.statement("SELECT \(number)").step() }
        }
        let open = DiskFile.entries("/proc/self/fd").filter { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            return String(decoding: target.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
        }
        #expect(open.isEmpty)
    }

    @Test(arguments: ["this is no database, however long the text may be that stands here", "SQLite format 3\u{0}xxxx"])
    func damageIsTold(_ text: String) throws {
        try folder.write("a.sqlite", text + String(repeating: "-", count: 5000))
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.isDamage == true)
        #expect(error?.isBusy == false)
    }

    @Test func aFolderThatIsNotThereIsNoDamage() throws {
        let error = #expect(throws: SQLiteError.self) {
            try Connection(path: folder.path("none/a.sqlite"), access: .readWrite)
        }
        #expect(error?.isDamage == false)
        #expect(error?.systemError == ENOENT)
    }

    @Test func aLockOfAnotherConnectionIsTold() throws {
        let (one, two) = (try open(), try open())
        try one.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: SQLiteError.self) { try two.run("INSERT INTO t VALUES (1)") }
        #expect(error?.isBusy == true)
    }

    @Test func readingAnImmutableDatabaseLeavesNothing() throws {
        let odd = folder.path("a?#%41.sqlite")
        do {
            let connection = try Connection(path: odd, access: .readWrite)
            _ = try connection.text("PRAGMA journal_mode = WAL")
            try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)")
        }
        let files = folder.files()
        let connection = try Connection(path: odd, access: .immutable)
        #expect(try connection.integer("SELECT a FROM t") == 7)
        #expect(folder.files() == files)
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t") }
    }

    @Test func textThatHoldsNothingIsNoStatement() throws {
        let connection = try open()
        #expect(throws: SQLiteError.self) { try connection.statement("-- nothing") }
    }
}

extension SQLiteValue {
    fileprivate var kind: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .text: 2
        case .blob: 3
        }
    }
}
