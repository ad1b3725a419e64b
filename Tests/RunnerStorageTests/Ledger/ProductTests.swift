import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite("Tasks that were done, in the ledger")
struct ProductTests {
    private func product(_ key: String, outputs: [String] = ["out"]) -> Product {
        Product(
            key: ExactText(key),
            record: ProductRecord(
                fingerprint: -7, inputs: [ProductRecord.Path(at("a b/ü"), PathStamp("f 1 2 3 4"))],
                outputs: outputs.map { ProductRecord.Path(at($0), PathStamp("t 1 2 ff")) }, finished: 99))
    }

    @Test func whatIsWrittenIsRead() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        try ledger.record(products: [product("check x"), product("check y", outputs: [])])
        ledger.close()
        let products = bench.reader.contents(job: "job").value.products
        #expect(products["check x"] == product("check x").record)
        #expect(products["check y"] == product("check y", outputs: []).record)
        #expect(bench.reader.contents(job: "another").value.products.isEmpty)
        #expect(bench.reader.contents().value.products.isEmpty)
    }

    @Test func aLaterTimeReplacesTheEarlier() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        var later = product("check x")
        later.record.finished = 100
        try ledger.record(products: [product("check x")])
        try ledger.record(products: [later])
        ledger.close()
        #expect(bench.reader.contents(job: "job").value.products["check x"]?.finished == 100)
    }

    @Test func afterABootOnlySyncedResultsAreTrusted() throws {
        let bench = try LedgerBench()
        let ledger = bench.ledger()
        _ = try bench.publish("a")
        try ledger.record(products: [product("synced")])
        try ledger.checkpoint()
        try ledger.record(products: [product("not"), product("nothing", outputs: [])])
        ledger.close()
        try bench.meddle("UPDATE products SET boot = 'earlier'")
        let products = bench.reader.contents(job: "job").value.products
        #expect(products["synced"]?.isTrusted == true)
        #expect(products["not"]?.isTrusted == false)
        #expect(products["nothing"]?.isTrusted == true)
    }

    @Test func aLedgerWithoutTheTableGetsIt() throws {
        let bench = try LedgerBench()
        let old = bench.ledger()
        try old.record(files: [try bench.publish("a")])
        old.close()
        try bench.meddle("DROP TABLE products; DELETE FROM migrations WHERE name = '2-products'")
        #expect(bench.reader.contents(job: "job").value.files.count == 1)
        let ledger = bench.ledger()
        try ledger.record(products: [product("x")])
        ledger.close()
        #expect(bench.reader.contents(job: "job").value.products.count == 1)
    }
}

@Suite("What a path holds, in a form that can be compared")
struct TreeStampTests {
    @Test func everyChangeBelowAFolderIsSeen() throws {
        let disk = try Disk()
        func stamp() -> PathStamp { disk.directory.treeStamp(of: at("tree")) }
        #expect(stamp() == .missing)
        _ = try disk.folder.write("out/tree/a", "1")
        let one = stamp()
        #expect(!one.isMissing && stamp() == one)
        _ = try disk.folder.write("out/tree/sub/b", "22")
        let two = stamp()
        #expect(two != one && stamp() == two)
        _ = try disk.folder.write("out/tree/sub/b", "23")
        let three = stamp()
        #expect(three != two)
        unlink(disk.folder.path("out/tree/sub/b"))
        #expect(stamp() != three)
        _ = try disk.folder.write("out/beside", "x")
        let four = stamp()
        #expect(stamp() == four)
    }

    @Test func aFileHasItsSizeTimesAndInode() throws {
        let disk = try Disk()
        _ = try disk.folder.write("out/a", "1234")
        let state = try #require(disk.directory.state(of: at("a")))
        #expect(disk.directory.treeStamp(of: at("a")) == PathStamp(state))
        #expect(PathStamp(state).text.hasPrefix("f 4 "))
    }
}
