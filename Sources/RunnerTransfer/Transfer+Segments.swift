package import RunnerJob

extension Transfer {
    /// A further connection that would help.
    package struct SegmentWish {
        /// The origin that is asked first.
        package var asked: Origin
        /// The origin that its redirects are expected to end at: where the main stream's did.
        package var origin: Origin
    }

    /// The further connection that would help now; nil when none would.
    package func wantsSegment(at now: Duration) -> SegmentWish? {
        countBytes()
        guard setup.machine.segments != .single, exchangePath == nil, let chance = machine.segmentChance,
            let total = machine.part.total,
            segmentPolicy.wantsMore(
                connections: machine.connections, have: machine.part.have, missing: total - machine.part.have,
                largest: chance.largest, at: now)
        else { return nil }
        let asked = machine.sources[chance.source].url.origin
        let isMain = chance.source == machine.part.source
        return SegmentWish(asked: asked, origin: isMain ? record.lastOrigin ?? asked : asked)
    }

    /// Uses a slot of that origin for a further connection; nil when none was made.
    package func beginSegment() -> SegmentID? {
        guard let chance = machine.segmentChance else { return nil }
        // From here on the part's length says nothing of what it holds; its state has to say it first.
        if segments.isEmpty {
            flush()
            saveState(isJoined: true)
        }
        segmentPolicy.began()
        let known = Set(segments.keys)
        handle(.segmentOffered(source: chance.source))
        return segments.keys.first { !known.contains($0) }
    }

    /// Leave to follow a segment's redirect was given.
    package func segmentGranted(_ id: SegmentID) { handle(.segment(id, .hopGranted)) }

    /// The origin that a segment was led to is not to be asked now.
    package func segmentRefused(_ id: SegmentID) { handle(.segmentRefused(id)) }

    func sendSegment(_ id: SegmentID, _ goal: RequestGoal, _ hop: RequestMachine.Hop) {
        let stream = segments[id] ?? ByteStream()
        segments[id] = stream
        if hop.redirects == 0 { stream.beginAttempt() }
        if hop.redirects == 0, let segment = machine.segment(id) {
            host.transfer(
                self,
                reports: .attemptStarted(
                    number: segment.number, url: hop.url.url.text, resumedFrom: segment.start,
                    piece: segment.start..<segment.end))
        }
        stream.pending = wireRequest(goal, hop, on: stream)
    }

    /// Starts the segments' requests that came up inside a callback; called outside of any.
    package func startPending() {
        for (id, stream) in segments {
            guard let request = stream.pending else { continue }
            stream.pending = nil
            do throws(Fault) {
                stream.exchange = try engine.start(request, of: task, owner: self)
            } catch {
                handle(.segment(id, .broke(error)))
            }
        }
    }

    func endSegment(_ id: SegmentID) {
        guard let stream = segments.removeValue(forKey: id) else { return }
        stream.flush(submit)
        if let exchange = stream.exchange { drop(exchange) }
        host.transfer(self, ended: id)
    }

    func reportFailure(of segment: Segment, _ fault: Fault) {
        host.transfer(
            self,
            reports: .attemptFailed(
                number: segment.number, url: machine.sources[segment.source].url.url.text,
                resumedFrom: segment.start, piece: segment.start..<max(segment.start, segment.end), fault: fault,
                received: segment.received, retryIn: nil, nextURL: nil))
    }

    // MARK: - State for a later run

    /// Keeps what a later run needs to go on; returns when to look again.
    func keepState(at now: Duration) -> Duration? {
        switch machine.state {
        case .transferring, .gathering: break
        default: return nil
        }
        guard machine.isPartWorthKeeping else { return nil }
        let isJoined = !segments.isEmpty || machine.part.present.ranges.count > 1
        let due = keeper.due(part: machine.part, isJoined: isJoined, began: began)
        guard let due else { return nil }
        if due > now { return due }
        flush()
        saveState(isJoined: isJoined)
        return now + PartKeeper.interval
    }

    /// - Parameter isJoined: whether the part's length does not say what it holds; its state then does.
    func saveState(isJoined: Bool) {
        writer.keepState(
            PartWriter.Kept(
                source: machine.part.source.map { machine.sources[$0].url }, validator: machine.part.validator,
                total: machine.part.total, ranges: isJoined ? machine.part.present : nil, name: fileName,
                syncs: !setup.machine.isGuardedByDigest && keeper.isSyncDue(at: SteadyClock.now)))
        keeper.saved(machine.part, isJoined: isJoined, at: SteadyClock.now)
    }
}

/// When the state of a part is written: not for transfers that are over at once, and at most once a second.
struct PartKeeper {
    /// What lasts longer, or is larger, is worth a file of state.
    static let firstAfter = Duration.milliseconds(200)
    static let firstSize: Int64 = 1 << 20
    static let interval = Duration.seconds(1)
    static let syncInterval = Duration.seconds(5)

    private enum Phase {
        case unsaved
        /// `isJoined`: the state names the ranges that were present; what came later is not in it.
        case saved(part: Part, isJoined: Bool, at: Duration)
    }

    private var phase: Phase
    private var synced = SteadyClock.now
    private let isGuardedByDigest: Bool

    init(hasState: Bool, isGuardedByDigest: Bool) {
        // A state of an earlier run names validators that a new reply has yet to confirm.
        phase = .unsaved
        self.isGuardedByDigest = isGuardedByDigest
    }

    /// When the state should be written next; nil for never again.
    func due(part: Part, isJoined: Bool, began: Duration) -> Duration? {
        switch phase {
        case .unsaved:
            return part.have >= Self.firstSize ? .zero : began + Self.firstAfter
        case .saved(_, let wasJoined, let time):
            if isJoined || wasJoined { return time + Self.interval }
            return isGuardedByDigest ? nil : synced + Self.syncInterval
        }
    }

    func isSyncDue(at now: Duration) -> Bool { now - synced >= Self.syncInterval }

    /// Whether the state on the disk still says what is there.
    func isCurrent(_ part: Part) -> Bool {
        guard case .saved(let saved, let wasJoined, _) = phase else { return false }
        if wasJoined { return saved == part }
        return saved.validator == part.validator && saved.total == part.total && part.present.ranges.count <= 1
    }

    mutating func saved(_ part: Part, isJoined: Bool, at now: Duration) {
        if isSyncDue(at: now) { synced = now }
        phase = .saved(part: part, isJoined: isJoined, at: now)
    }

    /// A body from the first byte on has made the old state untrue; the writer has removed it.
    mutating func restart() {
        phase = .unsaved
    }
}
