import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

/// No path leaves the job's directory through a link.
@Suite struct LinkTests {
    /// The ways to a file, each of which must be barred.
    private func expectBarred(_ disk: Disk, _ path: String, _ error: StorageError) {
        #expect(throws: error) { try disk.directory.checkDestination(at(path)) }
        #expect(throws: error) { try disk.open(path) }
        #expect(throws: error) { try disk.directory.openPresent(at(path)) }
        #expect(disk.directory.state(of: at(path)) == nil)
        #expect(error.faultClass == .disk)
    }

    @Test func namesLinkTargetAndThePathToWriteInstead() throws {
        let disk = try Disk()
        disk.makeFolder("out")
        disk.makeFolder("elsewhere")
        try disk.folder.write("elsewhere/b/f", "old")
        disk.link("out/a", to: "../elsewhere")
        expectBarred(
            disk, "a/b/f",
            .linkInPath(
                path: "a/b/f", link: "a", target: "../elsewhere", absolutePath: disk.folder.path("elsewhere/b/f")))
        #expect(disk.folder.files() == ["elsewhere/b/f", "out/a"])
    }

    @Test func isRefusedEvenWhenItStaysInside() throws {
        let disk = try Disk()
        try disk.publish("x/y/real/f", "old")
        disk.link("out/x/y/link", to: "real")
        expectBarred(
            disk, "x/y/link/f",
            .linkInPath(
                path: "x/y/link/f", link: "x/y/link", target: "real",
                absolutePath: disk.folder.path("out/x/y/real/f")))
    }

    @Test func isRefusedWhenItLeadsNowhere() throws {
        let disk = try Disk()
        disk.makeFolder("out")
        disk.makeFolder("out/x")
        disk.link("out/x/a", to: "../../none/./b")
        expectBarred(
            disk, "x/a/f",
            .linkInPath(
                path: "x/a/f", link: "x/a", target: "../../none/./b", absolutePath: disk.folder.path("none/b/f")))
        #expect(DiskFile.entries(disk.folder.path) == ["out"])
    }

    @Test func isFollowedOnAPathThatTheJobWroteAsAbsolute() throws {
        let disk = try Disk()
        disk.makeFolder("elsewhere")
        disk.link("way", to: "elsewhere")
        let path = disk.folder.path("way/new/f")
        #expect(try disk.directory.checkDestination(at(path)) == nil)
        try disk.open(path).publish()
        #expect(disk.folder.files() == ["elsewhere/new/f", "way"])
    }

    @Test func atThePartFileIsNotWrittenThrough() throws {
        let disk = try Disk()
        let name = try PartName.of("f", identity: "job")
        disk.makeFolder("out")
        try disk.folder.write("precious", "keep me")
        for keeping in [0, 4] {
            disk.link("out/" + name, to: "../precious")
            let part = try disk.open("f", keeping: Int64(keeping))
            #expect(part.length == 0)
            try part.write("new")
            try part.publish()
        }
        #expect(disk.folder.read("precious") == Array("keep me".utf8))
        #expect(disk.text("f") == "new")
    }

    @Test func ofTheHardKindIsNotWrittenThrough() throws {
        let disk = try Disk()
        let name = try PartName.of("f", identity: "job")
        disk.makeFolder("out")
        let precious = try disk.folder.write("precious", "keep me")
        for keeping in [0, 4] {
            link(precious, disk.folder.path("out/" + name))
            let part = try disk.open("f", keeping: Int64(keeping))
            #expect(part.length == 0)
            try part.write("new")
            part.discard()
        }
        #expect(disk.folder.read("precious") == Array("keep me".utf8))
    }

    @Test func atTheDestinationIsNoFileToVerify() throws {
        let disk = try Disk()
        try disk.publish("real", "x")
        disk.link("out/f", to: "real")
        #expect(try disk.directory.openPresent(at("f")) == nil)
    }

    /// Such as `/dev/stdout`: replacing it would take it away from every program of the machine.
    @Test(arguments: ["/proc/self/fd/1", "../pipe", "/dev/null"]) func toADeviceOrAPipeIsNoPlaceForAFile(
        _ target: String
    ) throws {
        let disk = try Disk()
        disk.makeFolder("out")
        #expect(mkfifo(disk.folder.path("pipe"), 0o600) == 0)
        disk.link("out/a", to: target)
        #expect(disk.directory.state(of: at("a"))?.kind == .other)
        #expect(throws: StorageError.destinationIsSpecial(path: "a")) { try disk.directory.checkDestination(at("a")) }
    }

    @Test(arguments: ["f", "none", "."]) func toAnythingElseIsReplaced(_ target: String) throws {
        let disk = try Disk()
        try disk.publish("f", "old")
        disk.link("out/a", to: target)
        #expect(disk.directory.state(of: at("a"))?.kind == .link)
        try disk.publish("a", "new")
        #expect(disk.folder.files() == ["out/a", "out/f"])
        #expect(disk.folder.read("out/f") == Array("old".utf8))
    }
}
