import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite struct JobDirectoryTests {
    @Test func makesFoldersAsAnyProgramWould() throws {
        let disk = try Disk(root: "not/yet")
        disk.makeFolder("plain")
        try disk.publish("a/b/c", "x")
        #expect(disk.text("a/b/c") == "x")
        var plain = stat()
        stat(disk.folder.path("plain"), &plain)
        for folder in ["", "a", "a/b"] { #expect(disk.status(folder).st_mode == plain.st_mode) }
    }

    @Test func changesNothingByLooking() throws {
        let disk = try Disk(root: "not/yet")
        #expect(disk.directory.state(of: at("a/b")) == nil)
        #expect(try disk.directory.checkDestination(at("a/b")) == nil)
        #expect(try disk.directory.openPresent(at("a/b")) == nil)
        #expect(disk.directory.freeSpace() ?? 0 > 0)
        #expect(DiskFile.entries(disk.folder.path) == [])
    }

    @Test func mayBeALinkItself() throws {
        let disk = try Disk()
        disk.makeFolder("real")
        disk.link("out", to: "real")
        try disk.publish("a/f", "x")
        #expect(disk.folder.read("real/a/f") == Array("x".utf8))
    }

    @Test func tellsWhatLiesThere() throws {
        let disk = try Disk()
        try disk.publish("f", "four")
        disk.makeFolder("out/folder")
        disk.link("out/link", to: "f")
        mkfifo(disk.folder.path("out/pipe"), 0o666)
        let states = ["f", "folder", "link", "pipe", "none", "f/below"].map { disk.directory.state(of: at($0)) }
        #expect(states.map { $0?.kind } == [.file, .folder, .link, .other, nil, nil])
        #expect(states[0]?.size == 4)
        #expect(states[0]?.inode == UInt64(disk.status("f").st_ino))
        #expect(try disk.directory.checkDestination(at("f")) == states[0])
        #expect(try disk.directory.checkDestination(at("link"))?.kind == .link)
    }

    @Test func refusesWhatCannotBeReplaced() throws {
        let disk = try Disk()
        disk.makeFolder("out")
        disk.makeFolder("out/folder")
        mkfifo(disk.folder.path("out/pipe"), 0o666)
        #expect(throws: StorageError.destinationIsFolder(path: "folder")) {
            try disk.directory.checkDestination(at("folder"))
        }
        #expect(throws: StorageError.destinationIsSpecial(path: "pipe")) {
            try disk.directory.checkDestination(at("pipe"))
        }
        #expect(throws: StorageError.destinationIsSpecial(path: "/dev/null")) {
            try disk.directory.checkDestination(at("/dev/null"))
        }
    }

    @Test func namesTheParentThatIsAFile() throws {
        let disk = try Disk()
        try disk.publish("a/file", "x")
        let error = StorageError.parentIsFile(path: "a/file/b/c", parent: "a/file")
        #expect(throws: error) { try disk.directory.checkDestination(at("a/file/b/c")) }
        #expect(throws: error) { try disk.open("a/file/b/c") }
        #expect(error.faultClass == .disk)
        #expect(disk.text("a/file") == "x")
    }

    @Test func namesTheRootThatIsAFile() throws {
        let disk = try Disk()
        try disk.folder.write("out", "x")
        let error = StorageError.parentIsFile(path: "a/f", parent: disk.directory.root)
        #expect(throws: error) { try disk.directory.checkDestination(at("a/f")) }
        #expect(throws: error) { try disk.open("a/f") }
    }

    @Test func namesTheFileOnAnAbsolutePath() throws {
        let disk = try Disk()
        let file = try disk.folder.write("file", "x")
        let path = file + "/b/c"
        #expect(throws: StorageError.parentIsFile(path: path, parent: file)) { try disk.open(path) }
    }

    @Test func saysBeforeTheTransferThatAFolderCannotBeWritten() throws {
        let disk = try Disk()
        disk.files.fail(.checkWritable, with: EACCES)
        let error = #expect(throws: StorageError.self) { try disk.directory.checkDestination(at("a/f")) }
        #expect(error == .failed(.create, path: "a/f", errno: EACCES))
        #expect(error?.faultClass == .disk)
        disk.files.fail(.checkWritable, with: EROFS)
        #expect(throws: StorageError.failed(.create, path: "a/f", errno: EROFS)) {
            try disk.directory.checkDestination(at("a/f"))
        }
    }

    @Test func takesAFolderThatAnotherMadeMeanwhile() throws {
        let disk = try Disk()
        disk.makeFolder("out")
        disk.makeFolder("out/a")
        // The folder is not there at first sight, and is there when it is to be made.
        disk.files.fail(.open, with: ENOENT, calls: 2...2)
        try disk.publish("a/f", "x")
        #expect(disk.text("a/f") == "x")
    }

    @Test func findsItsWayAgainWhenAFolderWasRemoved() throws {
        let disk = try Disk()
        try disk.publish("a/f", "x")
        unlink(disk.folder.path("out/a/f"))
        rmdir(disk.folder.path("out/a"))
        try disk.publish("a/g", "y")
        #expect(disk.text("a/g") == "y")
    }
}
