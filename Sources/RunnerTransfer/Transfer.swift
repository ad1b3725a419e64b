package import RunnerJob
internal import RunnerStorage

/// One file's transfer: performs what its ``TransferMachine`` orders, on the engine and on a lane of the workers.
///
/// Belongs to the network thread.
package final class Transfer {
    /// Chunks on their way to the disk, for each connection, before the network has to wait.
    static let queueLimit = 6
    /// Longest time that received bytes stay in memory only.
    private static let flushInterval = Duration.milliseconds(100)

    /// What does not change for the whole transfer.
    package struct Setup {
        package var machine: TransferMachine.Configuration
        /// How the first source is asked.
        package var request: RequestSettings
        /// How each origin is asked; nil where all are asked alike.
        package var layers: RequestLayers?
        package var timeout: TimeoutSettings
        package var userAgent: String
        package var setsModificationTime: Bool
        /// Absolute path of the file that is the requests' body.
        package var bodyFile: String?
        /// What an upload sends, instead of a body of the settings.
        package var payload: UploadPayload?
        /// Whether the server gives the file its name, and what it was called when the part was begun.
        package var asksName = false
        package var earlierName: String?

        package init(
            machine: TransferMachine.Configuration, request: RequestSettings, timeout: TimeoutSettings,
            userAgent: String, setsModificationTime: Bool, bodyFile: String? = nil
        ) {
            self.machine = machine
            self.request = request
            self.timeout = timeout
            self.userAgent = userAgent
            self.setsModificationTime = setsModificationTime
            self.bodyFile = bodyFile
        }
    }

    /// The task's number in the plan.
    package let task: Int
    let setup: Setup
    let engine: TransferEngine
    let writer: PartWriter
    let pool: BufferPool
    unowned let host: any TransferHost
    var machine: TransferMachine
    var segmentPolicy: SegmentPolicy
    let began = SteadyClock.now
    private let restedBefore: Duration
    let main = ByteStream()
    var segments: [SegmentID: ByteStream] = [:]
    private(set) var queued = 0
    /// Bytes of the main stream that the machine has not been told of.
    var uncounted = 0
    var record = TransferRecord()
    /// What the requests so far have left; the next one goes on from there.
    var cookies: CookieJar
    var keeper: PartKeeper
    /// Whether libcurl is in the middle of a callback, so that no request may be started or ended.
    var isInCallback = false
    /// Requests of this transfer that were answered, by whatever origin.
    var servedToOwn = 0
    /// Those of other transfers that the origin had answered when it last refused one of this.
    var servedToOthersBefore = 0
    /// Whether the server did not rename a file that it had been sent.
    var isRenameRefused = false
    /// Takes away what an upload that has failed left at the server.
    var sweep: HeadRequest?

    /// - Parameter part: what an earlier run left of the file.
    package init(
        task: Int, setup: Setup, part: Part = Part(), engine: TransferEngine, writer: PartWriter, pool: BufferPool,
        host: any TransferHost
    ) {
        self.task = task
        self.setup = setup
        self.engine = engine
        self.writer = writer
        self.pool = pool
        self.host = host
        restedBefore = host.rested
        machine = TransferMachine(setup.machine, part: part)
        record.givenName = setup.earlierName
        let network = setup.request.network
        cookies = network.cookies == nil && network.savedCookies == nil ? .none : .file(network.cookies)
        segmentPolicy = SegmentPolicy(setup.machine.segments)
        keeper = PartKeeper(hasState: part.have > 0, isGuardedByDigest: setup.machine.isGuardedByDigest)
    }

    /// Bytes of the file that are there, and the whole where it is known.
    package var progress: (have: Int64, total: Int64?) {
        (machine.part.have + Int64(uncounted), machine.part.total)
    }

    /// Time that counts for the limits of the whole.
    private var elapsed: Duration { SteadyClock.now - began - (host.rested - restedBefore) }

    /// Bytes that the request under way has sent.
    package var sent: Int64 { main.exchange?.sent ?? 0 }

    // MARK: - Orders of the host

    /// Leave to make the request that was asked for.
    package func granted() {
        if case .transferring = machine.state {
            handle(.request(.hopGranted))
        } else {
            handle(.granted)
        }
    }

    /// The origin whose leave is awaited is to be left alone.
    package func refused(_ refusal: Refusal) { handle(.refused(refusal)) }

    /// The origin that leave is asked for; nil when none is.
    package var awaitedOrigin: Origin? { machine.awaitedOrigin }

    /// Whether there is something better to do than to wait for an origin.
    package func leaves(_ refusal: Refusal) -> Bool { machine.leaves(refusal, at: elapsed) }

    /// Drops its connections where the file can be gone on with later; it then waits for leave again.
    package func suspend() {
        countBytes()
        guard machine.isPartWorthKeeping || machine.part.have == 0 else { return }
        handle(.suspended)
    }

    package func timerFired() { handle(.timerFired) }

    package func cancel() { handle(.cancelled) }

    /// Ends the transfer because a limit on its time is over; one that has all its bytes goes on.
    package func giveUp(_ fault: Fault) {
        switch machine.state {
        case .verifying, .publishing: break
        default: handle(.gaveUp(fault))
        }
    }

    /// What the lane has to tell.
    package func take(_ report: PartWriter.Report) {
        switch report {
        case .wrote(let count):
            queued -= count
            if queued <= Self.queueLimit / 2 { resumePaused() }
        case .broke(let error):
            handle(.gaveUp(Fault(error.faultClass, .storage(error))))
        case .refuted(let fault):
            let evidence = Fault.Evidence(
                url: record.finalURL, status: record.head?.status ?? 0, contentType: record.head?.contentType,
                contentEncoding: record.head?.contentEncoding)
            handle(.refuted(Fault(fault.faultClass, .verification(fault, evidence))))
        case .published(let published):
            record.published = published
            handle(.verified)
            handle(.published)
        case .source(let found):
            takeSource(found)
        case .sourceBroke(let error):
            handle(.request(.broke(Fault(error.faultClass, .storage(error)))))
        case .copied(let count):
            record.transferred += Int64(count)
            handle(.request(.bytesReceived(count)))
        case .copyEnded:
            handle(.request(.bodyEnded))
        }
    }

    private func resumePaused() {
        for stream in [main] + segments.values {
            if let exchange = stream.exchange { engine.resume(exchange) }
        }
    }

    /// Hands over bytes that have waited long enough, and keeps the part's state; returns when to look again.
    package func housekeep(at now: Duration) -> Duration? {
        countBytes()
        var next: Duration?
        for stream in [main] + segments.values {
            guard let since = stream.waitingSince else { continue }
            let due = since + Self.flushInterval
            if due <= now { stream.flush(submit) } else { next = min(next ?? due, due) }
        }
        guard let due = keepState(at: now) else { return next }
        return min(next ?? due, due)
    }

    // MARK: - Effects

    func handle(_ event: TransferMachine.Event) {
        countBytes()
        step(event)
    }

    /// Tells the machine of the bytes that it has not been told of.
    func countBytes() {
        guard uncounted > 0 else { return }
        let count = uncounted
        uncounted = 0
        step(.request(.bytesReceived(count)))
    }

    private func step(_ event: TransferMachine.Event) {
        let effects = machine.handle(event, at: elapsed) { Double.random(in: 0..<1) }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: TransferMachine.Effect) {
        switch effect {
        case .requestGrant(let attempt):
            host.transfer(self, waitsFor: machine.sources[attempt.goal.source].url.origin)
        case .redirect(let hop):
            record.finalURL = hop.url.url.text
            host.transfer(self, waitsFor: hop.url.origin)
        case .send(let attempt, let hop):
            send(attempt, hop)
        case .keepBody(let body, let head):
            keep(body, head)
        case .dropRest:
            let exchange = main.exchange
            main.exchange = nil
            if let exchange { drop(exchange) } else { writer.stopCopying() }
        case .sendSegment(let id, let goal, let hop):
            sendSegment(id, goal, hop)
        case .redirectSegment(let id, let hop):
            let exchange = segments[id]?.exchange
            segments[id]?.exchange = nil
            if let exchange { drop(exchange) }
            host.transfer(self, leads: id, to: hop.url.origin)
        case .keepSegment(let id, let body):
            segments[id]?.begin(body)
        case .endSegment(let id):
            endSegment(id)
        case .sleep(let duration):
            host.transfer(self, sleepsFor: duration)
        case .reportFailure(let attempt, let fault, let retryIn, let nextSource):
            reportFailure(attempt, fault, retryIn, nextSource)
        case .reportSegmentFailure(let segment, let fault):
            reportFailure(of: segment, fault)
        case .verify:
            flush()
            host.transferIsComplete(self)
            writer.finish(
                size: machine.part.have, modified: setup.setsModificationTime ? record.head?.lastModifiedTime : nil,
                sent: machine.part.sentDigests, named: fileName, saving: savedCookies)
        case .publish:
            // The lane goes on to publish what it has verified without a detour through this thread.
            break
        case .closePart(let keep):
            flush()
            if keep, !keeper.isCurrent(machine.part) { saveState(isJoined: machine.part.present.ranges.count > 1) }
            writer.close(keep: keep)
        case .finish(let ending):
            if !startSweep(before: ending) { host.transfer(self, endedWith: result(ending)) }
        }
    }

    private func keep(_ body: ReplyMeaning.Body, _ head: SharedHead) {
        record.head = head
        if head.fileName != nil || body.start == 0 { record.givenName = head.fileName }
        // What an exchange that was let go left in memory belongs before this body, or is replaced by it; what segments
        // have in memory counts as present.
        flush()
        main.begin(body)
        let present = machine.part.present
        let isJoined = !segments.isEmpty || present.firstPresent(after: body.start) != nil
        writer.begin(
            at: body.start, keeping: isJoined ? present.ranges.last?.upperBound ?? 0 : body.start,
            prefix: present.prefix, total: body.total, sent: machine.part.sentDigests)
        if body.start == 0 { keeper.restart() }
        if let path = exchangePath { writer.copy(from: path, at: body.start) }
    }

    /// Lets go of an exchange.
    ///
    /// One that is inside a callback sees that when the callback returns; any other is ended.
    func drop(_ exchange: Exchange) {
        record.sent += exchange.sent
        if isInCallback { exchange.detach() } else { engine.cancel(exchange) }
    }

    // MARK: - Bytes

    func submit(_ chunk: Chunk, at offset: Int64) {
        if writer.write(chunk, at: offset) { queued += 1 }
    }

    /// Writes what a pipe holds; returns how many bytes of it were written.
    func write(_ pipe: SplicePipe, at offset: Int64) -> Int {
        let (written, isOnLane) = writer.write(pipe, at: offset)
        if isOnLane { queued += 1 }
        return written
    }

    func flush() {
        main.flush(submit)
        for stream in segments.values { stream.flush(submit) }
    }
}
