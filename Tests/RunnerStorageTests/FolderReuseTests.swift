import Glibc
import RunnerJob
import RunnerStorage
import Testing

/// What a file costs in system calls and descriptors.
@Suite struct FolderReuseTests {
    /// Those of the status are of the part, of what is in its way, and of the file in its place.
    @Test func aSmallFileCostsSevenCalls() throws {
        let disk = try Disk()
        try disk.publish("a/b/first", "x")
        disk.files.resetCounts()
        try disk.publish("a/b/second", "x")
        #expect(disk.files.counts == [.open: 1, .write: 1, .status: 3, .close: 1, .rename: 1])
    }

    @Test func aKnownFolderIsNotWalkedToAgain() throws {
        let disk = try Disk()
        try disk.publish("a/b/first", "x")
        disk.files.resetCounts()
        for number in 0..<50 { _ = disk.directory.state(of: at("a/b/\(number)")) }
        #expect(disk.files.counts == [.status: 50])
    }

    @Test func fewFoldersStayOpen() throws {
        let disk = try Disk()
        for number in 0..<100 { try disk.publish("d\(number)/e/f", "x") }
        #expect(disk.files.openDescriptors <= 16)
        for number in 0..<100 { #expect(disk.text("d\(number)/e/f") == "x") }
    }

    @Test func foldersAreClosedWhenDescriptorsRunOut() throws {
        let disk = try Disk()
        for number in 0..<10 { try disk.publish("d\(number)/f", "x") }
        disk.files.fail(.open, with: EMFILE, calls: 1...1)
        let part = try disk.open("d3/g")
        #expect(disk.files.openDescriptors == 2)
        try part.write("y")
        try part.publish()
        #expect(disk.text("d3/g") == "y")
    }

    @Test func runningOutOfDescriptorsIsToldApart() throws {
        let disk = try Disk()
        disk.files.fail(.open, with: EMFILE)
        let error = #expect(throws: StorageError.self) { try disk.open("f") }
        #expect(error?.isOutOfDescriptors == true)
        #expect(error?.faultClass == .storage)
        #expect(error?.code == "EMFILE")
    }

    @Test func foldersAreMadeByManyThreadsAtOnce() async throws {
        let disk = try Disk()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                group.addTask { try? disk.publish("x/\(number % 4)/y/\(number)", "x") }
            }
        }
        for number in 0..<32 { #expect(disk.text("x/\(number % 4)/y/\(number)") == "x") }
    }
}
