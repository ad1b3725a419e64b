internal import RunnerJob
internal import RunnerPlan
internal import RunnerStorage

/// All of one file's transfer: which source is asked, when, from which byte, and when it is over; pure.
///
///     waiting → transferring → (backingOff → waiting → transferring)* → verifying → publishing → finished
///                      ↘ gathering ↗                                              ↘ failed, cancelled
///
/// One request, the main stream, carries the transfer: it fetches what is missing from the first missing byte on, and
/// its failures decide about sources and waits. Segments are further requests that take pieces off its hands; one
/// that fails gives its piece back.
///
/// It reads no clock: every event comes with the time since the transfer began. It throws no dice: they are passed in.
package struct TransferMachine: Sendable {
    package indirect enum State: Hashable, Sendable {
        /// A request is due and waits for leave to start. Next: transferring, failed, cancelled.
        case waiting(Attempt)
        /// Next: waiting, gathering, backingOff, verifying, failed, cancelled.
        case transferring(Attempt, RequestMachine)
        /// The main stream has nothing left to ask; segments are still under way. Next: waiting, verifying, failed,
        /// cancelled.
        case gathering(Attempt)
        /// Next: waiting, failed, cancelled.
        case backingOff(source: Int)
        /// All bytes are there. Next: publishing, waiting, failed, cancelled.
        case verifying(Attempt)
        /// Next: finished, failed.
        case publishing
        /// Over; nothing follows.
        case finished
        case failed(Fault)
        case cancelled
    }

    /// One request to one source.
    package struct Attempt: Hashable, Sendable {
        /// Counts the requests of this transfer, from 1.
        package var number: Int
        /// Shared, as attempts are copied with every event.
        private var sharedGoal: SharedValue<RequestGoal>
        package var goal: RequestGoal {
            get { sharedGoal.value }
            set { sharedGoal = SharedValue(newValue) }
        }
        /// Times that this attempt was asked anew because a reply was of no use for a resume.
        package var repeats = 0
        /// Whether bytes of an earlier attempt are part of what is verified.
        package var isResumed = false

        package init(number: Int, goal: RequestGoal) {
            self.number = number
            sharedGoal = SharedValue(goal)
        }
    }

    package enum Event: Sendable {
        /// Leave to ask was given.
        case granted
        /// The origin that leave was asked for is to be left alone for a while.
        indirect case refused(Refusal)
        /// The run is at rest for a long time: the request is dropped and made anew later.
        case suspended
        /// Something happened to the request under way.
        case request(RequestMachine.Event)
        /// Something happened to a segment's request.
        case segment(SegmentID, RequestMachine.Event)
        /// A slot that nobody needs may be used for a segment from this source.
        case segmentOffered(source: Int)
        /// Leave to follow a segment's redirect is not to be had now.
        case segmentRefused(SegmentID)
        case timerFired
        /// The whole transfer is over its time, or cannot go on for a reason outside the request.
        indirect case gaveUp(Fault)
        case verified
        indirect case refuted(Fault)
        case published
        case cancelled
    }

    package indirect enum Effect: Sendable {
        /// Ask for leave to make this attempt at the source's origin.
        case requestGrant(Attempt)
        /// Start the request: its first hop.
        case send(Attempt, RequestMachine.Hop)
        /// End the exchange and ask for leave at the hop's origin; answer with `hopGranted`.
        case redirect(RequestMachine.Hop)
        /// What follows goes into the part from byte `start` on, and replaces what is there.
        case keepBody(ReplyMeaning.Body, SharedHead)
        /// Stop or drain the exchange; its leave goes back.
        case dropRest
        case sendSegment(SegmentID, RequestGoal, RequestMachine.Hop)
        /// End the segment's exchange and ask for leave at the hop's origin; answer with its `hopGranted`, or with
        /// `segmentRefused`.
        case redirectSegment(SegmentID, RequestMachine.Hop)
        case keepSegment(SegmentID, ReplyMeaning.Body)
        /// The segment is over, whatever came of it: stop its exchange and give its slot back.
        case endSegment(SegmentID)
        /// Give leave back, and send `timerFired` after this time.
        case sleep(Duration)
        case reportFailure(Attempt, Fault, retryIn: Duration?, nextSource: Int?)
        case reportSegmentFailure(Segment, Fault)
        case verify
        case publish
        /// Close the part, and delete it unless a later run can go on from it.
        case closePart(keep: Bool)
        case finish(Ending)
    }

    package enum Ending: Hashable, Sendable {
        case succeeded
        /// The server says that the file that is there is still right.
        case notModified
        case failed(Fault)
        case cancelled
    }

    package internal(set) var state: State
    package internal(set) var part: Part
    package internal(set) var sources: [SourceRecord]
    let configuration: Configuration
    /// Furthest byte that any attempt has reached.
    private var furthest: Int64
    private var round = 1
    var requests = 0
    /// Pieces that other connections fetch, in the order in which they began.
    var segments: [Segment] = []
    var segmentHistory = SegmentHistory()

    /// - Parameter part: what an earlier run left behind.
    package init(_ configuration: Configuration, part: Part = Part()) {
        self.configuration = configuration
        self.part = part
        furthest = part.have
        sources = configuration.sources.map { SourceRecord(url: $0) }
        state = .cancelled
        state = .waiting(makeAttempt(source: 0))
    }

    /// What is to be done first.
    package func begin() -> [Effect] {
        guard case .waiting(let attempt) = state else { return [] }
        return [.requestGrant(attempt)]
    }

    /// Takes one event and says what is to be done, in order.
    package mutating func handle(_ event: Event, at now: Duration, dice: () -> Double) -> [Effect] {
        switch (state, event) {
        case (.finished, _), (.failed, _), (.cancelled, _):
            return []
        case (.verifying, .cancelled), (.publishing, .cancelled):
            // The lane is about to put the file in place; what it has done is true, and takes no time.
            return []
        case (_, .cancelled):
            state = .cancelled
            return [.dropRest] + endSegments() + [.closePart(keep: isPartWorthKeeping), .finish(.cancelled)]
        case (_, .gaveUp(let fault)):
            return [.dropRest] + end(fault)
        case (.transferring, .segmentOffered(let source)), (.gathering, .segmentOffered(let source)):
            return beginSegment(from: source)
        case (_, .segmentOffered):
            return []
        case (_, .segmentRefused(let id)):
            return dropSegment(id, now, dice)
        case (_, .segment(let id, let event)):
            return advanceSegment(id, event, now, dice)
        case (.waiting(let attempt), .granted):
            return start(attempt)
        case (.waiting(let attempt), .refused(let refusal)):
            return leave(attempt, refusal, now, dice)
        case (.transferring(let attempt, _), .suspended), (.gathering(let attempt), .suspended):
            sources[attempt.goal.source].takeBack()
            return [.dropRest] + endSegments() + wait(makeAttempt(source: attempt.goal.source))
        case (_, .suspended):
            return []
        case (.transferring(let attempt, var request), .request(let event)):
            let event = vouched(event)
            let effects = request.handle(event, resolve: configuration.resolve)
            return advance(attempt, request, effects, event, now, dice)
        case (.backingOff(let source), .timerFired):
            return wait(makeAttempt(source: source))
        case (.verifying, .verified):
            state = .publishing
            return [.publish]
        case (.verifying(let attempt), .refuted(let fault)):
            return refuted(attempt, fault, now, dice)
        case (.publishing, .published):
            state = .finished
            return [.finish(.succeeded)]
        case (_, .request), (_, .timerFired), (_, .refused):
            // A connection that was dropped, or a timer that was called off, may still have had its say.
            return []
        default:
            return [.dropRest] + end(Fault(.internal, .impossible("transfer \(state.name) got \(event.name)")))
        }
    }

    // MARK: - Requests

    private mutating func start(_ attempt: Attempt) -> [Effect] {
        if segmentHistory.began > 0, part.isWhole {
            // Segments went on while this attempt waited, and have left it nothing to ask.
            state = .verifying(attempt)
            return endSegments() + [.verify]
        }
        sources[attempt.goal.source].begin()
        requests += 1
        var attempt = attempt
        attempt.number = requests
        var request = RequestMachine(
            goal: attempt.goal, statuses: configuration.statuses, redirects: configuration.redirects)
        let url = sources[attempt.goal.source].url
        _ = request.handle(.started(url), resolve: configuration.resolve)
        state = .transferring(attempt, request)
        return [.send(attempt, RequestMachine.Hop(url: url))]
    }

    mutating func wait(_ attempt: Attempt) -> [Effect] {
        state = .waiting(attempt)
        return [.requestGrant(attempt)]
    }

    private mutating func advance(
        _ attempt: Attempt, _ request: RequestMachine, _ effects: [RequestMachine.Effect],
        _ event: RequestMachine.Event, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        var attempt = attempt
        var orders: [Effect] = []
        for effect in effects {
            switch effect {
            case .send(let hop): orders.append(.send(attempt, hop))
            case .redirect(let hop): orders.append(.redirect(hop))
            case .dropRest: orders.append(.dropRest)
            case .keepBody(let body, let head):
                if let fault = configuration.objection(to: head.value, body) {
                    state = .transferring(attempt, request)
                    return [.dropRest] + refuted(attempt, fault, now, dice)
                }
                attempt.isResumed = body.start > 0
                if body.start == 0 {
                    // It takes the place of all that was there and under way, and is nobody's piece.
                    orders += endSegments()
                    attempt.goal.end = nil
                }
                if !offersRanges(head.value, of: attempt.goal.source) {
                    segmentHistory.lost(from: attempt.goal.source, refused: true)
                    if body.start == 0, segmentHistory.began > 0 { segmentHistory.isBarred = true }
                }
                part.begin(
                    body, head.value, source: attempt.goal.source,
                    sent: DigestFields.digests(in: head.value, body, etagIsMD5: configuration.etagIsMD5))
                orders.append(.keepBody(body, head))
            case .noteTrailer(let fields, let body, let head):
                part.note(DigestFields.digests(in: fields, behind: body, of: head.value))
            }
        }
        state = .transferring(attempt, request)
        if case .bytesReceived(let count) = event {
            let limit = mainLimit
            part.received(count, limit: limit)
            if part.position >= limit, limit < part.total ?? .max {
                return orders + [.dropRest] + pieceDone(attempt, now, dice)
            }
        }
        switch request.state {
        case .ended(let ending): return orders + ended(ending, attempt, now, dice)
        case .broken(let fault): return orders + failed(attempt, fault, now, dice)
        default: return orders
        }
    }

    private mutating func ended(
        _ ending: RequestMachine.Ending, _ attempt: Attempt, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        switch ending {
        case .complete(_, let receipt):
            if part.total == nil { part.total = part.position }
            // A 206 may hold less than was asked for; the rest is asked for anew.
            if part.position < min(part.total ?? 0, mainLimit) {
                let expected = receipt.body.total ?? part.position
                return failed(
                    attempt, Fault(.truncated, .bodyTooShort(received: part.have, expected: expected)), now, dice)
            }
            return pieceDone(attempt, now, dice)
        case .alreadyWhole(let size):
            guard part.present.prefix == size, part.have == size else {
                // The server's file ends where ours has a gap: another file.
                return askAgain(attempt, Attempt(number: 0, goal: RequestGoal(source: attempt.goal.source)), now, dice)
            }
            part.total = size
            var attempt = attempt
            attempt.isResumed = true
            state = .verifying(attempt)
            return [.verify]
        case .notModified:
            state = .finished
            return [.closePart(keep: false), .finish(.notModified)]
        case .again(let again):
            let next =
                again == .withDate
                ? makeAttempt(source: attempt.goal.source, preferDate: true)
                : Attempt(number: 0, goal: RequestGoal(source: attempt.goal.source))
            return askAgain(attempt, next, now, dice)
        }
    }

    /// Asks the same source differently, without counting the attempt; twice at the most.
    private mutating func askAgain(
        _ attempt: Attempt, _ next: Attempt, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        guard attempt.repeats < 2 else {
            return failed(attempt, Fault(.protocol, .cannotResume(times: attempt.repeats)), now, dice)
        }
        var next = next
        next.repeats = attempt.repeats + 1
        next.goal.bypassesCaches = attempt.goal.bypassesCaches
        sources[attempt.goal.source].takeBack()
        return wait(next)
    }

    // MARK: - Failures

    /// Decides what follows a failed attempt: another source at once, another round after a wait, or the end.
    private mutating func failed(
        _ attempt: Attempt, _ fault: Fault, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        let source = attempt.goal.source
        renewBudgetAfterProgress()
        sources[source].note(fault, at: now)
        if fault.isAboutPace { sources[source].takeBack() }
        switch fault.faultClass {
        case .disk, .storage, .internal:
            return [.reportFailure(attempt, fault, retryIn: nil, nextSource: nil)] + end(fault)
        default:
            break
        }
        setAsideUnlessRepeatable(after: fault)
        let isLast =
            !configuration.policy.retries(fault.faultClass) || sources[source].attempts >= configuration.attempts
        if isLast || fault.faultClass == .protocol, asksPlainly(after: attempt, fault) {
            return [.reportFailure(attempt, fault, retryIn: .zero, nextSource: source)]
                + wait(makeAttempt(source: source))
        }
        if isLast { sources[source].standing = .setAside }
        let longest = configuration.longestWait(at: now)
        if let wait = fault.retryAfter, wait > longest.allowed, sources[source].standing == .usable {
            sources[source].standing = .setAside
            // What a proxy answers is told as it is, so that nobody takes it for the server's word.
            if case .status(let status) = fault.cause {
                return next(attempt, Fault(fault.faultClass, longest.cause(status, wait)), now, dice)
            }
        }
        return next(attempt, fault, now, dice)
    }

    private mutating func next(
        _ attempt: Attempt, _ fault: Fault, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        sources[attempt.goal.source].note(fault, at: now)
        if let source = sources.indices.first(where: { sources[$0].isOpen(at: now) }) {
            return [.reportFailure(attempt, fault, retryIn: .zero, nextSource: source)]
                + wait(makeAttempt(source: source))
        }
        let backoff = configuration.policy.delay(round: round, dice: dice())
        let waits = sources.indices.filter { sources[$0].standing == .usable }
            .map { (source: $0, wait: max(backoff, sources[$0].notBefore - now)) }
        guard let best = waits.min(by: { $0.wait < $1.wait }) else {
            return [.reportFailure(attempt, fault, retryIn: nil, nextSource: nil)] + end(fault)
        }
        if let deadline = configuration.policy.settings.deadline, now + best.wait > deadline {
            let late = tooLate(fault, wait: best.wait, deadline: deadline, now)
            return [.reportFailure(attempt, late, retryIn: nil, nextSource: nil)] + end(late)
        }
        if !fault.isAboutPace { round += 1 }
        for index in sources.indices { sources[index].wasTriedInRound = false }
        state = .backingOff(source: best.source)
        return [
            .reportFailure(attempt, fault, retryIn: best.wait, nextSource: best.source),
            .sleep(best.wait),
        ]
    }

    /// A request that is not to be made twice is not made at another source either.
    private mutating func setAsideUnlessRepeatable(after fault: Fault) {
        guard !configuration.isRepeatable, !fault.isBeforeSending else { return }
        for index in sources.indices { sources[index].standing = .setAside }
    }

    private func tooLate(_ fault: Fault, wait: Duration, deadline: Duration, _ now: Duration) -> Fault {
        if case .status(let status) = fault.cause, fault.retryAfter != nil {
            let allowed = max(.zero, deadline - now)
            return Fault(fault.faultClass, .waitTooLong(status: status, wait, allowed: allowed, by: .deadline))
        }
        return Fault(fault.faultClass, .deadline(deadline))
    }

    /// The bytes are not what was asked for.
    ///
    /// After a resume the join may be at fault: once more from zero. Then once more past caches. Then this source
    /// is set aside.
    private mutating func refuted(
        _ attempt: Attempt, _ fault: Fault, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        let source = attempt.goal.source
        let wasJoined = attempt.isResumed || segmentHistory.began > 0
        let ends = endSegments()
        part = Part()
        segmentHistory.isBarred = true
        // Wrong bytes are no measure for the right ones; this cannot go on for ever, since doubts do not.
        furthest = 0
        guard fault.faultClass == .integrity || fault.faultClass == .content else {
            return ends + failed(attempt, fault, now, dice)
        }
        setAsideUnlessRepeatable(after: fault)
        let mayAsk = sources[source].attempts < configuration.attempts && sources[source].standing == .usable
        var again = RequestGoal(source: source)
        switch sources[source].doubt {
        case .none where wasJoined:
            sources[source].doubt = .askedFromZero
            sources[source].takeBack()
        case .none where mayAsk, .askedFromZero where mayAsk:
            sources[source].doubt = .askedPastCaches
            again.bypassesCaches = true
        default:
            sources[source].standing = .setAside
            return ends + next(attempt, fault, now, dice)
        }
        sources[source].note(fault, at: now)
        return ends + [.reportFailure(attempt, fault, retryIn: .zero, nextSource: source)]
            + wait(Attempt(number: 0, goal: again))
    }

    mutating func end(_ fault: Fault) -> [Effect] {
        let keep = isPartWorthKeeping && fault.faultClass != .integrity && fault.faultClass != .content
        state = .failed(fault)
        return endSegments() + [.closePart(keep: keep), .finish(.failed(fault))]
    }

    /// A request that got beyond the furthest byte so far earns every source its attempts back.
    mutating func renewBudgetAfterProgress() {
        guard part.have > furthest else { return }
        furthest = part.have
        round = 1
        for index in sources.indices where sources[index].standing == .usable { sources[index].attempts = 0 }
    }
}

extension TransferMachine.State {
    /// Name of the state without its data.
    package var name: String {
        switch self {
        case .waiting: "waiting"
        case .transferring: "transferring"
        case .gathering: "gathering"
        case .backingOff: "backingOff"
        case .verifying: "verifying"
        case .publishing: "publishing"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension TransferMachine.Event {
    /// Name of the event without its data.
    package var name: String {
        switch self {
        case .granted: "granted"
        case .refused: "refused"
        case .suspended: "suspended"
        case .request: "request"
        case .timerFired: "timerFired"
        case .segment: "segment"
        case .segmentOffered: "segmentOffered"
        case .segmentRefused: "segmentRefused"
        case .gaveUp: "gaveUp"
        case .verified: "verified"
        case .refuted: "refuted"
        case .published: "published"
        case .cancelled: "cancelled"
        }
    }
}
