import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite("Cleaning")
struct CleanerTests {
    private static let now: Int64 = 1_796_000_000

    private func cleaner(
        _ bench: LedgerBench, wanted: [String] = [], _ rules: CleanRules = CleanRules(), now: Int64 = now
    ) -> Cleaner {
        Cleaner(
            directory: bench.disk.directory, folder: bench.state, job: "job", wanted: wanted.map(at), rules: rules,
            now: now)
    }

    /// A bench in which the job has put some files in place.
    private func bench(_ names: String...) throws -> LedgerBench {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(files: try names.map { try bench.publish($0) })
        ledger.close()
        return bench
    }

    private static let old = CleanRules(olderThan: .seconds(1))

    @Test func findingChangesNothing() throws {
        let bench = try bench("a")
        try bench.disk.open("b").write("part")
        let before = bench.disk.folder.files()
        let items = cleaner(bench, Self.old).find().items
        #expect(items.map(\.path) == ["b", "a"])
        #expect(bench.disk.folder.files() == before)
    }

    @Test func downloadsAreRemovedWithTheirRows() throws {
        let bench = try bench("sub/a", "b")
        let cleaner = cleaner(bench, wanted: ["b"], Self.old)
        let ledger = bench.ledger()
        let result = cleaner.remove(cleaner.find().items, ledger: ledger)
        ledger.close()
        #expect(result.removed.map(\.path) == ["sub/a"])
        #expect(result.failed.isEmpty)
        #expect(bench.disk.text("sub/a") == nil && bench.disk.text("b") == "text")
        #expect(bench.reader.contents().value.files.paths == ["b"])
    }

    @Test func theFolderThatAKilledExtractionHasLeftIsRemoved() throws {
        let bench = try bench("a")
        let name = try PartName.of("tree", identity: "job")
        _ = try bench.disk.folder.write("out/\(name)/sub/f", "text")
        let cleaner = cleaner(bench, wanted: ["a"])
        let ledger = bench.ledger()
        let result = cleaner.remove(cleaner.find().items, ledger: ledger)
        ledger.close()
        #expect(result.removed.map(\.path) == ["tree"])
        #expect(result.failed.isEmpty)
        #expect(!bench.disk.names().contains(name))
    }

    @Test func theFileThatAnAbsolutePathNamesIsWanted() throws {
        let bench = try bench("a")
        #expect(cleaner(bench, wanted: [bench.disk.directory.root + "/a"], Self.old).find().items.isEmpty)
        bench.disk.link("way", to: bench.disk.directory.root)
        #expect(cleaner(bench, wanted: [bench.disk.folder.path("way/a")], Self.old).find().items.isEmpty)
    }

    @Test func whatOthersHaveWrittenStays() throws {
        let bench = try bench("a")
        try bench.disk.folder.write("out/foreign", "mine")
        let other = bench.ledger("other job")
        try other.record(files: [try bench.publish("theirs")])
        other.close()
        #expect(cleaner(bench, Self.old).find().items.map(\.path) == ["a"])
    }

    @Test func whatWasChangedStays() throws {
        let bench = try bench("a", "b")
        let cleaner = cleaner(bench, Self.old)
        try bench.disk.folder.write("out/a", "changed by someone")
        #expect(cleaner.find().items.map(\.path) == ["b"])
        let items = cleaner.find().items
        try bench.disk.folder.write("out/b", "changed in between")
        let result = cleaner.remove(items, ledger: bench.ledger())
        #expect(result.removed.isEmpty && result.failed.isEmpty)
        #expect(bench.disk.text("b") == "changed in between")
    }

    @Test func aFailureIsTold() throws {
        let bench = try bench("a", "b")
        let cleaner = cleaner(bench, Self.old)
        let items = cleaner.find().items
        bench.disk.files.fail(.unlink, with: EROFS, calls: 1...1)
        let result = cleaner.remove(items, ledger: bench.ledger())
        #expect(result.removed.map(\.path) == ["b"])
        #expect(result.failed.map(\.error) == [.failed(.remove, path: "a", errno: EROFS)])
    }

    // MARK: - Part files

    private func leavePart(_ bench: LedgerBench, _ name: String, job: String = "job", state: Bool = true) throws {
        try bench.disk.open(name, identity: job).write("part")
        guard state else { return }
        let states = PartStates(folder: bench.state, job: job)
        try states.save(PartState(path: name, identity: "i", source: "s"), for: at(name))
    }

    @Test func partFilesThatNoTaskWantsAreRemovedWithTheirStates() throws {
        let bench = try LedgerBench()
        try leavePart(bench, "sub/orphan")
        try leavePart(bench, "wanted")
        try leavePart(bench, "theirs", job: "other")
        try leavePart(bench, "early", state: false)
        try leavePart(bench, String(repeating: "n", count: 250))
        let cleaner = cleaner(bench, wanted: ["wanted"])
        let items = cleaner.find().items
        #expect(items.map(\.path) == ["early", String(repeating: "n", count: 250), "sub/orphan"])
        #expect(items.allSatisfy { $0.reason == .notWanted && $0.bytes > 0 })
        #expect(cleaner.remove(items, ledger: bench.ledger()).removed.count == 3)
        #expect(DiskFile.entries(bench.state.path + "/parts").count == 2)
        #expect(bench.disk.names().filter { $0.hasSuffix(".part") }.count == 2)
        #expect(bench.disk.names("sub").isEmpty)
    }

    @Test func wantedPartFilesAreKeptForATimeOnly() throws {
        let bench = try LedgerBench()
        try leavePart(bench, "wanted")
        let rules = CleanRules(partsOlderThan: .seconds(60))
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        #expect(cleaner(bench, wanted: ["wanted"], rules, now: Int64(now.tv_sec)).find().items.isEmpty)
        let later = cleaner(bench, wanted: ["wanted"], rules, now: Int64(now.tv_sec) + 1000).find().items
        #expect(later.map(\.kind) == [.part(of: at("wanted"))])
    }

    @Test func aStateWithoutItsPartFileIsRemovedToo() throws {
        let bench = try LedgerBench()
        let states = PartStates(folder: bench.state, job: "job")
        try states.save(PartState(path: "gone", identity: "i", source: "s"), for: at("gone"))
        let cleaner = cleaner(bench)
        #expect(cleaner.remove(cleaner.find().items, ledger: bench.ledger()).removed.count == 1)
        #expect(DiskFile.entries(bench.state.path + "/parts").isEmpty)
    }

    // MARK: - The state folder

    @Test func whatAKilledProcessLeftGoesAfterADay() throws {
        let bench = try bench("a")
        for name in ["parts/x.json.5.tmp", "leases/clock-1.tmp", "ledger.sqlite.1-2.tmp", "parts/new.tmp"] {
            try bench.disk.folder.write("out/.runner/" + name, "left")
            guard name != "parts/new.tmp" else { continue }
            let time = timespec(tv_sec: Int(Self.now - 100_000), tv_nsec: 0)
            utimensat(AT_FDCWD, bench.state.path + "/" + name, [time, time], 0)
        }
        let cleaner = cleaner(bench)
        let items = cleaner.find().items
        #expect(
            items.map(\.path) == ["leases/clock-1.tmp", "ledger.sqlite.1-2.tmp", "parts/x.json.5.tmp"])
        #expect(cleaner.remove(items, ledger: bench.ledger()).removed.count == 3)
        #expect(DiskFile.entries(bench.state.path + "/parts") == ["new.tmp"])
        #expect(bench.stateFiles.contains("ledger.sqlite"))
    }

    @Test func oldReportsGoWithTheirRuns() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        for number in 0..<32 {
            let report = "reports/\(number).jsonl"
            try bench.disk.folder.write("out/.runner/" + report, "{}")
            try ledger.record(
                run: RunRow(
                    run: "\(number)", job: "job", name: "n", file: "f", started: (Self.now - Int64(number)) * 1000,
                    report: report))
        }
        try bench.disk.folder.write("out/.runner/reports/stray.jsonl", "{}")
        let long = timespec(tv_sec: 1000, tv_nsec: 0)
        utimensat(AT_FDCWD, bench.state.path + "/reports/stray.jsonl", [long, long], 0)
        let cleaner = cleaner(bench)
        let items = cleaner.find().items
        #expect(items.map(\.path) == ["reports/30.jsonl", "reports/31.jsonl", "reports/stray.jsonl"])
        _ = cleaner.remove(items, ledger: ledger)
        ledger.close()
        #expect(DiskFile.entries(bench.state.path + "/reports").count == 30)
        #expect(bench.reader.runs(of: "job").value.count == 30)
    }
}
