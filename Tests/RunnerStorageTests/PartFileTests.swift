import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite struct PartFileTests {
    @Test func liesBesideItsDestinationUntilItIsPublished() throws {
        let disk = try Disk()
        let part = try disk.open("a/b/c.txt")
        try part.write("hello")
        #expect(part.length == 5)
        #expect(disk.names("a/b") == [part.name])
        #expect(part.name.hasPrefix(".c.txt.") && part.name.hasSuffix(".part"))
        let state = try part.publish().state
        #expect(disk.names("a/b") == ["c.txt"])
        #expect(disk.text("a/b/c.txt") == "hello")
        #expect(state.size == 5 && state.kind == .file)
        #expect(disk.directory.state(of: at("a/b/c.txt")) == state)
    }

    /// What was verified on the way is not what lies there.
    @Test(arguments: [0, 3, 20]) func isNotPublishedWhenSomebodyHasChangedItsLength(_ length: Int) throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("all of it")
        truncate(disk.directory.root + "/" + part.name, length)
        #expect(throws: StorageError.partReplaced(path: "f")) { try part.publish() }
        #expect(disk.names() == [part.name])
    }

    /// As when a run with another state folder works in the same folder.
    @Test func isNotPublishedWhenSomebodyHasReplacedIt() throws {
        let disk = try Disk()
        let first = try disk.open("f")
        try first.write("all of it")
        let second = try disk.open("f")
        try second.write("all")
        #expect(throws: StorageError.partReplaced(path: "f")) { try first.publish() }
        #expect(disk.names() == [second.name])
        try second.write(" of it")
        try second.publish()
        #expect(disk.text("f") == "all of it")
    }

    @Test func setsModeAndTime() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("x")
        let state = try part.publish(mode: 0o4750, modified: 1_000_000_000).state
        #expect(state.modified == 1_000_000_000_000_000_000)
        #expect(disk.status("f").st_mode & 0o7777 == 0o4750)
    }

    @Test(arguments: [Int64.min, -1, 0, 253_402_300_799, .max])
    func takesAnyTimeWithoutTrapping(_ seconds: Int64) throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("x")
        // A file system may refuse a time or hold it at its own limit.
        _ = try? part.publish(modified: seconds)
    }

    @Test func hasTheModeOfAnyNewFileUnlessOneIsAskedFor() throws {
        let disk = try Disk()
        disk.makeFolder("out")
        try disk.folder.write("out/plain", "")
        try disk.publish("f", "x")
        #expect(disk.status("f").st_mode == disk.status("plain").st_mode)
    }

    @Test func mayBeEmpty() throws {
        let disk = try Disk()
        #expect(try disk.open("f").publish().state.size == 0)
        #expect(disk.text("f") == "")
    }

    @Test func replacesAnOldFileInOneStep() throws {
        let disk = try Disk()
        try disk.publish("f", "old")
        let old = disk.status("f").st_ino
        let part = try disk.open("f")
        try part.write("new")
        #expect(disk.text("f") == "old")
        try part.publish()
        #expect(disk.text("f") == "new")
        #expect(disk.status("f").st_ino != old)
    }

    @Test(arguments: ["../precious", "/nowhere/x"]) func replacesALinkAndNotItsTarget(_ target: String) throws {
        let disk = try Disk()
        disk.makeFolder("out")
        try disk.folder.write("precious", "keep me")
        disk.link("out/f", to: target)
        try disk.publish("f", "new")
        #expect(disk.text("f") == "new")
        #expect(disk.status("f").st_mode & S_IFMT == S_IFREG)
        #expect(disk.folder.read("precious") == Array("keep me".utf8))
    }

    @Test func writesAtAnyOffsetAndReadsBack() throws {
        let part = try Disk().open("f")
        try part.write(Array("world".utf8), at: 6)
        try part.write(Array("hello ".utf8), at: 0)
        #expect(part.length == 11)
        #expect(try part.firstBytes(100) == Array("hello world".utf8))
    }

    @Test func goesOnAfterWritesThatAreCutShort() throws {
        let disk = try Disk()
        disk.files.cutWrites(to: 3)
        try disk.publish("f", "hello world")
        #expect(disk.text("f") == "hello world")
    }

    @Test func canBeCut() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("hello")
        try part.truncate(to: 0)
        try part.write("ab")
        try part.publish()
        #expect(disk.text("f") == "ab")
    }

    @Test func refusesAnOffsetBeyondAllFiles() throws {
        let part = try Disk().open("f")
        #expect(throws: StorageError.self) { try part.write([1], at: .max) }
        #expect(throws: StorageError.self) { try part.write([1], at: -1) }
        #expect(part.length == 0)
    }

    @Test func disappearsWhenDiscarded() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("x")
        part.discard()
        #expect(disk.names() == [])
    }

    @Test func isKeptWhenClosedOrDropped() throws {
        let disk = try Disk()
        let name: String
        do {
            let part = try disk.open("f")
            try part.write("x")
            name = part.name
        }
        #expect(disk.names() == [name])
        disk.directory.forgetFolders()
        #expect(disk.files.openDescriptors == 0)
    }

    @Test func canBeDiscardedAfterItWasClosed() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        part.close()
        part.discard()
        #expect(disk.names() == [])
    }

    @Test func staysPublishedWhenDiscardedLater() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("x")
        try part.publish()
        part.discard()
        #expect(disk.text("f") == "x")
    }

    @Test func saysThatItIsClosed() throws {
        let part = try Disk().open("f")
        part.close()
        #expect(throws: StorageError.partIsClosed(path: "f")) { try part.write("x") }
        #expect(throws: StorageError.partIsClosed(path: "f")) { try part.publish() }
        #expect(throws: StorageError.partIsClosed(path: "f")) { try part.truncate(to: 0) }
    }
}
