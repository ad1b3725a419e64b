import Glibc
import LibSQLite
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerStorage

@Suite("Ledgers that are damaged")
struct DamagedLedgerTests {
    enum Damage: String, CaseIterable {
        case empty, text, cutShort, cutAtPage, zeros, foreign, noTable, folder, link
    }

    /// A ledger of some hundred rows, broken.
    private func broken(_ damage: Damage) throws -> LedgerBench {
        let bench = try LedgerBench()
        let row = try bench.publish("a")
        let ledger = bench.ledger()
        try ledger.record(
            files: (0..<400).map { number in
                var row = row
                row.path = at("file-\(number)")
                return row
            })
        ledger.close()
        let bytes = try #require(DiskFile.read(bench.path))
        switch damage {
        case .empty: try DiskFile.write(bench.path, "")
        case .text: try DiskFile.write(bench.path, String(repeating: "no ledger at all\n", count: 100))
        case .cutShort: try DiskFile.write(bench.path, Array(bytes.prefix(100)))
        case .cutAtPage: try DiskFile.write(bench.path, Array(bytes.prefix(8 * 4096)))
        case .zeros: try DiskFile.write(bench.path, Array(repeating: 0, count: bytes.count))
        case .foreign: try bench.meddle("PRAGMA application_id = 1")
        case .noTable: try bench.meddle("DROP TABLE files")
        case .folder:
            unlink(bench.path)
            mkdir(bench.path, 0o777)
        case .link:
            unlink(bench.path)
            symlink("/etc/hostname", bench.path)
        }
        return bench
    }

    /// As one that only another user may enter, which a test that runs as root cannot make.
    @Test func aFolderThatCannotBeEnteredIsNotEmpty() throws {
        let bench = try LedgerBench()
        #expect(bench.reader.contents().warning == nil)
        mkdir(bench.disk.directory.root, 0o777)
        symlink(".runner", bench.state.path)
        let warning = bench.reader.runs(of: nil).warning
        #expect(warning == .unreadable(path: bench.path, text: "it cannot be looked at (ELOOP)"))
    }

    @Test func aCopyThatFailsTellsWhy() throws {
        let bench = try LedgerBench()
        #expect(throws: SystemError(EISDIR)) { try PrivateCopy(of: bench.disk.folder.path) }
    }

    @Test(arguments: Damage.allCases)
    func aQueryWarnsAndChangesNothing(_ damage: Damage) throws {
        let bench = try broken(damage)
        let before = (bench.stateFiles, DiskFile.read(bench.path))
        let answer = bench.reader.contents()
        #expect(answer.value.files.isEmpty)
        #expect(answer.warning != nil)
        #expect(bench.stateFiles == before.0)
        #expect(DiskFile.read(bench.path) == before.1)
    }

    @Test(arguments: Damage.allCases)
    func aRunSetsItAsideAndBeginsANewOne(_ damage: Damage) throws {
        let bench = try broken(damage)
        let ledger = bench.ledger()
        let row = try bench.publish("b")
        // A cut may be found only by a row that goes to a page that is gone; every row must be tried.
        try ledger.record(files: [row])
        for number in 0..<400 {
            var row = row
            row.path = at("file-\(number)")
            try ledger.record(files: [row])
        }
        let warnings = ledger.takeWarnings()
        ledger.close()
        #expect(warnings.count == 1)
        guard case .damaged(let path, _)? = warnings.first else { return }
        #expect(path == bench.path + ".damaged-1")
        #expect(bench.stateFiles == ["ledger.sqlite", "ledger.sqlite.damaged-1"])
        let answer = bench.reader.contents()
        #expect(answer.warning == nil)
        #expect(answer.value.files["file-399"]?.fits(row.state) == true)
    }

    @Test func aSecondDamagedOneGetsANumberOfItsOwn() throws {
        let bench = try broken(.text)
        try bench.ledger().record(files: [try bench.publish("a")])
        try DiskFile.write(bench.path, "again")
        try bench.ledger().record(files: [try bench.publish("a")])
        #expect(bench.stateFiles.contains("ledger.sqlite.damaged-1"))
        #expect(bench.stateFiles.contains("ledger.sqlite.damaged-2"))
    }

    @Test func aLogIsNeverLeftBesideAnotherDatabase() throws {
        let bench = try broken(.empty)
        try DiskFile.write(bench.path + "-wal", "a log")
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        #expect(
            bench.stateFiles == ["ledger.sqlite", "ledger.sqlite.damaged-1", "ledger.sqlite.damaged-1-wal"])
    }

    @Test func oneOfANewerVersionIsSetAside() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        try bench.meddle("INSERT INTO migrations VALUES ('9-from-the-future')")
        #expect(bench.reader.contents().warning != nil)
        try ledger.record(files: [try bench.publish("b")])
        ledger.close()
        #expect(
            ledger.takeWarnings()
                == [.newer(setAside: bench.path + ".damaged-1", migration: "9-from-the-future")])
        #expect(bench.reader.contents().value.files.paths == ["b"])
    }

    @Test func oneOfAnOlderVersionIsBroughtUp() throws {
        let bench = try LedgerBench()
        mkdir(bench.state.path, 0o777)
        mkdir(bench.disk.directory.root, 0o777)
        mkdir(bench.state.path, 0o777)
        let connection = try Connection(path: bench.path, access: .readWrite)
        try connection.execute(
            "PRAGMA application_id = 1381322322; CREATE TABLE migrations (name TEXT PRIMARY KEY) WITHOUT ROWID;")
        let before = DiskFile.read(bench.path)
        #expect(bench.reader.contents().warning == nil)
        #expect(DiskFile.read(bench.path) == before)
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        #expect(ledger.takeWarnings().isEmpty)
        ledger.close()
        #expect(bench.reader.contents().value.files.count == 1)
    }

    @Test func theLogOfAKilledRunIsRead() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        let copies = try bench.leaveLog()
        for copy in copies { rename(copy, String(copy.dropLast(5))) }
        let before = bench.stateFiles
        let bytes = before.map { DiskFile.read(bench.state.path + "/" + $0) }
        #expect(before == ["ledger.sqlite", "ledger.sqlite-wal"])
        let answer = bench.reader.contents()
        #expect(answer.warning == nil)
        #expect(answer.value.files["a"]?.etag == "from the log")
        #expect(bench.stateFiles == before)
        #expect(before.map { DiskFile.read(bench.state.path + "/" + $0) } == bytes)
    }

    @Test func aLogThatIsGarbageIsPassedOver() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        try DiskFile.write(bench.path + "-wal", String(repeating: "garbage", count: 2000))
        #expect(bench.reader.contents().value.files.count == 1)
        try ledger.record(files: [try bench.publish("b")])
        ledger.close()
        #expect(bench.reader.contents().value.files.count == 2)
    }

    @Test func aFolderThatCannotBeMadeIsAnErrorAndNoDamage() throws {
        let bench = try LedgerBench()
        let row = try bench.publish("a")
        try DiskFile.write(bench.state.path, "in the way")
        let ledger = bench.ledger()
        #expect(throws: LedgerError.self) { try ledger.record(files: [row]) }
        #expect(ledger.takeWarnings().isEmpty)
    }

    @Test func tenThousandRowsAreRead() throws {
        let bench = try LedgerBench()
        let row = try bench.publish("a")
        let ledger = bench.ledger()
        try ledger.record(
            files: (0..<10_000).map { number in
                var row = row
                row.path = at("some/folder/with/a/name/file-\(number).tar.gz")
                return row
            })
        ledger.close()
        #expect(bench.reader.contents().value.files.count == 10_000)
    }
}
