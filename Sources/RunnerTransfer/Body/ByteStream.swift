import RunnerStorage

/// The bytes of one connection on their way into the part.
///
/// Belongs to the network thread.
final class ByteStream {
    /// The exchange that is listened to; others may still drain.
    var exchange: Exchange? {
        didSet {
            if let oldValue, oldValue !== exchange { attemptSpent += SteadyClock.now - oldValue.started }
        }
    }
    /// A request that is to be started as soon as libcurl is out of its callbacks.
    var pending: WireRequest?
    /// Time that earlier requests of the attempt took: those that were answered by a redirect.
    private(set) var attemptSpent = Duration.zero
    /// Where the next byte that comes in goes.
    private(set) var position: Int64 = 0
    /// Bytes at the beginning of the body that are there already.
    private var skip: Int64 = 0
    /// Bytes that have not been handed to the lane, and since when.
    private var chunk: (bytes: Chunk, since: Duration)?

    /// The next request is the first of an attempt.
    func beginAttempt() {
        attemptSpent = .zero
    }

    func begin(_ body: ReplyMeaning.Body) {
        position = body.start
        skip = body.skip
    }

    /// Since when bytes wait in memory; nil when none do.
    var waitingSince: Duration? { chunk.flatMap { $0.bytes.count > 0 ? $0.since : nil } }

    /// Takes bytes in up to `limit`; calls `submit` for every chunk that is full.
    func take(_ bytes: UnsafeRawBufferPointer, limit: Int64, pool: BufferPool, submit: (Chunk, Int64) -> Void) {
        let skipped = min(skip, Int64(bytes.count))
        skip -= skipped
        let room = max(0, limit - position)
        let wanted = min(Int64(bytes.count) - skipped, room)
        guard wanted > 0 else { return }
        var rest = UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)..<Int(skipped + wanted)])
        while !rest.isEmpty {
            let open = chunk ?? (pool.take(), SteadyClock.now)
            chunk = open
            let taken = open.bytes.append(rest)
            position += Int64(taken)
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            if open.bytes.isFull { flush(submit) }
        }
    }

    /// Where the next bytes can be put without a copy, up to `limit`; nil where they have to be looked at first.
    func room(limit: Int64, pool: BufferPool) -> UnsafeMutableRawBufferPointer? {
        guard skip == 0, limit > position else { return nil }
        let open = chunk ?? (pool.take(), SteadyClock.now)
        chunk = open
        let free = open.bytes.free
        return UnsafeMutableRawBufferPointer(rebasing: free.prefix(Int(min(Int64(free.count), limit - position))))
    }

    /// So many bytes were put there.
    func filled(_ count: Int, submit: (Chunk, Int64) -> Void) {
        guard let open = chunk?.bytes else { return }
        if open.count == 0 { chunk?.since = SteadyClock.now }
        open.fill(count)
        position += Int64(count)
        if open.isFull { flush(submit) }
    }

    /// How many of the next bytes may come by a pipe, up to `limit`; 0 where they have to be looked at first.
    ///
    /// What waits in memory is handed over where pipes are taken, and only there: a chunk is written whole otherwise.
    func bytesByPipe(limit: Int64, takesPipes: @autoclosure () -> Bool, submit: (Chunk, Int64) -> Void) -> Int64 {
        guard skip == 0, limit > position, takesPipes() else { return 0 }
        flush(submit)
        // The disk may have made that wait, or refused it.
        return takesPipes() ? limit - position : 0
    }

    /// Takes what a pipe holds, all of which is wanted, after all that waits in memory was handed over.
    ///
    /// What is left in it afterwards could not be read, and is lost.
    func take(_ pipe: SplicePipe, pool: BufferPool, write: (Int64) -> Int, submit: (Chunk, Int64) -> Void) {
        position += Int64(write(position))
        while pipe.count > 0, let room = room(limit: position + Int64(pipe.count), pool: pool) {
            guard let read = try? pipe.read(into: room), read > 0 else { return }
            filled(read, submit: submit)
        }
    }

    /// Hands over what waits in memory.
    func flush(_ submit: (Chunk, Int64) -> Void) {
        guard let (bytes, _) = chunk, bytes.count > 0 else { return }
        chunk = nil
        submit(bytes, position - Int64(bytes.count))
    }
}
