import Glibc
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerStorage

/// What a plan asks of the disk, as seen in its calls.
@Suite struct LastFolderTests {
    private func view(_ disk: Disk) -> JobDisk {
        let states = PartStates(folder: StateFolder(path: disk.folder.path("state")), job: "job")
        return JobDisk(directory: disk.directory, ledger: LedgerContents(), states: states, identity: "job")
    }

    @Test func aFolderOfFewNamesIsAskedForSomeAndListedForTheRest() throws {
        let disk = try Disk()
        try disk.publish("a/there", "x")
        let view = view(disk)
        disk.files.resetCounts()
        for number in 0..<1000 { #expect(view.state(of: at("a/\(number)")) == nil) }
        #expect(disk.files.count(.status) < 50)
        #expect(view.state(of: at("a/there"))?.size == 1)
    }

    @Test func aMissingFolderIsAskedForOnce() throws {
        let disk = try Disk()
        let view = view(disk)
        _ = view.state(of: at("no/0"))
        disk.files.resetCounts()
        for number in 1..<1000 { #expect(view.state(of: at("no/\(number)")) == nil) }
        #expect(disk.files.counts.isEmpty)
    }

    @Test func foldersThatTakeTurnsAreAsked() throws {
        let disk = try Disk()
        try disk.publish("a/there", "x")
        try disk.publish("b/there", "xy")
        let view = view(disk)
        for number in 0..<100 {
            #expect(view.state(of: at("a/\(number)")) == nil)
            #expect(view.state(of: at("b/\(number)")) == nil)
        }
        #expect(view.state(of: at("a/there"))?.size == 1)
        #expect(view.state(of: at("b/there"))?.size == 2)
    }

    @Test func aFolderOfManyNamesIsAskedForEach() throws {
        let disk = try Disk()
        for number in 0...Folder.mostNames { try disk.publish("old \(number)", "x") }
        let view = view(disk)
        disk.files.resetCounts()
        for number in 0..<100 { #expect(view.state(of: at("\(number)")) == nil) }
        #expect(disk.files.count(.status) >= 100)
        #expect(view.state(of: at("old 7"))?.size == 1)
    }

    /// Names in the folder, a name, and whether it may be there.
    @Test(arguments: [
        ([], "f", false), (["g"], "f", false), (["f"], "f", true), (["F.bin"], "f.BIN", true), (["f"], "f.", true),
        (["longname.txt"], "LONGNA~1.TXT", true), (["f"], "f:stream", true), (["f"], "f ", true), ([], "ü", true),
        (["g"], "\u{1}", true), (["a b"], "ab", false), (["f"], "ff", false),
    ])
    func namesThatAFileSystemMayTakeForOthersAreAskedFor(_ names: [String], _ name: String, _ mayBeThere: Bool) {
        #expect(FolderContent(names)?.mayHold(name) == mayBeThere)
    }

    /// The sign for Kelvin is another form of the letter k.
    @Test func nothingIsSaidOfAFolderWithOtherLetters() {
        #expect(FolderContent(["\u{212a}.bin"]) == nil)
    }
}
