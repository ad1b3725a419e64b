import Glibc
import LibSQLite
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite("The ledger")
struct LedgerTests {
    @Test func whatIsWrittenIsRead() throws {
        let bench = try LedgerBench()
        let row = try bench.publish("sub/é")
        let ledger = bench.ledger()
        try ledger.record(files: [row])
        ledger.close()
        let record = try #require(bench.reader.contents().value.files["sub/é"])
        #expect(record.fits(row.state))
        #expect(record.fits(try #require(bench.disk.directory.state(of: at("sub/é")))))
        #expect(record.digests.agrees(with: row.digests[0]) == true)
        #expect(record.etag == row.etag && record.lastModified == row.lastModified)
        #expect(record.published == 100 && record.sourceKey == SourceKey.of(bench.source, .standard))
        #expect(record.isTrusted)
        #expect(ledger.takeWarnings().isEmpty)
    }

    @Test func pathsAreComparedByTheirBytes() throws {
        let bench = try LedgerBench()
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish(composed, "1"), try bench.publish(decomposed, "22")])
        ledger.close()
        let files = bench.reader.contents().value.files
        #expect(files.count == 2)
        #expect(files[ExactText(composed)]?.size == 1 && files[ExactText(decomposed)]?.size == 2)
    }

    @Test func noSecretOfTheSourceIsKept() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        let bytes = try #require(DiskFile.read(bench.path))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hidden"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("https://example.org/a"))
    }

    @Test func nothingIsMadeBeforeTheFirstRow() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [])
        try ledger.forget(files: [])
        #expect(try ledger.checkpoint() == 0)
        ledger.close()
        #expect(bench.reader.contents().value.files.isEmpty)
        #expect(bench.reader.files(of: "job").value.isEmpty)
        #expect(bench.disk.folder.files().isEmpty)
        #expect(DiskFile.entries(bench.disk.folder.path).isEmpty)
    }

    @Test func aClosedLedgerIsOneFile() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        #expect(bench.stateFiles.contains("ledger.sqlite-wal"))
        ledger.close()
        #expect(bench.stateFiles == ["ledger.sqlite"])
    }

    @Test func theNewestRowOfAPathHolds() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a", "old")])
        try ledger.checkpoint()
        let new = try bench.publish("a", "newer")
        try ledger.record(files: [new])
        ledger.close()
        let record = try #require(bench.reader.contents().value.files["a"])
        #expect(record.fits(new.state))
        #expect(try synced(bench) == [0])
    }

    @Test func aForgottenFileIsUnknown() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a"), try bench.publish("b")])
        try ledger.forget(files: [at("a"), at("never")])
        ledger.close()
        #expect(bench.reader.contents().value.files.paths == ["b"])
    }

    @Test func directoriesThatShareAStateFolderDoNotMix() throws {
        let bench = try LedgerBench()
        let shared = StateFolder(path: bench.disk.folder.path("shared"))
        let other = JobDirectory(root: bench.disk.folder.path("other"))
        let row = try bench.publish("a")
        let ledger = Ledger(folder: shared, directory: bench.disk.directory, job: "job")
        try ledger.record(files: [row])
        ledger.close()
        #expect(LedgerReader(folder: shared, directory: bench.disk.directory).contents().value.files.count == 1)
        #expect(LedgerReader(folder: shared, directory: other).contents().value.files.isEmpty)
    }

    @Test func aDirectoryCanBeMovedWithItsLedger() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        ledger.close()
        let moved = bench.disk.folder.path("moved")
        rename(bench.disk.directory.root, moved)
        let directory = JobDirectory(root: moved)
        let record = LedgerReader(folder: StateFolder(path: moved + "/.runner"), directory: directory).contents()
            .value.files["a"]
        #expect(try record?.fits(#require(directory.state(of: at("a")))) == true)
    }

    @Test func aJobOwnsWhatItHasPutInPlace() throws {
        let bench = try LedgerBench()
        for (job, name, time) in [("one", "b", 2), ("one", "a", 3), ("two", "c", 1)] as [(String, String, Int64)] {
            let ledger = bench.ledger(job)
            try ledger.record(files: [try bench.publish(name, published: time)])
            ledger.close()
        }
        #expect(bench.reader.files(of: "one").value.map(\.path.text) == ["b", "a"])
        #expect(bench.reader.files(of: "three").value.isEmpty)
    }

    @Test func originsAreHeldUntilTheirTime() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        let (a, b) = (
            OriginHold(origin: "https://a:443", until: 1000, reason: "rate_limited"),
            OriginHold(origin: "https://b:443", until: 2000, reason: "server")
        )
        try ledger.hold([a, b], now: 0)
        try ledger.hold([OriginHold(origin: b.origin, until: 3000, reason: "server")], now: 1000)
        ledger.close()
        #expect(bench.reader.contents().value.origins.map(\.until) == [3000])
    }

    @Test func runsAreToldNewestFirst() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        var first = RunRow(run: "1", job: "job", name: "n", file: "f.yaml", started: 10)
        let second = RunRow(run: "2", job: "other", name: "n", file: "g.yaml", started: 20)
        try ledger.record(run: first)
        try ledger.record(run: second)
        first.finished = 15
        first.outcome = "failed"
        first.exitStatus = 1
        first.counts = ["failed": 1, "succeeded": 20]
        first.report = "reports/1.jsonl"
        try ledger.record(run: first)
        ledger.close()
        #expect(bench.reader.runs(of: nil).value == [second, first])
        #expect(bench.reader.runs(of: "job").value == [first])
        #expect(bench.reader.runs(of: nil, limit: 1).value == [second])
        try ledger.forget(runs: ["1"])
        ledger.close()
        #expect(bench.reader.runs(of: nil).value == [second])
    }

    @Test func twoRunsMayWriteAtOnce() throws {
        let bench = try LedgerBench()
        let (one, two) = (bench.ledger("one"), bench.ledger("two"))
        for number in 0..<5 {
            try one.record(files: [try bench.publish("one-\(number)")])
            try two.record(files: [try bench.publish("two-\(number)")])
        }
        #expect(bench.reader.contents().value.files.count == 10)
        one.close()
        two.close()
        #expect(bench.reader.contents().value.files.count == 10)
        #expect(bench.stateFiles == ["ledger.sqlite"])
    }

    // MARK: - What is sure to be on the disk

    private func synced(_ bench: LedgerBench) throws -> [Int64] {
        let connection = try Connection(path: bench.path, access: .immutable)
        let statement = try connection.statement("SELECT synced FROM files ORDER BY path")
        var values: [Int64] = []
        while try statement.step() { values.append(statement.integer(0) ?? -1) }
        return values
    }

    @Test(arguments: [3, 40])
    func aCheckpointMarksWhatItHasSynced(_ count: Int) throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: try (0..<count).map { try bench.publish("\($0)") })
        #expect(try ledger.checkpoint() == count)
        #expect(try ledger.checkpoint() == 0)
        ledger.close()
        #expect(try synced(bench) == Array(repeating: 1, count: count))
        #expect(bench.disk.files.count(.synchronizeFileSystem) == (count > 16 ? 1 : 0))
        #expect(bench.disk.files.count(.synchronize) == (count > 16 ? 0 : count))
    }

    @Test(arguments: [3, 40])
    func whatCannotBeSyncedIsNotMarked(_ count: Int) throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: try (0..<count).map { try bench.publish("\($0)") })
        bench.disk.files.fail(.synchronize, with: EIO)
        bench.disk.files.fail(.synchronizeFileSystem, with: EIO)
        #expect(try ledger.checkpoint() == 0)
        ledger.close()
        #expect(try synced(bench) == Array(repeating: 0, count: count))
    }

    @Test func anotherFileInThePlaceIsNotMarked() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("a")])
        _ = try bench.publish("a")
        #expect(try ledger.checkpoint() == 0)
        ledger.close()
    }

    @Test func afterABootOnlySyncedRowsAreTrusted() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("synced")])
        try ledger.checkpoint()
        try ledger.record(files: [try bench.publish("not")])
        ledger.close()
        #expect(bench.reader.contents().value.files.records.allSatisfy { $0.isTrusted })
        try bench.meddle("UPDATE files SET boot = 'earlier'")
        let files = bench.reader.contents().value.files
        #expect(files["synced"]?.isTrusted == true)
        #expect(files["not"]?.isTrusted == false)
        // A later checkpoint must not make up for what was lost.
        let later = bench.ledger()
        try later.record(files: [try bench.publish("new")])
        #expect(try later.checkpoint() == 1)
        later.close()
        #expect(bench.reader.contents().value.files["not"]?.isTrusted == false)
    }

    @Test func aCheckpointAlsoMarksWhatAKilledRunOfThisBootLeft() throws {
        let bench = try LedgerBench()
        let killed = bench.ledger()
        try killed.record(files: [try bench.publish("a")])
        killed.close()
        let ledger = bench.ledger()
        try ledger.record(files: [try bench.publish("b")])
        #expect(try ledger.checkpoint() == 2)
        ledger.close()
        bench.disk.directory.forgetFolders()
        #expect(bench.disk.files.openDescriptors == 0)
    }
}
