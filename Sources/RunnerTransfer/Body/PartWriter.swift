internal import Glibc
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
        /// That file cannot be had; the part is as good as before.
        case sourceBroke(StorageError)
        case copied(Int)
        case copyEnded
    }

    /// What `fstat` tells of a local file that is copied.
    package struct Source: Hashable, Sendable {
        /// nil where only reading tells.
        package var size: Int64?
        /// Nanoseconds since 1970.
        package var modified: Int64
    }

    /// A file in its place.
    package struct Published: Hashable, Sendable {
        package var path: TargetPath?
        /// nil where the bytes went into memory.
        package var file: FileState?
        /// The first bytes, where they went into memory.
        package var content: [UInt8]?
        package var digests: [DigestAlgorithm: Digest]
        package var verifyTime: Duration
        package var publishTime: Duration
        /// How it was left out of backups; nil where that was not asked for.
        package var backup: BackupExclusion.Outcome?
        /// Whether it took the place of a file that somebody else put there since the transfer began.
        package var tookPlace = false
    }

    /// What to write, and what it must be.
    package struct Order: Sendable {
        package var path: TargetPath
        /// Tells the parts of this job from those of another.
        package var identity: String
        package var verification: Verification
        package var mode: UInt16?
        package var directory: JobDirectory
        /// Where the part's state is kept, and what makes the part this task's.
        package var states: PartStates
        package var partIdentity: PartIdentity
        /// Where files that are not what they must be are kept; nil when they are not.
        package var badFiles: BadFiles?
        /// Bytes that are kept in memory instead of in a file; the rest is dropped.
        ///
        /// nil for a file.
        package var memoryCeiling: Int?
        /// Names in the file's folder that are to be left out of backups, its own among them; nil when it is not.
        package var namesOutOfBackup: Set<String>?
        /// When the transfer began, in nanoseconds since 1970.
        package var began = WallClock.milliseconds * 1_000_000
        /// How the file comes to its name, where the server gives it; ``path`` only stands in for it then.
        package var naming: Naming?

        package init(
            path: TargetPath, identity: String, verification: Verification, mode: UInt16?, directory: JobDirectory,
            states: PartStates, partIdentity: PartIdentity
        ) {
            self.states = states
            self.partIdentity = partIdentity
            self.path = path
            self.identity = identity
            self.verification = verification
            self.mode = mode
            self.directory = directory
        }
    }

    /// What a later run needs to go on from the part.
    package struct Kept: Sendable {
        package var source: SourceURL?
        package var validator: Validator
        package var total: Int64?
        /// nil when the part's length says what is there.
        package var ranges: ByteRanges?
        /// What the server called the file; nil where nobody asks.
        package var name: String?
        /// Whether the bytes are made safe on the disk first.
        package var syncs: Bool
    }

    /// A file that the transfer leaves besides its own, at an absolute path; for its owner's eyes only.
    package struct SideFile: Hashable, Sendable {
        package var path: String
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        fileprivate func save() throws(StorageError) {
            guard let slash = path.lastIndex(of: "/") else { return }
            let folder = StateFolder(path: String(path[..<slash]))
            try folder.replace(String(path[path.index(after: slash)...]), with: bytes, mode: 0o600)
        }
    }

    enum State {
        case unopened
        /// Digests cover the bytes up to `digested`; what lies behind a gap is digested at the end.
        case open(PartFile, DigestSet?, digested: Int64)
        /// What goes into memory.
        case memory([UInt8])
        /// The disk refused; what is handed in is dropped.
        case broken(PartFile?)
        case closed
    }

    private let order: Order
    var directory: JobDirectory { order.directory }
    let lane: Lane
    private let pool: BufferPool
    let report: @Sendable (Report) -> Void
    private let state = Mutex(State.unopened)
    /// Cleared from the network thread to end a copy.
    let isCopying = Atomic(false)
    /// Whether the part has the attribute that leaves it out of backups; used on the lane alone.
    private let isOutOfBackup = Atomic(false)
    /// Whether a state file may lie on the disk; used on the lane alone.
    private let hasState: Atomic<Bool>
    /// The part as the network thread may write to it.
    private let shortcut = Shortcut()

    /// - Parameter hasState: whether an earlier run left a state of this part.
    package init(
        _ order: Order, hasState: Bool, workers: Workers, pool: BufferPool,
        report: @escaping @Sendable (Report) -> Void
    ) {
        self.order = order
        self.hasState = Atomic(hasState)
        lane = Lane(on: workers)
        self.pool = pool
        self.report = report
    }

    // MARK: - Orders of the network thread

    /// A body begins at this byte.
    ///
    /// - Parameters:
    ///   - keeping: what lies behind that byte is dropped.
    ///   - prefix: bytes from the first one on without a gap; all of them were handed in before.
    ///   - sent: what servers have said of the bytes so far; digests that they need are computed on the way.
    package func begin(at start: Int64, keeping: Int64, prefix: Int64, total: Int64?, sent: [ServerDigest] = []) {
        let turn = shortcut.prepare()
        lane.submit {
            self.attempt { (state) throws(StorageError) in
                try self.open(&state, at: start, keeping: keeping, prefix: prefix, total: total, sent: sent)
                guard case .open(let part, let digests, _) = state else { return }
                self.shortcut.open(part, isDigested: digests != nil, turn: turn)
            }
        }
    }

    /// Writes down what a later run needs to go on, after all that was handed in before.
    package func keepState(_ kept: Kept) {
        // Who writes while the part is synced waits for the disk.
        if kept.syncs { shortcut.queued() }
        lane.submit {
            // A state that cannot be written costs a later run time, never bytes; the disk will be heard of otherwise.
            _ = self.state.withLock { state in try? self.save(kept, &state) }
            if kept.syncs { self.shortcut.written() }
        }
    }

    /// Writes a chunk at this byte and gives it back to the pool.
    ///
    /// Bytes that go into the page cache are written at once, while they are in this processor's own cache; the lane is
    /// for disks that make one wait, and for digests.
    /// - Returns: whether the chunk is on the lane now, and ``Report/wrote(chunks:)`` will follow.
    package func write(_ chunk: Chunk, at offset: Int64) -> Bool {
        guard pool.pace.isQuick(at: SteadyClock.now), let part = shortcut.part() else {
            shortcut.queued()
            // A whole chunk takes a while, and more will follow; a lesser one is the end of a file.
            lane.submit(isLong: chunk.isFull) {
                self.attempt { (state) throws(StorageError) in try self.write(chunk, at: offset, &state) }
                self.shortcut.written()
                self.pool.giveBack(chunk)
                self.report(.wrote(chunks: 1))
            }
            return true
        }
        do throws(StorageError) {
            try pool.pace.write(chunk.count) { () throws(StorageError) in try part.write(chunk.bytes, at: offset) }
        } catch {
            pool.giveBack(chunk)
            attempt { (_) throws(StorageError) in throw error }
            return false
        }
        guard shortcut.isDigested else {
            pool.giveBack(chunk)
            return false
        }
        lane.submit(isLong: chunk.isFull) {
            self.attempt { (state) throws(StorageError) in try self.digest(chunk, at: offset, &state) }
            self.pool.giveBack(chunk)
            self.report(.wrote(chunks: 1))
        }
        return true
    }

    /// Whether the part is not there yet; bytes that come meanwhile wait in memory.
    package var isOpening: Bool { shortcut.isOpening }

    /// Whether ``write(_:at:)`` of a pipe would be of use now.
    package var takesPipes: Bool {
        shortcut.spliceablePart() != nil && pool.pace.isQuick(at: SteadyClock.now)
    }

    /// Writes what a pipe holds at this byte, as far as that can be done; the rest is to be handed in by chunks.
    ///
    /// - Returns: the number of bytes written, and whether the lane digests them now, so that
    ///   ``Report/wrote(chunks:)`` will follow.
    package func write(_ pipe: SplicePipe, at offset: Int64) -> (written: Int, isOnLane: Bool) {
        guard let part = shortcut.spliceablePart() else { return (0, false) }
        let written = try? pool.pace.write(pipe.count) { () throws(StorageError) in
            try part.move(from: pipe, at: offset)
        }
        if pipe.count > 0 { shortcut.refuseSplicing() }
        guard let written, written > 0, shortcut.isDigested else { return (written ?? 0, false) }
        lane.submit(isLong: true) {
            self.attempt { (state) throws(StorageError) in
                // Behind a gap there is nothing yet that could be digested before them.
                guard case .open(_, _, let digested) = state, digested >= offset else { return }
                // They are in the page cache, from where they are copied as fast as from anywhere else.
                try self.catchUp(&state, through: offset + Int64(written))
            }
            self.report(.wrote(chunks: 1))
        }
        return (written, true)
    }

    /// Compares the part with what was asked for and, if it fits, puts it in its place.
    ///
    /// - Parameters:
    ///   - size: bytes that are there; a part that no body of this transfer went into holds that many from before.
    ///   - modified: seconds since 1970 that the file's time is set to; nil for now.
    ///   - sent: what servers have said of the bytes.
    ///   - name: what the server calls the file, where the task asks for that.
    ///   - file: written beside, after the part was found right and before it is published.
    package func finish(
        size: Int64, modified: Int64?, sent: [ServerDigest] = [], named name: String? = nil,
        saving file: SideFile? = nil
    ) {
        shortcut.close()
        lane.submit {
            self.attempt { (state) throws(StorageError) in
                try self.finish(&state, size, modified: modified, sent: sent, name, saving: file)
            }
        }
    }

    /// Closes the part, and deletes it unless it is to be kept.
    package func close(keep: Bool) {
        shortcut.close()
        lane.submit {
            self.state.withLock { state in
                switch state {
                case .open(let part, _, _): if keep { part.close() } else { part.discard() }
                case .broken(let part): if !keep { part?.discard() }
                case .unopened, .memory, .closed: break
                }
                if !keep { self.removeState() }
                state = .closed
            }
        }
    }

    // MARK: - On the lane

    func attempt(_ work: (inout State) throws(StorageError) -> Void) {
        let failure: StorageError? = state.withLock { state in
            if case .broken = state { return nil }
            do throws(StorageError) {
                try work(&state)
                return nil
            } catch {
                var broken: PartFile?
                if case .open(let part, _, _) = state { broken = part }
                shortcut.close()
                broken?.close()
                state = .broken(broken)
                return error
            }
        }
        if let failure { report(.broke(failure)) }
    }

    private func open(
        _ state: inout State, at start: Int64, keeping: Int64, prefix: Int64, total: Int64?, sent: [ServerDigest]
    ) throws(StorageError) {
        if order.memoryCeiling != nil {
            state = .memory([])
            return
        }
        // The old state speaks of other bytes; it has to go before they do.
        if start == 0 { removeState() }
        let part: PartFile
        var digests: DigestSet?
        var digested: Int64 = 0
        switch state {
        case .open(let file, let set, let count):
            part = file
            (digests, digested) = (set, count)
            if part.length > keeping { try part.truncate(to: keeping) }
        default:
            part = try order.directory.openPart(
                for: order.path, identity: order.identity, keeping: keeping, total: start == 0 ? total : nil)
            // Somebody may have cut it since it was looked at; a hole must never be taken for bytes.
            guard part.length >= start else { throw .failed(.read, path: order.path.text, errno: ENODATA) }
            if order.namesOutOfBackup != nil {
                isOutOfBackup.store(try part.excludeFromBackup(), ordering: .relaxed)
            }
        }
        state = .open(part, digests, digested: digested)
        let algorithms = order.verification.algorithms(with: sent)
        if digests?.algorithms ?? [] != algorithms {
            digests = algorithms.isEmpty ? nil : try DigestSet(algorithms)
            digested = 0
        }
        if let total { try part.expect(total: total) }
        if let digests, start == 0 || digested > start {
            try digests.restart()
            digested = 0
        }
        state = .open(part, digests, digested: digested)
        // A gap before the start has nothing yet that could be digested.
        try catchUp(&state, through: min(start, prefix))
    }

    /// Digests what lies on the disk up to a byte and was not digested when it was written.
    private func catchUp(_ state: inout State, through end: Int64) throws(StorageError) {
        guard case .open(let part, let digests?, let digested) = state, digested < end else { return }
        let added = try FileHasher.add(end - digested, bytesOf: part, from: digested, to: digests) ?? 0
        state = .open(part, digests, digested: digested + added)
    }

    private func write(_ chunk: Chunk, at offset: Int64, _ state: inout State) throws(StorageError) {
        if case .memory(let bytes) = state, let ceiling = order.memoryCeiling {
            state = .memory(bytes + chunk.bytes.prefix(max(0, ceiling - bytes.count)))
            return
        }
        guard case .open(let part, _, _) = state else { return }
        try part.write(chunk.bytes, at: offset)
        try digest(chunk, at: offset, &state)
    }

    private func digest(_ chunk: Chunk, at offset: Int64, _ state: inout State) throws(StorageError) {
        guard case .open(let part, let digests?, let digested) = state, offset == digested else { return }
        try digests.update(chunk.bytes)
        state = .open(part, digests, digested: digested + Int64(chunk.count))
    }

    private func save(_ kept: Kept, _ state: inout State) throws(StorageError) {
        var synced: Int64 = 0
        switch state {
        case .open(let part, _, _):
            try part.takeName()
            if kept.syncs {
                try part.synchronize()
                synced = part.length
            }
        // What was written before the disk refused more has no gaps, unless several streams wrote.
        case .broken(.some) where kept.ranges == nil: break
        case .broken, .unopened, .memory, .closed: return
        }
        let ranges = kept.ranges.map { $0.ranges.map { [$0.lowerBound, $0.upperBound] } }
        hasState.store(true, ordering: .relaxed)
        try order.states.save(
            PartState(
                path: order.path.text, identity: try order.partIdentity.hex(),
                source: kept.source.map(PartIdentity.withoutQuery) ?? "", etag: kept.validator.etag,
                lastModified: kept.validator.lastModified, total: kept.total, ranges: ranges, name: kept.name,
                synced: synced),
            for: order.path)
    }

    private func removeState() {
        guard hasState.exchange(false, ordering: .relaxed) else { return }
        try? order.states.remove(order.path)
    }

    private func finish(
        _ state: inout State, _ size: Int64, modified: Int64?, sent: [ServerDigest], _ name: String?,
        saving side: SideFile?
    ) throws(StorageError) {
        if case .unopened = state { try open(&state, at: size, keeping: size, prefix: size, total: size, sent: sent) }
        if case .memory(let bytes) = state {
            state = .closed
            report(.published(Published(content: bytes, digests: [:], verifyTime: .zero, publishTime: .zero)))
            return
        }
        let began = SteadyClock.now
        if case .open(let part, _, _) = state { try catchUp(&state, through: part.length) }
        guard case .open(let part, let digests, _) = state else { return }
        let found = try digests?.finalize() ?? [:]
        let path = try order.naming.map { (naming) throws(StorageError) in try self.path(naming, name) } ?? order.path
        var verification = order.verification
        verification.name = path.name
        if var fault = try verification.fault(in: part, actual: found, sent: sent) {
            fault.evidence.kept = order.badFiles?.keep(part, named: path.name, digest: found.values.first)
            part.discard()
            removeState()
            state = .unopened
            report(.refuted(fault))
            return
        }
        let verified = SteadyClock.now
        try side?.save()
        if let naming = order.naming { try checkPlace(path, naming, part, found) }
        let publication = try part.publish(as: path.name, mode: order.mode, modified: modified)
        state = .closed
        removeState()
        report(
            .published(
                Published(
                    path: path, file: publication.state, digests: found, verifyTime: verified - began,
                    publishTime: SteadyClock.now - verified,
                    backup: order.namesOutOfBackup.map { leaveOutOfBackup($0.union([path.name])) },
                    // A difference of clocks may hide it, and never makes it up.
                    tookPlace: publication.replaced.map { $0 > order.began } ?? false)))
    }

    /// What the attribute could not do, a tag in the folder does, where nothing else lies in it.
    private func leaveOutOfBackup(_ names: Set<String>) -> BackupExclusion.Outcome {
        if isOutOfBackup.load(ordering: .relaxed) { return .attribute }
        return BackupExclusion.tagFolder(of: order.path, in: order.directory) { name in
            names.contains(name) || name.hasPrefix(".") && name.hasSuffix(".part")
        }
    }
}
