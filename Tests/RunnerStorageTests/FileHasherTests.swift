import Glibc
import RunnerJob
import RunnerStorage
import Testing

@Suite struct FileHasherTests {
    private func digest(_ bytes: [UInt8]) throws -> Digest { try DigestSet.digest(of: bytes, by: .sha256) }

    @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
    func readsAWholeFile(_ count: Int) throws {
        let bytes = [UInt8](repeating: 7, count: count)
        let digests = try FileHasher.digests(of: MemoryFile(bytes), by: [.sha256])
        #expect(try digests == [.sha256: digest(bytes)])
    }

    @Test func readsAFileThatIsInPlace() throws {
        let disk = try Disk()
        try disk.publish("a/f", "hello")
        let file = try #require(try disk.directory.openPresent(at("a/f")))
        #expect(try FileHasher.digests(of: file, by: [.sha256]) == [.sha256: digest(Array("hello".utf8))])
    }

    @Test func readsTheBeginningOfAPart() throws {
        let part = try Disk().open("f")
        try part.write("hello world")
        let set = try DigestSet([.sha256])
        #expect(try FileHasher.add(5, bytesOf: part, to: set) == 5)
        #expect(try set.finalize()[.sha256] == digest(Array("hello".utf8)))
    }

    @Test func saysThatThereWasLess() throws {
        #expect(try FileHasher.add(10, bytesOf: MemoryFile("hello"), to: DigestSet([.sha256])) == 5)
    }

    @Test func stopsWhenCancelled() throws {
        var asked = 0
        let digests = try FileHasher.digests(
            of: MemoryFile([UInt8](repeating: 0, count: 5 << 20)), by: [.sha256],
            isCancelled: {
                asked += 1
                return asked == 3
            })
        #expect(digests == nil)
        #expect(asked == 3)
    }

    @Test func tellsAFailedRead() throws {
        let disk = try Disk()
        try disk.publish("f", "hello")
        let file = try #require(try disk.directory.openPresent(at("f")))
        disk.files.fail(.read, with: EIO)
        #expect(throws: StorageError.failed(.read, path: "f", errno: EIO)) {
            try FileHasher.digests(of: file, by: [.sha256])
        }
    }
}
