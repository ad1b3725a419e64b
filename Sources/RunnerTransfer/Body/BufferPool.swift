import Synchronization

/// A piece of a body on its way from the network to the disk.
package final class Chunk: @unchecked Sendable {
    // Sendable by hand: one thread at a time has it; it goes from the network thread to a worker and back to the pool.

    package static let capacity = 256 << 10

    private let storage: UnsafeMutableRawPointer
    package private(set) var count = 0

    fileprivate init() {
        storage = .allocate(byteCount: Self.capacity, alignment: 4096)
    }

    deinit {
        storage.deallocate()
    }

    package var isFull: Bool { count == Self.capacity }
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

    /// Takes as much as fits; returns how many bytes that was.
    package func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, Self.capacity - count)
        if taken > 0, let source = bytes.baseAddress {
            (storage + count).copyMemory(from: source, byteCount: taken)
            count += taken
        }
        return taken
    }

    /// Where further bytes go; ``fill(_:)`` says how many came.
    package var free: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: storage + count, count: Self.capacity - count)
    }

    package func fill(_ added: Int) {
        // More would be bytes that lie outside of the chunk already: a fault of this program alone.
        precondition(added <= Self.capacity - count, "more bytes than there is room for")
        count += added
    }

    fileprivate func empty() {
        count = 0
    }
}

/// Chunks for further use, so that memory is touched once and stays below a ceiling.
package final class BufferPool: Sendable {
    private let free = Mutex<[Chunk]>([])
    /// Chunks that are kept when nobody needs them.
    private let kept: Int
    /// How long it takes to write a chunk.
    package let pace: DiskPace

    package init(kept: Int = 32, pace: DiskPace = DiskPace()) {
        self.kept = kept
        self.pace = pace
    }

    package func take() -> Chunk {
        free.withLock { $0.popLast() } ?? Chunk()
    }

    package func giveBack(_ chunk: Chunk) {
        chunk.empty()
        free.withLock { free in
            if free.count < kept { free.append(chunk) }
        }
    }
}
