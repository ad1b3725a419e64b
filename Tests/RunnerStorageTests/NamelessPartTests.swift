import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

/// A part of a small file, which has no name before it is whole.
@Suite struct NamelessPartTests {
    /// What a file system may refuse, with what the file then comes to its name by.
    static let refusals: [FaultyFiles.Call?] = [nil, .link]

    private func disk(without call: FaultyFiles.Call?) throws -> Disk {
        let disk = try Disk()
        if let call { disk.files.fail(call, with: EPERM) }
        return disk
    }

    @Test func doesNotShowBeforeItIsPublished() throws {
        let disk = try Disk()
        let part = try disk.open("f", total: 5)
        try part.write("hello")
        #expect(disk.names().isEmpty)
        #expect(part.length == 5)
        #expect(try part.firstBytes(100) == Array("hello".utf8))
        let state = try part.publish().state
        #expect(disk.names() == ["f"])
        #expect(disk.text("f") == "hello")
        #expect(disk.directory.state(of: at("f")) == state)
        #expect(disk.files.count(.rename) == 0)
        // The folder's, which the part holds.
        disk.directory.forgetFolders()
        #expect(disk.files.openDescriptors == 1)
    }

    @Test(arguments: refusals) func isPublishedLikeAnyOther(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        let part = try disk.open("a/f", total: 5)
        try part.write("hello")
        let state = try part.publish(mode: 0o4750, modified: 1_000_000_000).state
        #expect(disk.names("a") == ["f"])
        #expect(disk.text("a/f") == "hello")
        #expect(state.modified == 1_000_000_000_000_000_000)
        #expect(disk.status("a/f").st_mode & 0o7777 == 0o4750)
        #expect(disk.directory.state(of: at("a/f")) == state)
    }

    /// Kernels before 6.10 let only the privileged link an open file that has no path.
    @Test func getsItsNameWithoutAPrivilege() throws {
        let disk = try Disk()
        let thread = try NativeThread {
            #expect(throws: Never.self) {
                try Sandbox.refuseLinkingByDescriptor()
                for name in ["f", "g"] {
                    let part = try disk.open(name, total: 5)
                    try part.write("hello")
                    try part.publish()
                    #expect(disk.text(name) == "hello")
                }
            }
        }
        thread.join()
        #expect(disk.files.count(.link) == 2)
        #expect(disk.files.count(.rename) == 0)
    }

    @Test(arguments: refusals) func tellsWhosePlaceItTook(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        for isThere in [false, true] {
            let before = disk.directory.state(of: at("f"))
            let part = try disk.open("f", total: 5)
            try part.write("hello")
            let publication = try part.publish()
            #expect((publication.replaced != nil) == isThere)
            #expect(publication.replaced == before?.changed)
        }
    }

    @Test(arguments: refusals) func replacesAFileAndALink(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        try disk.publish("f", "old")
        disk.link("out/g", to: "f")
        for name in ["f", "g"] {
            let part = try disk.open(name, total: 3)
            try part.write("new")
            try part.publish(mode: 0o600)
        }
        #expect(disk.names().sorted() == ["f", "g"])
        #expect(disk.text("f") == "new")
        #expect(disk.status("g").st_mode & S_IFMT == S_IFREG)
        #expect(disk.status("g").st_mode & 0o7777 == 0o600)
    }

    @Test(arguments: refusals) func doesNotReplaceAFolder(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        let part = try disk.open("f", total: 3)
        try part.write("new")
        disk.makeFolder("out/f")
        #expect(throws: StorageError.destinationIsFolder(path: "f")) { try part.publish() }
        #expect(disk.names().sorted() == [part.name, "f"])
        part.discard()
        #expect(disk.names() == ["f"])
    }

    @Test(arguments: refusals) func isKeptUnderItsName(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        let part = try disk.open("f", total: 5)
        try part.write("hel")
        part.close()
        #expect(disk.names() == [part.name])
        let rest = try disk.open("f", keeping: 3)
        #expect(rest.length == 3)
        try rest.write("lo")
        try rest.publish()
        #expect(disk.text("f") == "hello")
    }

    @Test(arguments: refusals) func takesItsNameWhenItLasts(_ refused: FaultyFiles.Call?) throws {
        let disk = try disk(without: refused)
        let part = try disk.open("f", total: 5)
        try part.write("hel")
        try part.takeName()
        try part.takeName()
        #expect(disk.names() == [part.name])
        #expect(disk.text(part.name) == "hel")
        try part.write("lo")
        try part.publish()
        #expect(disk.names() == ["f"])
        #expect(disk.text("f") == "hello")
    }

    /// A run that was killed may have left one, which nobody goes on with.
    @Test func takesThePlaceOfAnOldPart() throws {
        let disk = try Disk()
        let old = try disk.open("f")
        try old.write("old bytes")
        old.close()
        let part = try disk.open("f", total: 3)
        try part.write("new")
        try part.publish()
        #expect(disk.names() == ["f"])
        try disk.open("f").close()
        let kept = try disk.open("f", total: 3)
        try kept.write("ab")
        kept.close()
        #expect(disk.text(kept.name) == "ab")
    }

    // MARK: - Old parts in a folder of many files

    /// A folder in which so many small files were published that it has been listed.
    private func listed(besides: (Disk) throws -> Void = { _ in }) throws -> Disk {
        let disk = try Disk()
        try besides(disk)
        for number in 0...17 { try publishNameless("\(number)", on: disk) }
        return disk
    }

    private func publishNameless(_ name: String, on disk: Disk) throws {
        let part = try disk.open(name, total: 3)
        try part.write("new")
        try part.publish()
    }

    private func leavePart(_ name: String, on disk: Disk) throws {
        let part = try disk.open(name)
        try part.write("old bytes")
        part.close()
    }

    @Test func areNotLookedForWhereThereIsNone() throws {
        let disk = try listed()
        disk.files.resetCounts()
        try publishNameless("f", on: disk)
        // That of the file itself.
        #expect(disk.files.count(.status) == 1)
    }

    @Test func areRemovedAllTheSame() throws {
        let disk = try listed { try leavePart("f", on: $0) }
        try publishNameless("f", on: disk)
        #expect(!disk.names().contains { $0.hasSuffix(".part") })
    }

    @Test func areRemovedWhereTheyCameLater() throws {
        let disk = try listed()
        try leavePart("f", on: disk)
        let kept = try disk.open("g", total: 5)
        try kept.write("hel")
        kept.close()
        #expect(disk.names().count { $0.hasSuffix(".part") } == 2)
        try publishNameless("f", on: disk)
        try publishNameless("g", on: disk)
        #expect(!disk.names().contains { $0.hasSuffix(".part") })
    }

    @Test func areRemovedWhereThereIsTooMuchToList() throws {
        let disk = try listed { disk in
            for number in 0..<1100 { try disk.publish("old \(number)", "") }
            try leavePart("f", on: disk)
        }
        try publishNameless("f", on: disk)
        #expect(!disk.names().contains { $0.hasSuffix(".part") })
    }

    @Test func leavesNothingWhenItIsDropped() throws {
        let disk = try Disk()
        let part = try disk.open("f", total: 5)
        try part.write("hel")
        #expect(part.discard())
        #expect(!part.discard())
        try disk.open("g", total: 5).close()
        #expect(disk.names().isEmpty)
        // The folder's, which the part holds.
        disk.directory.forgetFolders()
        #expect(disk.files.openDescriptors == 1)
    }

    @Test func isNotThereWhenClosingTellsThatBytesWereLost() throws {
        let disk = try Disk()
        let part = try disk.open("f", total: 3)
        try part.write("new")
        disk.files.fail(.close, with: EIO)
        #expect(throws: StorageError.failed(.close, path: "f", errno: EIO)) { try part.publish() }
        #expect(disk.text("f") == nil)
    }

    /// Larger files, those of unknown size and those that are gone on with are worth their name from the first byte on.
    @Test(arguments: [nil, PartFile.largestNameless + 1]) func othersHaveTheirNameAtOnce(_ total: Int64?) throws {
        let disk = try Disk()
        let part = try disk.open("f", total: total)
        #expect(disk.names() == [part.name])
    }

    /// As on NFS: open(2) says EOPNOTSUPP there.
    @Test func aFileSystemWithoutThemGetsOneWithAName() throws {
        let disk = try Disk()
        try disk.publish("other", "x")
        disk.files.fail(.open, with: EOPNOTSUPP, calls: 1...1)
        let part = try disk.open("f", total: 3)
        #expect(disk.names().sorted() == [part.name, "other"])
    }
}
