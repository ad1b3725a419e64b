import LibCurl
import RunnerJob
import RunnerStorage
import RunnerTransfer
import TestSupport
import Testing

/// Requests on an engine of its own, one after the other.
actor ExchangeBench {
    /// What came of the request.
    struct Outcome: Sendable {
        var status: Int?
        var fault: Fault?
        /// Bytes of the request's body that were sent.
        var sent: Int64
        /// What was received, where the bench keeps it.
        var body: [UInt8] = []
        var trailer: [ReplyHead.Field] = []
        var httpVersion: String?
        /// Bytes of the body that came by a pipe.
        var piped = 0
        /// Rounds of the engine until then.
        var rounds = 0
    }

    private final class Owner: ExchangeOwner {
        let keepsBodies: Bool
        var status: Int?
        var body: [UInt8] = []
        /// Whether bodies are taken by a pipe as well.
        var takesPipes = false
        /// Whether the next pipe is left as it is, and its body refused.
        var refusesPipe = false
        var piped = 0
        var whenOver: (Outcome) -> Void = { _ in }

        init(keepsBodies: Bool) { self.keepsBodies = keepsBodies }

        func exchange(_ exchange: Exchange, received head: ReplyHead) -> Exchange.HeadAction {
            status = head.status
            return keepsBodies ? .receive : .drain
        }

        func exchange(_ exchange: Exchange, received body: UnsafeRawBufferPointer) -> ReceiveAction {
            if keepsBodies { self.body += body }
            return .proceed
        }

        func bytesByPipe(for exchange: Exchange) -> Int64 { takesPipes ? .max : 0 }

        func exchange(_ exchange: Exchange, received pipe: SplicePipe) -> ReceiveAction {
            if refusesPipe {
                refusesPipe = false
                return .abort
            }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pipe.count, alignment: 1)
            defer { buffer.deallocate() }
            while pipe.count > 0, let read = try? pipe.read(into: buffer) {
                body += buffer[..<read]
                piped += read
            }
            return .proceed
        }

        func exchange(_ exchange: Exchange, ended result: Result<Void, Fault>) {
            var outcome = Outcome(
                status: status, fault: nil, sent: exchange.sent, body: body, trailer: exchange.trailer,
                httpVersion: exchange.httpVersion, piped: piped)
            if case .failure(let fault) = result { outcome.fault = fault }
            whenOver(outcome)
        }
    }

    private let loop: EventLoop
    private let engine: TransferEngine
    private let owner: Owner
    private let refusal: Int32?
    private var rounds = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter keepsBodies: whether bodies are received and kept; otherwise they are drained.
    /// - Parameter takesPipes: whether bytes may come by a pipe.
    /// - Parameter refusal: what the system says where bytes are to be moved into a pipe; nil where it does that.
    /// - Parameter refusesFirstPipe: whether the first body that comes by a pipe is refused.
    init(
        keepsBodies: Bool = false, takesPipes: Bool = false, refusal: Int32? = nil, refusesFirstPipe: Bool = false
    ) throws {
        self.refusal = refusal
        owner = Owner(keepsBodies: keepsBodies)
        owner.takesPipes = takesPipes
        owner.refusesPipe = refusesFirstPipe
        loop = try EventLoop()
        engine = try TransferEngine(on: loop, environment: NetworkEnvironment([:]), connections: 1)
    }

    /// Sends requests, each when the one before has ended, and returns what came of the last; a bench is used once.
    nonisolated func send(_ requests: WireRequest...) async -> Outcome { await send(requests) }

    nonisolated func send(_ requests: [WireRequest]) async -> Outcome {
        loop.start { self.assumeIsolated { $0.tick() } }
        if let refusal { loop.post { #expect(throws: Never.self) { try Sandbox.refuseSplicing(with: refusal) } } }
        var last = Outcome(status: nil, fault: nil, sent: 0)
        for request in requests {
            last = await withCheckedContinuation { continuation in
                loop.post { self.assumeIsolated { $0.begin(request, continuation) } }
            }
        }
        loop.stop()
        return last
    }

    private func tick() -> Duration? {
        rounds += 1
        return engine.tick()
    }

    private func begin(_ request: WireRequest, _ continuation: CheckedContinuation<Outcome, Never>) {
        owner.status = nil
        owner.body = []
        owner.whenOver = { outcome in
            var outcome = outcome
            outcome.rounds = self.assumeIsolated { $0.rounds }
            continuation.resume(returning: outcome)
        }
        do throws(Fault) {
            _ = try engine.start(request, of: 0, owner: owner)
        } catch {
            continuation.resume(returning: Outcome(status: nil, fault: error, sent: 0))
        }
    }
}
