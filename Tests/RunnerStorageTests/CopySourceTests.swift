import Glibc
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite struct CopySourceTests {
    private static let large = [1, 2, 3].flatMap { [UInt8](repeating: $0, count: (1 << 20) + 5) }

    private func copy(
        _ bytes: [UInt8], from offset: Int64 = 0, digests: DigestSet? = nil, prepare: (Disk) -> Void = { _ in }
    ) throws -> Disk {
        let disk = try Disk()
        let path = try disk.folder.write("source", bytes)
        let source = try CopySource(path: path, files: disk.files)
        let part = try disk.open("f")
        try part.write(Array(bytes.prefix(Int(offset))), at: 0)
        prepare(disk)
        #expect(try source.copy(into: part, from: offset, digests: digests) == .finished)
        #expect(part.length == bytes.count)
        try part.publish()
        #expect(disk.folder.read("out/f") == bytes)
        return disk
    }

    @Test(arguments: [0, 1, 1000]) func copiesWithinTheKernel(_ offset: Int64) throws {
        let disk = try copy(Self.large, from: offset)
        #expect(disk.files.count(.copy) > 0)
        #expect(disk.files.count(.read) == 0)
    }

    @Test func copiesNothing() throws {
        _ = try copy([])
    }

    @Test(arguments: [EXDEV, ENOSYS, EOPNOTSUPP, EINVAL, EIO]) func readsAndWritesWhereTheKernelCannot(
        _ errno: Int32
    ) throws {
        let disk = try copy(Self.large, from: 10) { $0.files.fail(.copy, with: errno) }
        #expect(disk.files.count(.copy) == 1)
        #expect(disk.files.count(.read) > 0)
    }

    @Test func computesDigestsOnTheWay() throws {
        let set = try DigestSet([.sha256])
        let disk = try copy(Self.large, digests: set)
        #expect(disk.files.count(.copy) == 0)
        #expect(try set.finalize()[.sha256] == DigestSet.digest(of: Self.large, by: .sha256))
    }

    @Test func tellsItsProgressAndStops() throws {
        let disk = try Disk()
        let source = try CopySource(path: disk.folder.write("source", Self.large), files: disk.files)
        let part = try disk.open("f")
        disk.files.fail(.copy, with: EXDEV)
        var seen: [Int64] = []
        let outcome = try source.copy(
            into: part, progress: { seen.append($0) }, isCancelled: { seen.count == 2 })
        #expect(outcome == .cancelled)
        #expect(seen == [1 << 20, 2 << 20])
        #expect(part.length == 2 << 20)
    }

    @Test func tellsWhatIsNoFile() throws {
        let disk = try Disk()
        mkfifo(disk.folder.path("pipe"), 0o666)
        let folder = disk.folder.path
        #expect(throws: StorageError.sourceIsNotFile(path: folder)) { try CopySource(path: folder) }
        for name in ["pipe", "/dev/null"] {
            let path = name.hasPrefix("/") ? name : disk.folder.path(name)
            #expect(throws: StorageError.sourceIsNotFile(path: path)) { try CopySource(path: path, files: disk.files) }
        }
        #expect(disk.files.openDescriptors == 0)
        for path in [disk.folder.path("none"), "/dev/null/x"] {
            #expect(throws: StorageError.sourceMissing(path: path)) { try CopySource(path: path) }
        }
        disk.files.fail(.open, with: EACCES)
        let error = StorageError.sourceUnreadable(path: "/x", errno: EACCES)
        #expect(throws: error) { try CopySource(path: "/x", files: disk.files) }
        #expect(error.faultClass == .input)
    }

    @Test func followsLinksToItsSource() throws {
        let disk = try Disk()
        try disk.folder.write("source", "x")
        disk.link("link", to: "source")
        #expect(try CopySource(path: disk.folder.path("link")).size == 1)
    }

    @Test func noticesThatTheSourceGrewOrShrank() throws {
        for text in ["longer than it was", ""] {
            let disk = try Disk()
            let path = try disk.folder.write("source", "as it was")
            let source = try CopySource(path: path, files: disk.files)
            try disk.folder.write("source", text)
            let part = try disk.open("f")
            #expect(throws: StorageError.sourceChanged(path: path)) { try source.copy(into: part) }
        }
    }

    @Test func refusesToGoOnBeyondTheEnd() throws {
        let disk = try Disk()
        let path = try disk.folder.write("source", "four")
        let source = try CopySource(path: path)
        #expect(throws: StorageError.sourceChanged(path: path)) { try source.copy(into: disk.open("f"), from: 5) }
    }

    @Test func tellsAFullDiskBeforeItCopies() throws {
        let disk = try Disk()
        let source = try CopySource(path: disk.folder.write("source", "0123456789"), files: disk.files)
        let part = try disk.open("f")
        disk.files.pretend(free: 4)
        #expect(throws: StorageError.noSpace(path: "f", missing: 6, free: 4)) { try source.copy(into: part) }
        #expect(part.length == 0)
    }

    @Test func tellsAFailedRead() throws {
        let disk = try Disk()
        let path = try disk.folder.write("source", "x")
        let source = try CopySource(path: path, files: disk.files)
        disk.files.fail(.copy, with: EIO)
        disk.files.fail(.read, with: EIO)
        #expect(throws: StorageError.sourceUnreadable(path: path, errno: EIO)) {
            try source.copy(into: disk.open("f"))
        }
    }
}
