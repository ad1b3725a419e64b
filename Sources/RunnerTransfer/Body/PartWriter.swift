package import RunnerJob
package import RunnerPlan
package import RunnerStorage
import Synchronization

/// The disk side of one transfer: writes the part, computes digests on the way, verifies and publishes.
///
/// Its methods return at once; the work is done in order on a lane, and the outcome is told through ``report``.
package final class PartWriter: Sendable {
    /// What the lane tells the transfer; called on a worker.
    package enum Report: Sendable {
        /// That many chunks have left the queue.
        case wrote(chunks: Int)
        /// The disk refused; nothing more is written.
        case broke(StorageError)
        case refuted(Verification.Fault)
        case published(Published)
        /// A local file that is to be copied.
        case source(Source)
        case copied(Int)
        case copyEnded
    }

    /// What `fstat` tells of a local file that is copied.
    package struct Source: Hashable, Sendable {
        package var size: Int64
        /// Nanoseconds since 1970.
        package var modified: Int64
    }

    /// A file in its place.
    package struct Published: Hashable, Sendable {
        package var file: FileState
        package var digests: [DigestAlgorithm: Digest]
        package var verifyTime: Duration
        package var publishTime: Duration
    }

    /// What to write, and what it must be.
    package struct Order: Sendable {
        package var path: TargetPath
        /// Tells the parts of this job from those of another.
        package var identity: String
        package var verification: Verification
        package var mode: UInt16?
        package var directory: JobDirectory

        package init(
            path: TargetPath, identity: String, verification: Verification, mode: UInt16?, directory: JobDirectory
        ) {
            self.path = path
            self.identity = identity
            self.verification = verification
            self.mode = mode
            self.directory = directory
        }
    }

    private enum State {
        case unopened
        case open(PartFile, DigestSet?, digested: Int64)
        /// The disk refused; what is handed in is dropped.
        case broken
        case closed
    }

    private let order: Order
    private let lane: Lane
    private let pool: BufferPool
    private let report: @Sendable (Report) -> Void
    private let state = Mutex(State.unopened)
    /// Cleared from the network thread to end a copy.
    private let isCopying = Atomic(false)

    package init(
        _ order: Order, workers: Workers, pool: BufferPool, report: @escaping @Sendable (Report) -> Void
    ) {
        self.order = order
        lane = Lane(on: workers)
        self.pool = pool
        self.report = report
    }

    // MARK: - Orders of the network thread

    /// A body begins at this byte; what lies behind it is dropped.
    package func begin(at start: Int64, total: Int64?) {
        lane.submit { self.attempt { (state) throws(StorageError) in try self.open(&state, at: start, total: total) } }
    }

    /// Writes a chunk at this byte and gives it back to the pool.
    package func write(_ chunk: Chunk, at offset: Int64) {
        lane.submit {
            self.attempt { (state) throws(StorageError) in try Self.write(chunk, at: offset, &state) }
            self.pool.giveBack(chunk)
            self.report(.wrote(chunks: 1))
        }
    }

    /// Compares the part with what was asked for and, if it fits, puts it in its place.
    ///
    /// - Parameter modified: seconds since 1970 that the file's time is set to; nil for now.
    package func finish(modified: Int64?) {
        lane.submit { self.attempt { (state) throws(StorageError) in try self.finish(&state, modified: modified) } }
    }

    /// Looks at a local file that is to be copied; answers with ``Report/source(_:)``.
    package func inspect(_ path: String) {
        lane.submit {
            self.attempt { (_) throws(StorageError) in
                let source = try CopySource(path: path)
                self.isCopying.store(true, ordering: .relaxed)
                self.report(.source(Source(size: source.size, modified: source.modified)))
            }
        }
    }

    /// Copies a local file from this byte on, into the same place of the part.
    package func copy(from path: String, at start: Int64) {
        lane.submit { self.attempt { (state) throws(StorageError) in try self.copy(path, start, &state) } }
    }

    /// Ends a copy before its next chunk.
    package func stopCopying() {
        isCopying.store(false, ordering: .relaxed)
    }

    /// Closes the part, and deletes it unless it is to be kept.
    package func close(keep: Bool) {
        lane.submit {
            self.state.withLock { state in
                if case .open(let part, _, _) = state { keep ? part.close() : part.discard() }
                state = .closed
            }
        }
    }

    // MARK: - On the lane

    private func attempt(_ work: (inout State) throws(StorageError) -> Void) {
        let failure: StorageError? = state.withLock { state in
            if case .broken = state { return nil }
            do throws(StorageError) {
                try work(&state)
                return nil
            } catch {
                if case .open(let part, _, _) = state { part.close() }
                state = .broken
                return error
            }
        }
        if let failure { report(.broke(failure)) }
    }

    private func open(_ state: inout State, at start: Int64, total: Int64?) throws(StorageError) {
        let part: PartFile
        var digests: DigestSet?
        var digested: Int64 = 0
        switch state {
        case .open(let file, let set, let count):
            part = file
            (digests, digested) = (set, count)
        default:
            part = try order.directory.openPart(for: order.path, identity: order.identity, keeping: start)
            let algorithms = order.verification.algorithms
            digests = algorithms.isEmpty ? nil : try DigestSet(algorithms)
        }
        state = .open(part, digests, digested: digested)
        try part.truncate(to: start)
        if let total { try part.expect(total: total) }
        if let digests, digested != start {
            // What an earlier run left is read once, so that the digest covers the whole file.
            try digests.restart()
            _ = try FileHasher.add(start, bytesOf: part, to: digests)
        }
        state = .open(part, digests, digested: start)
    }

    private static func write(_ chunk: Chunk, at offset: Int64, _ state: inout State) throws(StorageError) {
        guard case .open(let part, let digests, let digested) = state else { return }
        try part.write(chunk.bytes, at: offset)
        try digests?.update(chunk.bytes)
        state = .open(part, digests, digested: digested + Int64(chunk.count))
    }

    private func copy(_ path: String, _ start: Int64, _ state: inout State) throws(StorageError) {
        guard case .open(let part, let digests, _) = state else { return }
        let source = try CopySource(path: path)
        var told = start
        let outcome = try source.copy(into: part, from: start, digests: digests) { done in
            report(.copied(Int(done - told)))
            told = done
        } isCancelled: {
            !isCopying.load(ordering: .relaxed)
        }
        state = .open(part, digests, digested: told)
        if outcome == .finished { report(.copyEnded) }
    }

    private func finish(_ state: inout State, modified: Int64?) throws(StorageError) {
        if case .unopened = state { try open(&state, at: 0, total: 0) }
        guard case .open(let part, let digests, _) = state else { return }
        let began = SteadyClock.now
        let found = try digests?.finalize() ?? [:]
        if let fault = try order.verification.fault(in: part, actual: found) {
            part.discard()
            state = .unopened
            report(.refuted(fault))
            return
        }
        let verified = SteadyClock.now
        let file = try part.publish(mode: order.mode, modified: modified)
        state = .closed
        report(
            .published(
                Published(
                    file: file, digests: found, verifyTime: verified - began, publishTime: SteadyClock.now - verified)))
    }
}
