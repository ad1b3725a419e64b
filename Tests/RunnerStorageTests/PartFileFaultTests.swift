import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite struct PartFileFaultTests {
    @Test func keepsThePartAndSaysHowMuchIsMissingOnAFullDisk() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.expect(total: 1000)
        disk.files.fillUp(after: 400)
        disk.files.pretend(free: 0)
        try part.write([UInt8](repeating: 1, count: 300), at: 0)
        #expect(throws: StorageError.noSpace(path: "f", missing: 600, free: 0)) {
            try part.write([UInt8](repeating: 1, count: 300), at: 300)
        }
        // What still fitted counts, so that the next run goes on from there.
        #expect(part.length == 400)
        part.close()
        #expect(disk.names() == [part.name])
        #expect(disk.status(part.name).st_size == 400)
    }

    @Test func doesNotGuessWhatIsMissingOfAnUnknownSize() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.files.fillUp(after: 0)
        disk.files.pretend(free: 0)
        #expect(throws: StorageError.noSpace(path: "f", missing: nil, free: 0)) { try part.write("x") }
    }

    static let failures: [(FaultyFiles.Call, Int32, StorageError.Operation, FaultClass)] = [
        (.setMode, EPERM, .setMode, .disk),
        (.setModified, EPERM, .setModified, .disk),
        (.status, EIO, .inspect, .storage),
        (.close, EIO, .close, .storage),
        (.rename, EACCES, .rename, .disk),
        (.rename, EROFS, .rename, .storage),
    ]

    @Test(arguments: failures) func leavesTheOldFileWhenPublishingFails(
        _ call: FaultyFiles.Call, _ errno: Int32, _ operation: StorageError.Operation, _ faultClass: FaultClass
    ) throws {
        let disk = try Disk()
        try disk.publish("f", "old")
        let part = try disk.open("f")
        try part.write("new")
        disk.files.fail(call, with: errno)
        let error = #expect(throws: StorageError.self) { try part.publish(mode: 0o600, modified: 1) }
        #expect(error == .failed(operation, path: "f", errno: errno))
        #expect(error?.faultClass == faultClass)
        #expect(disk.text("f") == "old")
        disk.files.recover()
        part.discard()
        #expect(disk.names() == ["f"])
        disk.directory.forgetFolders()
    }

    @Test func refusesAFolderThatCameMeanwhile() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.makeFolder("out/f")
        try disk.folder.write("out/f/inside", "x")
        #expect(throws: StorageError.destinationIsFolder(path: "f")) { try part.publish() }
        #expect(disk.text("f/inside") == "x")
    }

    @Test(arguments: [(EIO, FaultClass.storage), (EROFS, .storage), (EFBIG, .disk)])
    func tellsAFailedWrite(_ errno: Int32, _ faultClass: FaultClass) throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.files.fail(.write, with: errno)
        let error = #expect(throws: StorageError.self) { try part.write("x") }
        #expect(error == .failed(.write, path: "f", errno: errno))
        #expect(error?.faultClass == faultClass)
    }

    @Test func aUsedUpQuotaSaysHowMuchWasToCome() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.expect(total: 100)
        try part.write("xyz")
        disk.files.fail(.write, with: EDQUOT)
        #expect(throws: StorageError.overQuota(path: "f", missing: 97)) { try part.write("x") }
        disk.files.fail(.close, with: EDQUOT)
        let error = #expect(throws: StorageError.self) { try part.publish() }
        #expect(error?.faultClass == .storage && error?.code == "EDQUOT")
        disk.files.recover()
        part.discard()
    }

    @Test func doesNotTakeAnotherJobsFileForItsOwn() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("mine")
        let mine = try #require(disk.directory.state(of: at(part.name)))
        disk.files.afterRename { try? disk.publish("f", "another's, longer") }
        let state = try part.publish().state
        #expect(state.inode == mine.inode && state.size == 4)
        #expect(disk.text("f") == "another's, longer")
    }

    @Test func leaksNoDescriptor() throws {
        let disk = try Disk()
        for call in [FaultyFiles.Call.write, .close, .rename, .status, .truncate] {
            let part = try disk.open("a/f")
            disk.files.fail(call, with: EIO)
            _ = try? part.write("x")
            _ = try? part.publish()
            disk.files.recover()
            part.discard()
        }
        disk.directory.forgetFolders()
        #expect(disk.files.openDescriptors == 0)
    }
}
