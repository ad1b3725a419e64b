import Glibc
import RunnerStorage
import TestSupport
import Testing

@Suite struct PartFileSpaceTests {
    private let mebibyte: Int64 = 1 << 20

    @Test func reservesALargeFileWithoutChangingItsLength() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.expect(total: 4 * mebibyte)
        #expect(part.length == 0)
        #expect(disk.status(part.name).st_size == 0)
        #expect(Int64(disk.status(part.name).st_blocks) * 512 >= 4 * mebibyte)
    }

    @Test func givesBackWhatItReservedAndDidNotUse() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.expect(total: 4 * mebibyte)
        try part.write("short")
        try part.publish()
        #expect(disk.text("f") == "short")
        #expect(Int64(disk.status("f").st_blocks) * 512 < mebibyte)
    }

    @Test func keepsOnlyWhatWasWrittenWhenClosed() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.expect(total: 4 * mebibyte)
        try part.write("short")
        part.close()
        #expect(disk.status(part.name).st_size == 5)
        #expect(Int64(disk.status(part.name).st_blocks) * 512 < mebibyte)
    }

    @Test func reservesNothingForASmallFile() throws {
        let disk = try Disk()
        try disk.open("f").expect(total: mebibyte - 1)
        #expect(disk.files.count(.reserve) == 0)
    }

    @Test func refusesASmallFileThatDoesNotFit() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("0123456789")
        disk.files.pretend(free: 100)
        try part.expect(total: 110)
        #expect(throws: StorageError.noSpace(path: "f", missing: 1, free: 100)) { try part.expect(total: 111) }
    }

    /// A file system may take all there is before it refuses, and leave nothing for others meanwhile.
    @Test func refusesALargeFileThatDoesNotFitBeforeItReserves() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.files.pretend(free: mebibyte)
        #expect(throws: StorageError.noSpace(path: "f", missing: 4 * mebibyte, free: mebibyte)) {
            try part.expect(total: 5 * mebibyte)
        }
        #expect(disk.files.count(.reserve) == 0)
    }

    @Test func givesBackWhatARefusedReserveTook() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("short")
        disk.files.fail(.reserve, with: ENOSPC)
        disk.files.pretend(free: 5 * mebibyte)
        #expect(throws: StorageError.noSpace(path: "f", missing: 1, free: 5 * mebibyte)) {
            try part.expect(total: 5 * mebibyte)
        }
        #expect(disk.files.count(.truncate) == 1)
        #expect(part.length == 5)
    }

    /// A run that was killed leaves its reserve, of which the free space knows nothing.
    @Test func countsWhatIsReservedAlready() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        try part.write("short")
        try part.expect(total: 4 * mebibyte)
        disk.files.pretend(free: mebibyte)
        let again = try disk.open("f", keeping: 5)
        try again.expect(total: 4 * mebibyte)
        #expect(throws: StorageError.self) { try again.expect(total: 6 * mebibyte) }
        again.close()
        part.close()
    }

    @Test func asksForTheSpaceWhereItCannotBeReserved() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.files.fail(.reserve, with: EOPNOTSUPP)
        disk.files.pretend(free: mebibyte)
        try part.expect(total: mebibyte)
        #expect(throws: StorageError.noSpace(path: "f", missing: 1, free: mebibyte)) {
            try part.expect(total: mebibyte + 1)
        }
    }

    @Test func goesOnWhereSpaceCannotBeMeasured() throws {
        let disk = try Disk()
        let part = try disk.open("f")
        disk.files.fail(.reserve, with: EOPNOTSUPP)
        disk.files.fail(.freeSpace, with: ENOSYS)
        try part.expect(total: 1 << 50)
    }

    @Test func checksSpaceBeforeAnythingIsThere() throws {
        let disk = try Disk(root: "not/yet")
        disk.files.pretend(free: 10)
        try disk.directory.checkSpace(for: at("a/f"), bytes: 10)
        #expect(throws: StorageError.noSpace(path: "a/f", missing: 5, free: 10)) {
            try disk.directory.checkSpace(for: at("a/f"), bytes: 15)
        }
        #expect(disk.directory.freeSpace() == 10)
        #expect(disk.folder.files() == [])
    }
}
