import Glibc
import RunnerJob
import TestSupport
import Testing

@testable import RunnerStorage

@Suite("Placing of an extracted folder")
struct TreePlacingTests {
    private func bench(_ members: [Member] = [.file("new", "1"), .file("doc/n", "2")]) throws -> ArchiveBench {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", members)
        return bench
    }

    @Test func replacesAsAWholeWhatTheTaskHasMade() throws {
        let bench = try bench()
        try bench.extract("x.tar")
        try DiskFile.write(bench.path("tree/by-hand"), "")
        try bench.archive("x.tar", [.file("newer", "3")])
        try bench.extract("x.tar")
        #expect(bench.tree() == ["newer": "3"])
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree", "x.tar"])
    }

    /// As when a run with another state folder works in the same folder.
    @Test func doesNotPlaceWhatSomebodyHasReplaced() throws {
        let bench = try ArchiveBench()
        let first = try bench.disk.directory.stageTree(for: at("tree"), identity: "job")
        let second = try bench.disk.directory.stageTree(for: at("tree"), identity: "job")
        #expect(throws: StorageError.partReplaced(path: "tree")) { try first.place() }
        #expect(throws: StorageError.partReplaced(path: "tree")) { try first.replace() }
        try second.place()
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree"])
    }

    @Test func leavesAFolderOfOthersAlone() throws {
        let bench = try bench()
        mkdir(bench.path("tree"), 0o777)
        try bench.extract("x.tar")
        #expect(bench.tree()["new"] == "1")
        let other = try self.bench()
        mkdir(other.path("tree"), 0o777)
        try DiskFile.write(other.path("tree/mine"), "m")
        #expect(other.failure("x.tar") == .target(.notOurs, path: "tree"))
        #expect(other.tree() == ["mine": "m"])
        try other.extract("x.tar") { $0.existing = .replace }
        #expect(other.tree() == ["new": "1", "doc/": "", "doc/n": "2"])
    }

    @Test func aFolderThatWasPutThereLaterIsNotOurs() throws {
        let bench = try bench()
        try bench.extract("x.tar")
        rename(bench.path("tree"), bench.path("moved"))
        mkdir(bench.path("tree"), 0o777)
        try DiskFile.write(bench.path("tree/mine"), "m")
        #expect(bench.failure("x.tar") == .target(.notOurs, path: "tree"))
    }

    @Test func mergesWhenAsked() throws {
        let bench = try bench()
        mkdir(bench.path("tree"), 0o777)
        mkdir(bench.path("tree/doc"), 0o777)
        try DiskFile.write(bench.path("tree/mine"), "m")
        try DiskFile.write(bench.path("tree/doc/n"), "old")
        try bench.extract("x.tar") { $0.existing = .merge }
        #expect(bench.tree() == ["mine": "m", "new": "1", "doc/": "", "doc/n": "2"])
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree", "x.tar"])
    }

    @Test func mergesThroughNoLink() throws {
        let bench = try bench()
        mkdir(bench.path("tree"), 0o777)
        mkdir(bench.path("outside"), 0o777)
        symlink("../outside", bench.path("tree/doc"))
        #expect(bench.failure("x.tar") { $0.existing = .merge } == .target(.clash, path: "tree/doc"))
        #expect(DiskFile.entries(bench.path("outside")).isEmpty)
        #expect(bench.tree() == ["doc": "-> ../outside"])
    }

    @Test func aFileOrALinkAtTheTargetIsInTheWay() throws {
        for make in [{ try DiskFile.write($0, "") }, { symlink("x", $0) }] as [(String) throws -> Void] {
            let bench = try bench()
            try make(bench.path("tree"))
            #expect(bench.failure("x.tar") { $0.existing = .replace } == .target(.noFolder, path: "tree"))
        }
    }

    @Test func removesWhatAKilledRunHasLeft() throws {
        let bench = try bench()
        let name = try PartName.of("tree", identity: "job")
        mkdir(bench.path(name), 0o700)
        mkdir(bench.path(name + "/closed"), 0o700)
        try DiskFile.write(bench.path(name + "/closed/f"), "")
        chmod(bench.path(name + "/closed"), 0o500)
        try bench.extract("x.tar")
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree", "x.tar"])
    }

    @Test func removesATreeDeeperThanAPath() throws {
        let bench = try bench()
        var folder = bench.root
        for _ in 0..<1500 {
            mkdirat(folder, "dddddddd", 0o777)
            let next = openat(folder, "dddddddd", O_RDONLY | O_DIRECTORY)
            if folder != bench.root { close(folder) }
            folder = next
        }
        close(folder)
        try TreeRemoval.remove(Array("dddddddd".utf8), in: bench.root)
        #expect(DiskFile.entries(bench.disk.directory.root) == ["x.tar"])
    }
}
