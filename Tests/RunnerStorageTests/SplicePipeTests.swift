import Glibc
import RunnerJob
import RunnerStorage
import TestSupport
import Testing

/// Bytes on their way from a socket into a part file, past this process's memory.
@Suite final class SplicePipeTests {
    let folder: TemporaryDirectory
    let files = FaultyFiles()
    /// Both ends of a connection.
    let ends: (near: Int32, far: Int32)
    var isFarOpen = true

    init() throws {
        folder = try TemporaryDirectory()
        var pair: [Int32] = [-1, -1]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
                == 0)
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.near)
        if isFarOpen { close(ends.far) }
    }

    private func part() throws -> PartFile {
        try JobDirectory(root: folder.path, files: files)
            .openPart(for: TargetPath("a"), identity: "test", keeping: 0)
    }

    private func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(ends.far, $0.baseAddress, $0.count, 0) }
    }

    private func text(of part: PartFile) throws -> String {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        return String(decoding: buffer[..<(try part.read(into: buffer, at: 0))], as: UTF8.self)
    }

    @Test func bytesGoFromASocketToTheirPlaceInAFile() throws {
        let (pipe, part) = (try SplicePipe(), try part())
        send("hello, world")
        #expect(try pipe.fill(from: ends.near, upTo: 5) == 5)
        #expect(pipe.count == 5)
        #expect(try part.move(from: pipe, at: 0) == 5)
        #expect(pipe.count == 0)
        #expect(part.length == 5)
        #expect(try pipe.fill(from: ends.near, upTo: 100) == 7)
        #expect(try part.move(from: pipe, at: 5) == 7)
        #expect(try text(of: part) == "hello, world")
        #expect(part.length == 12)
    }

    /// A user who has many gets such ones, and may not have them larger (pipe(7)).
    @Test func aSmallPipeIsNone() throws {
        #expect(throws: SystemError(EPERM)) { try SplicePipe(size: 4096) }
        #expect(try SplicePipe(size: SplicePipe.least).capacity == SplicePipe.least)
    }

    /// A size that nobody may have is refused (F_SETPIPE_SZ, fcntl(2)).
    @Test func aPipeThatMayNotBeLargerDoesAsItIs() throws {
        #expect(try SplicePipe(size: -1).capacity < SplicePipe.largest)
    }

    @Test func theEndOfTheConnectionIsNoByte() throws {
        let pipe = try SplicePipe()
        close(ends.far)
        isFarOpen = false
        #expect(try pipe.fill(from: ends.near, upTo: 5) == 0)
    }

    @Test func aSocketWithoutBytesHasToBeWaitedFor() throws {
        let pipe = try SplicePipe()
        #expect(throws: SystemError(EAGAIN)) { try pipe.fill(from: ends.near, upTo: 5) }
        #expect(pipe.count == 0)
    }

    /// What cannot be moved stays where it is, and can be read.
    @Test(arguments: [EINVAL, ENOSPC, EIO])
    func aFileThatDoesNotTakeThemLeavesThemInThePipe(_ errno: Int32) throws {
        let (pipe, part) = (try SplicePipe(), try part())
        send("hello")
        _ = try pipe.fill(from: ends.near, upTo: 100)
        files.fail(.move, with: errno)
        #expect(try part.move(from: pipe, at: 0) == 0)
        #expect(part.length == 0)
        #expect(pipe.count == 5)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try pipe.read(into: buffer) == 3)
        #expect(String(decoding: buffer, as: UTF8.self) == "hel")
        #expect(pipe.count == 2)
    }

    @Test func aClosedPartTakesNothing() throws {
        let (pipe, part) = (try SplicePipe(), try part())
        part.discard()
        send("hello")
        _ = try pipe.fill(from: ends.near, upTo: 100)
        #expect(throws: StorageError.partIsClosed(path: "a")) { try part.move(from: pipe, at: 0) }
        #expect(pipe.count == 5)
    }
}
