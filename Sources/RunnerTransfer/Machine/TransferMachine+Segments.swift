internal import RunnerJob

/// Names a segment within its transfer.
package struct SegmentID: Hashable, Sendable {
    package let number: Int
}

/// A piece of the file that a further connection fetches.
package struct Segment: Hashable, Sendable {
    let id: SegmentID
    /// Counts the requests of the transfer, like the number of an attempt.
    package let number: Int
    var request: RequestMachine
    /// Where it began, where its next byte goes, and the first byte that is somebody else's.
    package let start: Int64
    var position: Int64
    package var end: Int64
    var skip: Int64 = 0

    var remaining: Int64 { end - position }

    package var source: Int { request.goal.source }
    /// Bytes that it brought.
    package var received: Int64 { position - start }
}

/// What the segments of a transfer have come to.
struct SegmentHistory: Hashable, Sendable {
    var began = 0
    /// Failures of each source's segments in a row.
    private var failures: [Int: Int] = [:]
    /// No more for this transfer: joined bytes were wrong, or were thrown away by a source that gives no pieces.
    var isBarred = false

    static let mostFailures = 3

    /// Whether a source may be asked for pieces.
    func allows(_ source: Int) -> Bool {
        !isBarred && failures[source, default: 0] < Self.mostFailures
    }

    /// A piece came whole.
    mutating func gained(from source: Int) {
        failures[source] = nil
    }

    /// A piece did not; a source that does not take to pieces, or to so many requests, is not asked again.
    mutating func lost(from source: Int, refused: Bool) {
        failures[source, default: 0] += refused ? Self.mostFailures : 1
    }
}

extension TransferMachine {
    /// Up to where the main stream may write: the next piece that is there or is somebody else's.
    package var mainLimit: Int64 {
        let position = part.position
        var limit = part.total ?? .max
        if case .transferring(let attempt, _) = state, let end = attempt.goal.end { limit = min(limit, end) }
        if let present = part.present.firstPresent(after: position) { limit = min(limit, present) }
        for segment in segments where segment.position >= position { limit = min(limit, segment.position) }
        return limit
    }

    /// Up to where a segment may write; nil when it is over.
    package func limit(of id: SegmentID) -> Int64? {
        segments.first { $0.id == id }?.end
    }

    /// A segment that is under way.
    package func segment(_ id: SegmentID) -> Segment? {
        segments.first { $0.id == id }
    }

    /// Connections at work on this file.
    package var connections: Int {
        if case .transferring = state { return segments.count + 1 }
        return segments.count
    }

    /// The source that a further connection would ask, when one is possible at all, and the piece it would halve.
    package var segmentChance: (source: Int, largest: Int64)? {
        guard let total = part.total, let main = part.source, part.have < total,
            configuration.isGuardedByDigest || !part.validator.isEmpty
        else { return nil }
        switch state {
        case .transferring(_, let request):
            guard case .receiving = request.state else { return nil }
        case .gathering: break
        default: return nil
        }
        guard let largest = largestPiece()?.remaining, let source = nextSegmentSource(main) else { return nil }
        return (source, largest)
    }

    /// Whether a server has said that it gives pieces (RFC 9110 section 14.3).
    ///
    /// One that has not might send the whole file for each of them, and what the main stream left out twice.
    func offersRanges(_ head: ReplyHead, of source: Int) -> Bool {
        guard sources[source].url.origin.scheme.hasPrefix("http") else { return true }
        return head.status == 206 || head.acceptRanges == "bytes" || head.acceptRanges?.contains("bytes") == true
    }

    /// Mirrors share the work only where a digest guards the join.
    private func nextSegmentSource(_ main: Int) -> Int? {
        let shared = configuration.isGuardedByDigest ? Array(sources.indices) : [main]
        let usable = shared.filter {
            sources[$0].standing == .usable && segmentHistory.allows($0) && sources[$0].url.origin.scheme != "file"
        }
        return usable.isEmpty ? nil : usable[(segmentHistory.began + 1) % usable.count]
    }

    private enum Holder {
        case main
        case segment(Int)
    }

    private func largestPiece() -> (holder: Holder, remaining: Int64)? {
        var best: (holder: Holder, remaining: Int64)?
        if case .transferring = state, part.total != nil { best = (.main, mainLimit - part.position) }
        for (index, segment) in segments.enumerated() where segment.remaining > best?.remaining ?? 0 {
            best = (.segment(index), segment.remaining)
        }
        return best
    }

    /// Gives the second half of the largest piece to a new connection.
    mutating func beginSegment(from source: Int) -> [Effect] {
        guard segmentChance != nil, sources.indices.contains(source), let (start, end) = takeHalf() else { return [] }
        var goal = RequestGoal(source: source, offset: start, end: end, knownTotal: part.total)
        if part.source == source {
            goal.validator = part.validator
            goal.ifRange = part.validator.ifRange(preferDate: false)
        }
        segmentHistory.began += 1
        requests += 1
        let id = SegmentID(number: segmentHistory.began)
        var request = RequestMachine(
            goal: goal, statuses: configuration.statuses, redirects: configuration.redirects)
        let url = sources[source].url
        _ = request.handle(.started(url), resolve: configuration.resolve)
        segments.append(
            Segment(id: id, number: requests, request: request, start: start, position: start, end: end))
        return [.sendSegment(id, goal, RequestMachine.Hop(url: url))]
    }

    private mutating func takeHalf() -> (start: Int64, end: Int64)? {
        guard let (holder, remaining) = largestPiece(), remaining >= 2 * SegmentPolicy.smallestPiece else { return nil }
        switch holder {
        case .main:
            let end = mainLimit
            return (end - remaining / 2, end)
        case .segment(let index):
            let end = segments[index].end
            segments[index].end = end - remaining / 2
            return (end - remaining / 2, end)
        }
    }

    // MARK: - Events of segments

    mutating func advanceSegment(
        _ id: SegmentID, _ event: RequestMachine.Event, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        guard let index = segments.firstIndex(where: { $0.id == id }) else { return [] }
        var orders: [Effect] = []
        for effect in segments[index].request.handle(event, resolve: configuration.resolve) {
            switch effect {
            case .send(let hop): orders.append(.sendSegment(id, segments[index].request.goal, hop))
            case .redirect(let hop): orders.append(.redirectSegment(id, hop))
            case .keepBody(let body, let head):
                guard body.start == segments[index].position else {
                    let cause = Fault.Cause.unusablePartial(head.contentRange ?? "the whole file")
                    return lose(index, Fault(.protocol, cause), refused: true, now, dice)
                }
                part.note(DigestFields.digests(in: head.value, body))
                segments[index].skip = body.skip
                orders.append(.keepSegment(id, body))
            case .noteTrailer(let fields, let body, let head):
                part.note(DigestFields.digests(in: fields, behind: body, of: head.value))
            case .dropRest: break
            }
        }
        if case .bytesReceived(let count) = event { receive(count, at: index) }
        if segments[index].remaining <= 0 { return orders + gain(index, now, dice) }
        switch segments[index].request.state {
        case .ended(.complete(_, let receipt)):
            let expected = receipt.body.length ?? receipt.received + segments[index].remaining
            let short = Fault.Cause.bodyTooShort(received: receipt.received, expected: expected)
            return orders + lose(index, Fault(.truncated, short), refused: false, now, dice)
        case .ended:
            return orders + lose(index, Fault(.protocol, .cannotResume(times: 1)), refused: true, now, dice)
        case .broken(let fault):
            return orders + lose(index, fault, refused: fault.refusesPieces, now, dice)
        default: return orders
        }
    }

    private mutating func receive(_ count: Int, at index: Int) {
        let skipped = min(segments[index].skip, Int64(count))
        segments[index].skip -= skipped
        let start = segments[index].position
        let end = min(start + Int64(count) - skipped, segments[index].end)
        part.received(start..<max(start, end))
        segments[index].position = max(start, end)
    }

    /// The piece is there.
    private mutating func gain(_ index: Int, _ now: Duration, _ dice: () -> Double) -> [Effect] {
        let segment = segments.remove(at: index)
        segmentHistory.gained(from: segment.source)
        return [.endSegment(segment.id)] + afterSegment(now, dice)
    }

    /// The rest of the piece is the main stream's again.
    private mutating func lose(
        _ index: Int, _ fault: Fault, refused: Bool, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        let segment = segments.remove(at: index)
        segmentHistory.lost(from: segment.source, refused: refused)
        return [.reportSegmentFailure(segment, fault), .endSegment(segment.id)] + afterSegment(now, dice)
    }

    /// A redirect led a segment to an origin that is not to be asked now: its piece is the main stream's again.
    mutating func dropSegment(_ id: SegmentID, _ now: Duration, _ dice: () -> Double) -> [Effect] {
        guard let index = segments.firstIndex(where: { $0.id == id }) else { return [] }
        segments.remove(at: index)
        return [.endSegment(id)] + afterSegment(now, dice)
    }

    private mutating func afterSegment(_ now: Duration, _ dice: () -> Double) -> [Effect] {
        guard case .gathering(let attempt) = state else { return [] }
        return pieceDone(attempt, now, dice)
    }

    /// The main stream has fetched what was its own: it takes what nobody has, helps the slowest, or waits.
    mutating func pieceDone(_ attempt: Attempt, _ now: Duration, _ dice: () -> Double) -> [Effect] {
        if part.isWhole {
            let ends = endSegments()
            state = .verifying(attempt)
            return ends + [.verify]
        }
        renewBudgetAfterProgress()
        // From here on the main stream has no piece of its own that could be halved.
        state = .gathering(attempt)
        let source = attempt.goal.source
        // One that gives no pieces would send the file from its first byte on, in place of what segments have.
        guard let (start, end) = firstUnowned() ?? (segmentHistory.allows(source) ? takeHalf() : nil) else {
            // Where a reply has not said how long the file is, nobody knows of a piece that is missing.
            return segments.isEmpty ? wait(makeAttempt(source: source)) : []
        }
        var next = makeAttempt(source: source)
        guard next.goal.offset > 0 else { return wait(next) }
        next.goal.offset = start
        next.goal.end = end
        return wait(next)
    }

    /// The first piece that is missing and that no segment fetches.
    func firstUnowned() -> (start: Int64, end: Int64)? {
        guard let total = part.total else { return nil }
        var start = part.firstMissing
        while start < total {
            if let owner = segments.first(where: { $0.position <= start && start < $0.end }) {
                start = part.present.firstMissing(from: owner.end)
                continue
            }
            let owned = segments.map(\.position).filter { $0 > start }.min() ?? total
            return (start, min(owned, part.present.firstPresent(after: start) ?? total))
        }
        return nil
    }

    mutating func endSegments() -> [Effect] {
        let ends = segments.map { Effect.endSegment($0.id) }
        segments = []
        return ends
    }
}

extension Fault {
    /// Whether a server says that it does not want to be asked for pieces, or for so many at a time.
    fileprivate var refusesPieces: Bool {
        switch faultClass {
        case .rateLimited, .auth, .notFound, .client, .redirect, .tls: true
        default: false
        }
    }
}
