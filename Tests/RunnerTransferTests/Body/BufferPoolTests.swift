import RunnerTransfer
import Testing

@Suite struct BufferPoolTests {
    @Test func aChunkTakesWhatFits() {
        let chunk = BufferPool().take()
        let bytes = [UInt8](repeating: 7, count: Chunk.capacity - 1)
        #expect(bytes.withUnsafeBytes { chunk.append($0) } == Chunk.capacity - 1)
        #expect(!chunk.isFull)
        #expect([UInt8](repeating: 8, count: 5).withUnsafeBytes { chunk.append($0) } == 1)
        #expect(chunk.isFull)
        #expect(bytes.withUnsafeBytes { chunk.append($0) } == 0)
        #expect(chunk.bytes.count == Chunk.capacity)
        #expect(chunk.bytes[0] == 7 && chunk.bytes[Chunk.capacity - 1] == 8)
    }

    @Test func nothingIsTakenFromNothing() {
        let chunk = BufferPool().take()
        #expect(chunk.append(UnsafeRawBufferPointer(start: nil, count: 0)) == 0)
        #expect(chunk.count == 0)
    }

    @Test func aChunkComesBackEmpty() {
        let pool = BufferPool()
        let chunk = pool.take()
        _ = [1, 2, 3].withUnsafeBytes { chunk.append($0) }
        pool.giveBack(chunk)
        let again = pool.take()
        #expect(again === chunk)
        #expect(again.count == 0)
    }

    @Test func noMoreAreKeptThanAskedFor() {
        let pool = BufferPool(kept: 2)
        let chunks = (0..<4).map { _ in pool.take() }
        for chunk in chunks { pool.giveBack(chunk) }
        let again = (0..<3).map { _ in pool.take() }
        #expect(again.count { taken in chunks.contains { $0 === taken } } == 2)
    }
}
