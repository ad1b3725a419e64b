package import LibCurl
package import RunnerJob
internal import RunnerStorage

/// One file's transfer: performs what its ``TransferMachine`` orders, on the engine and on a lane of the workers.
///
/// Belongs to the network thread.
package final class Transfer {
    /// Chunks on their way to the disk before the network has to wait.
    private static let queueLimit = 6
    /// Longest time that received bytes stay in memory only.
    private static let flushInterval = Duration.milliseconds(100)

    /// What does not change for the whole transfer.
    package struct Setup {
        package var machine: TransferMachine.Configuration
        package var request: RequestSettings
        package var timeout: TimeoutSettings
        package var userAgent: String
        package var setsModificationTime: Bool

        package init(
            machine: TransferMachine.Configuration, request: RequestSettings, timeout: TimeoutSettings,
            userAgent: String, setsModificationTime: Bool
        ) {
            self.machine = machine
            self.request = request
            self.timeout = timeout
            self.userAgent = userAgent
            self.setsModificationTime = setsModificationTime
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
    let began = SteadyClock.now

    /// The exchange that is listened to; others may still drain.
    var exchange: Exchange?
    /// Bytes that have not been handed to the lane, and since when.
    private var chunk: (bytes: Chunk, since: Duration)?
    /// Where the next byte of the body goes.
    private var offset: Int64 = 0
    private var skip: Int64 = 0
    private var queued = 0
    var record = TransferRecord()

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
        machine = TransferMachine(setup.machine, part: part)
    }

    /// Bytes of the file that are there, and the whole where it is known.
    package var progress: (have: Int64, total: Int64?) { (machine.part.have, machine.part.total) }

    // MARK: - Orders of the host

    /// Leave to make the request that was asked for.
    package func granted() {
        if case .transferring = machine.state {
            handle(.request(.hopGranted))
        } else {
            handle(.granted)
        }
    }

    package func timerFired() { handle(.timerFired) }

    package func cancel() { handle(.cancelled) }

    /// Ends the transfer for a reason outside its requests.
    package func giveUp(_ fault: Fault) { handle(.gaveUp(fault)) }

    /// What the lane has to tell.
    package func take(_ report: PartWriter.Report) {
        switch report {
        case .wrote(let count):
            queued -= count
            if queued <= Self.queueLimit / 2, let exchange { engine.resume(exchange) }
        case .broke(let error):
            handle(.gaveUp(Fault(error.faultClass, .storage(error))))
        case .refuted(let failure):
            let evidence = Fault.Evidence(
                url: record.finalURL, status: record.head?.status ?? 0, contentType: record.head?.contentType)
            handle(.refuted(Fault(failure.faultClass, .verification(failure, evidence))))
        case .published(let published):
            record.published = published
            handle(.verified)
            handle(.published)
        case .source(let found):
            takeSource(found)
        case .copied(let count):
            record.transferred += Int64(count)
            handle(.request(.bytesReceived(count)))
        case .copyEnded:
            handle(.request(.bodyEnded))
        }
    }

    /// Hands over bytes that have waited long enough; returns when the next will have.
    package func flush(at now: Duration) -> Duration? {
        guard let chunk else { return nil }
        let due = chunk.since + Self.flushInterval
        if due > now { return due }
        submitChunk()
        return nil
    }

    // MARK: - Effects

    func handle(_ event: TransferMachine.Event) {
        let effects = machine.handle(event, at: SteadyClock.now - began) { Double.random(in: 0..<1) }
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
            dropRest()
        case .sleep(let duration):
            host.transfer(self, sleepsFor: duration)
        case .reportFailure(let attempt, let fault, let retryIn, let nextSource):
            reportFailure(attempt, fault, retryIn, nextSource)
        case .verify:
            submitChunk()
            writer.finish(modified: setup.setsModificationTime ? record.head?.lastModifiedTime : nil)
        case .publish:
            // The lane goes on to publish what it has verified without a detour through this thread.
            break
        case .closePart(let keep):
            submitChunk()
            writer.close(keep: keep)
        case .finish(let ending):
            host.transfer(self, endedWith: result(ending))
        }
    }

    private func keep(_ body: ReplyMeaning.Body, _ head: ReplyHead) {
        record.head = head
        offset = body.start
        skip = body.skip
        writer.begin(at: body.start, total: body.total)
        if let path = exchangePath { writer.copy(from: path, at: body.start) }
    }

    /// Lets go of the exchange. One that is inside a callback sees that when the callback returns; any other is ended.
    private func dropRest() {
        guard let exchange else {
            writer.stopCopying()
            return
        }
        self.exchange = nil
        if !isInCallback { engine.cancel(exchange) }
    }

    private var isInCallback = false

    // MARK: - Bytes

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        record.transferred += Int64(bytes.count)
        handle(.request(.bytesReceived(bytes.count)))
        let skipped = Int(min(skip, Int64(bytes.count)))
        skip -= Int64(skipped)
        var rest = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
        while !rest.isEmpty {
            let open = chunk ?? (pool.take(), SteadyClock.now)
            chunk = open
            let taken = open.bytes.append(rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            if open.bytes.isFull { submitChunk() }
        }
    }

    func submitChunk() {
        guard let (bytes, _) = chunk else { return }
        chunk = nil
        queued += 1
        let count = Int64(bytes.count)
        writer.write(bytes, at: offset)
        offset += count
    }
}

extension Transfer: ExchangeOwner {
    package func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction {
        guard exchange === self.exchange else { return .stop }
        record.head = head
        isInCallback = true
        handle(.request(.headReceived(head)))
        isInCallback = false
        return self.exchange === exchange ? .receive : .drain
    }

    package func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction {
        guard exchange === self.exchange else { return .abort }
        if queued >= Self.queueLimit { return .pause }
        isInCallback = true
        defer { isInCallback = false }
        receive(body)
        if let limit = setup.machine.maxSize, machine.part.have > limit {
            handle(.request(.broke(Fault(.tooLarge, .tooLarge(size: machine.part.have, limit: limit)))))
            self.exchange = nil
            return .abort
        }
        return self.exchange === exchange ? .proceed : .abort
    }

    package func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>) {
        guard exchange === self.exchange else { return }
        self.exchange = nil
        record.note(exchange)
        submitChunk()
        switch result {
        case .success: handle(.request(.bodyEnded))
        case .failure(let fault): handle(.request(.broke(fault)))
        }
    }
}
