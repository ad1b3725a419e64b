import Glibc
import RunnerJob
import RunnerStorage
import TestSupport
import Testing

@Suite("Exclusion from backups")
struct BackupExclusionTests {
    @Test func theAttributeStaysWhenTheFileIsPublished() throws {
        let disk = try Disk()
        let part = try disk.open("a")
        try part.write("text")
        // Which file systems have it depends on the kernel.
        _ = try part.excludeFromBackup()
        let state = try part.publish().state
        #expect(disk.text("a") == "text")
        #expect(disk.directory.state(of: at("a")) == state)
        #expect(disk.files.count(.excludeFromDumps) == 1)
        let other = try disk.open("b")
        disk.files.fail(.excludeFromDumps, with: EOPNOTSUPP)
        #expect(try !other.excludeFromBackup())
    }

    @Test func aFolderOfOurFilesIsTagged() throws {
        let disk = try Disk()
        try disk.publish("cache/a", "text")
        let tagged = { BackupExclusion.tagFolder(of: at("cache/a"), in: disk.directory) { $0 == "a" } }
        #expect(tagged() == .tag)
        #expect(disk.text("cache/CACHEDIR.TAG")?.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n") == true)
        #expect(tagged() == .tag)
    }

    @Test func aFolderWithOtherThingsIsLeftAlone() throws {
        let disk = try Disk()
        try disk.publish("cache/a", "text")
        try disk.folder.write("out/cache/photo.jpeg", "mine")
        #expect(BackupExclusion.tagFolder(of: at("cache/a"), in: disk.directory) { $0 == "a" } == .notPossible)
        #expect(disk.names("cache") == ["a", "photo.jpeg"])
        #expect(BackupExclusion.tagFolder(of: at("none/a"), in: disk.directory) { _ in true } == .notPossible)
    }

    @Test func anotherFileOfThatNameIsNoTag() throws {
        let disk = try Disk()
        try disk.publish("cache/CACHEDIR.TAG", "no signature here, though it is long enough for one to fit")
        #expect(BackupExclusion.tagFolder(of: at("cache/a"), in: disk.directory) { _ in true } == .notPossible)
        #expect(disk.text("cache/CACHEDIR.TAG")?.hasPrefix("no signature") == true)
    }

    @Test func aStateFolderThatHoldsOtherThingsIsLeftAlone() throws {
        let folder = try TemporaryDirectory()
        let state = StateFolder(path: folder.path("state"))
        #expect(state.excludeFromBackup() == .notPossible)
        try folder.write("state/parts/x.json", "{}")
        #expect(state.excludeFromBackup() != .notPossible)
        try folder.write("state/thesis.tex", "mine")
        #expect(state.excludeFromBackup() == .notPossible)
    }
}
