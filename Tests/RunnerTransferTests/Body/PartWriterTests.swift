import Glibc
import RunnerJob
import RunnerStorage
import TestSupport
import Testing

@testable import RunnerTransfer

/// Which bytes go past the lane, and which have to wait for it.
@Suite struct PartWriterTests {
    let folder: TemporaryDirectory
    let workers = Workers(count: 1)
    /// On a disk that is quick whatever else the machine has to do.
    let pool = BufferPool(pace: DiskPace(longest: .seconds(60)))
    let reports = EventLog<PartWriter.Report>()

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func writer(_ digests: [Digest] = []) throws -> PartWriter {
        let path = try TargetPath("a")
        let order = PartWriter.Order(
            path: path, identity: "test", verification: Verification(digests: digests), mode: nil,
            directory: JobDirectory(root: folder.path),
            states: PartStates(folder: StateFolder(path: folder.path + "/.state"), job: "test"),
            partIdentity: PartIdentity(path: path, digests: digests, size: nil, sources: []))
        let reports = reports
        return PartWriter(order, hasState: false, workers: workers, pool: pool) { reports.append($0) }
    }

    private func chunk(_ text: String) -> Chunk {
        let chunk = pool.take()
        _ = Array(text.utf8).withUnsafeBytes { chunk.append($0) }
        return chunk
    }

    /// What lies in the part file; nil when there is none.
    private var part: String? {
        folder.files().first { $0.hasSuffix(".part") }.flatMap { folder.read($0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test func whatTheLaneIsNotNeededForIsWrittenAtOnce() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        // The lane has opened the part, and does nothing more.
        workers.stop()
        #expect(!writer.write(chunk("one "), at: 0))
        #expect(!writer.write(chunk("two"), at: 4))
        #expect(part == "one two")
    }

    @Test func aPartThatIsNotOpenYetHasToWait() throws {
        let gate = try BlockingGate()
        Lane(on: workers).submit { gate.wait() }
        let writer = try writer()
        #expect(!writer.isOpening)
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        #expect(writer.isOpening)
        #expect(writer.write(chunk("one "), at: 0))
        // What comes later must not be there before it.
        #expect(writer.write(chunk("two"), at: 4))
        #expect(part == nil)
        gate.open()
        workers.stop()
        #expect(part == "one two")
        #expect(!writer.write(chunk("!"), at: 7))
        #expect(part == "one two!")
    }

    @Test func whatWasOpenedForAnEarlierBodyIsOfNoUse() throws {
        let path = try TargetPath("a")
        let part = try JobDirectory(root: folder.path).openPart(for: path, identity: "test", keeping: 0)
        let shortcut = Shortcut()
        let first = shortcut.prepare()
        let second = shortcut.prepare()
        shortcut.open(part, isDigested: false, turn: first)
        #expect(shortcut.part() == nil)
        shortcut.open(part, isDigested: true, turn: second)
        #expect(shortcut.part() === part && shortcut.isDigested)
        shortcut.close()
        #expect(shortcut.part() == nil)
    }

    @Test func digestsAreTheLanes() throws {
        let content = Content.text("one two")
        let digest = try DigestSet.digest(of: content.allBytes, by: .sha256)
        let writer = try writer([digest])
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        let opened = try BlockingGate()
        Lane(on: workers).submit { opened.open() }
        opened.wait()
        #expect(writer.write(chunk("one "), at: 0))
        #expect(part == "one ")
        #expect(writer.write(chunk("two"), at: 4))
        writer.finish(size: 7, modified: nil)
        workers.stop()
        #expect(folder.read("a") == content.allBytes)
        let published = reports.elements.contains {
            if case .published(let file) = $0 { file.digests == [.sha256: digest] } else { false }
        }
        #expect(published)
        #expect(reports.elements.count { if case .wrote = $0 { true } else { false } } == 2)
    }

    /// Two writes that took as long, one right after the other.
    private func slow(_ pace: DiskPace, _ time: Duration, for bytes: Int = 1, waits: Int = 1, at now: Duration) {
        for _ in 1...2 { pace.took(time, for: bytes, waits: { waits }, at: now) }
    }

    @Test func aDiskThatMakesOneWaitIsLeftToTheLane() {
        let pace = DiskPace()
        #expect(pace.isQuick(at: .seconds(10)))
        slow(pace, .milliseconds(2), at: .seconds(10))
        #expect(pace.isQuick(at: .seconds(10)))
        slow(pace, .milliseconds(3), at: .seconds(10))
        #expect(!pace.isQuick(at: .seconds(10)))
        #expect(!pace.isQuick(at: .milliseconds(10_999)))
        #expect(pace.isQuick(at: .seconds(11)))
        // Other threads have had the processor, and the disk is as quick as ever.
        slow(pace, .milliseconds(3), waits: 0, at: .seconds(15))
        #expect(pace.isQuick(at: .seconds(15)))
        // Four times as many bytes may take four times as long.
        slow(pace, .milliseconds(8), for: 4 * Chunk.capacity, at: .seconds(20))
        #expect(pace.isQuick(at: .seconds(20)))
        slow(pace, .milliseconds(9), for: 4 * Chunk.capacity, at: .seconds(20))
        #expect(!pace.isQuick(at: .seconds(20)))
    }

    @Test func aSingleSlowWriteSaysLittle() {
        let pace = DiskPace()
        for second in 1...3 {
            pace.took(.milliseconds(3), for: 1, waits: { 1 }, at: .seconds(second))
            #expect(pace.isQuick(at: .seconds(second)))
        }
        pace.took(.milliseconds(3), for: 1, waits: { 1 }, at: .milliseconds(3100))
        #expect(!pace.isQuick(at: .milliseconds(3100)))
    }

    @Test func whoWaitsInsideOfAWriteHasWaitedForTheDisk() throws {
        let pace = DiskPace(longest: .milliseconds(1))
        // As a write that sleeps until the disk has room.
        for _ in 1...2 { try pace.write(Chunk.capacity) { () throws(StorageError) in _ = poll(nil, 0, 5) } }
        #expect(!pace.isQuick(at: SteadyClock.now))
    }

    @Test func whoComputesInsideOfAWriteHasNot() throws {
        let pace = DiskPace(longest: .zero)
        let bytes = [UInt8](repeating: 1, count: Chunk.capacity)
        for _ in 1...2 {
            let sum = try pace.write(bytes.count) { () throws(StorageError) in bytes.reduce(0) { $0 &+ Int($1) } }
            #expect(sum == bytes.count)
        }
        #expect(pace.isQuick(at: SteadyClock.now))
    }

    @Test func theLaneWritesForASlowDisk() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        slow(pool.pace, .seconds(100), at: SteadyClock.now)
        #expect(writer.write(chunk("one"), at: 0))
        workers.stop()
        #expect(part == "one")
    }

    @Test func nothingOvertakesWhatTheLaneIsToWrite() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        let opened = try BlockingGate()
        let gate = try BlockingGate()
        Lane(on: workers).submit {
            opened.open()
            gate.wait()
        }
        opened.wait()
        slow(pool.pace, .seconds(100), at: SteadyClock.now)
        #expect(writer.write(chunk("one "), at: 0))
        slow(pool.pace, .seconds(100), at: .zero)
        #expect(writer.write(chunk("two"), at: 4))
        #expect(part == "")
        gate.open()
        workers.stop()
        #expect(part == "one two")
    }

    @Test func whatTheDiskRefusesIsTold() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        workers.stop()
        // Beyond the longest file that a file system can have.
        #expect(!writer.write(chunk("one"), at: .max - 1))
        let isBroken = reports.elements.contains { if case .broke = $0 { true } else { false } }
        #expect(isBroken)
    }

    /// What is there of a part can be gone on with; where several streams wrote, nobody knows what is.
    @Test(arguments: [false, true])
    func theStateOfAPartIsKeptBehindARefusal(isJoined: Bool) throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        _ = writer.write(chunk("one "), at: 0)
        _ = writer.write(chunk("two"), at: .max - 1)
        writer.keepState(
            PartWriter.Kept(
                source: nil, validator: Validator(etag: "\"e\""), total: nil,
                ranges: isJoined ? ByteRanges([0..<4]) : nil, name: nil, syncs: true))
        writer.close(keep: true)
        workers.stop()
        #expect(part == "one ")
        let state = try PartStates(folder: StateFolder(path: folder.path + "/.state"), job: "test")
            .load(try TargetPath("a"))
        #expect(state?.etag == (isJoined ? nil : "\"e\""))
        #expect(state?.synced ?? 0 == 0)
    }

    // MARK: - By a pipe

    /// The one worker has done what was handed to it.
    private func waitForLane() throws {
        let gate = try BlockingGate()
        Lane(on: workers).submit { gate.open() }
        gate.wait()
    }

    /// A pipe that holds a text.
    private func pipe(_ text: String) throws -> SplicePipe {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        _ = Array(text.utf8).withUnsafeBytes { send(ends[0], $0.baseAddress, $0.count, 0) }
        let pipe = try SplicePipe()
        _ = try pipe.fill(from: ends[1], upTo: text.utf8.count)
        return pipe
    }

    @Test func aPipeIsWrittenAtOnce() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        workers.stop()
        #expect(!writer.write(chunk("one "), at: 0))
        #expect(writer.takesPipes)
        #expect(try writer.write(pipe("two"), at: 4) == (3, false))
        #expect(part == "one two")
    }

    /// The lane reads what it digests from the file.
    @Test func whatComesByAPipeIsDigestedToo() throws {
        let content = Content.text("one two three")
        let digest = try DigestSet.digest(of: content.allBytes, by: .sha256)
        let writer = try writer([digest])
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        try waitForLane()
        #expect(writer.write(chunk("one "), at: 0))
        let (written, isOnLane) = try writer.write(pipe("two"), at: 4)
        #expect(written == 3 && isOnLane)
        #expect(writer.write(chunk(" three"), at: 7))
        writer.finish(size: 13, modified: nil)
        workers.stop()
        #expect(folder.read("a") == content.allBytes)
        let published = reports.elements.contains {
            if case .published(let file) = $0 { file.digests == [.sha256: digest] } else { false }
        }
        #expect(published)
        #expect(reports.elements.count { if case .wrote = $0 { true } else { false } } == 3)
    }

    /// What lies behind a gap is digested when there is none any more.
    @Test func aPipeThatLeavesAGapIsDigestedLater() throws {
        let content = Content.text("one two three")
        let digest = try DigestSet.digest(of: content.allBytes, by: .sha256)
        let writer = try writer([digest])
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        try waitForLane()
        #expect(writer.write(chunk("one "), at: 0))
        #expect(try writer.write(pipe("three"), at: 8) == (5, true))
        try waitForLane()
        #expect(writer.write(chunk("two "), at: 4))
        writer.finish(size: 13, modified: nil)
        workers.stop()
        let published = reports.elements.contains {
            if case .published(let file) = $0 { file.digests == [.sha256: digest] } else { false }
        }
        #expect(published)
    }

    @Test func aPipeDoesNotOvertakeTheLane() throws {
        let gate = try BlockingGate()
        Lane(on: workers).submit { gate.wait() }
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        #expect(writer.write(chunk("one "), at: 0))
        #expect(!writer.takesPipes)
        #expect(try writer.write(pipe("two"), at: 4) == (0, false))
        gate.open()
        workers.stop()
        #expect(part == "one ")
    }

    /// No file has such a byte (EFBIG, splice(2)).
    @Test func aPartThatRefusedAPipeIsOfferedNoOther() throws {
        let writer = try writer()
        writer.begin(at: 0, keeping: 0, prefix: 0, total: nil)
        workers.stop()
        let pipe = try pipe("two")
        #expect(writer.write(pipe, at: .max - 2) == (0, false))
        #expect(pipe.count == 3)
        #expect(!writer.takesPipes)
        #expect(!writer.write(chunk("one"), at: 0))
        #expect(part == "one")
    }

    /// What is digested is written by whole chunks, however it comes.
    @Test func aChunkIsHandedOverBeforeItIsFullOnlyForAPipe() {
        let stream = ByteStream()
        var written: [Int64] = []
        let submit = { (chunk: Chunk, offset: Int64) in written.append(offset) }
        Array("one".utf8).withUnsafeBytes { stream.take($0, limit: 9, pool: pool, submit: submit) }
        #expect(stream.bytesByPipe(limit: 9, takesPipes: false, submit: submit) == 0)
        #expect(stream.bytesByPipe(limit: 3, takesPipes: true, submit: submit) == 0)
        #expect(written.isEmpty)
        #expect(stream.bytesByPipe(limit: 9, takesPipes: true, submit: submit) == 6)
        #expect(written == [0])
    }

    /// To write it may have taken so long that pipes are none too good for that disk.
    @Test func noPipeIsTakenWhereTheChunkBeforeItHadToWait() {
        let stream = ByteStream()
        var isQuick = true
        let submit = { (chunk: Chunk, offset: Int64) in isQuick = false }
        Array("one".utf8).withUnsafeBytes { stream.take($0, limit: 9, pool: pool, submit: submit) }
        #expect(stream.bytesByPipe(limit: 9, takesPipes: isQuick, submit: submit) == 0)
        #expect(stream.position == 3)
    }

    /// What the file does not take by a pipe goes there by memory.
    @Test func theRestOfAPipeIsHandedInByChunks() throws {
        let stream = ByteStream()
        var written: [(bytes: String, at: Int64)] = []
        let submit = { (chunk: Chunk, offset: Int64) in
            written.append((String(decoding: chunk.bytes, as: UTF8.self), offset))
        }
        let pipe = try pipe("one two")
        stream.take(pipe, pool: pool) { offset in
            // As a file that takes three bytes and no more.
            #expect(offset == 0)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
            defer { buffer.deallocate() }
            return (try? pipe.read(into: buffer)) ?? 0
        } submit: {
            submit($0, $1)
        }
        #expect(stream.position == 7)
        #expect(pipe.count == 0)
        stream.flush(submit)
        #expect(written.map(\.bytes) == [" two"])
        #expect(written.map(\.at) == [3])
    }
}
