import RunnerJob
import RunnerStorage
import RunnerTransfer
import TestSupport

/// One transfer on an engine and workers of its own, without a scheduler: leave is given at once, nobody sleeps.
actor TransferBench {
    /// Notes what the transfer asks for; it is done in the next round.
    private final class Host: TransferHost {
        var isGrantDue = false
        var isTimerDue = false
        var result: TransferResult?
        let rested = Duration.zero

        func transfer(_ transfer: Transfer, waitsFor origin: Origin) { isGrantDue = true }
        func transfer(_ transfer: Transfer, sleepsFor duration: Duration) { isTimerDue = true }
        func transferIsComplete(_ transfer: Transfer) {}
        func transfer(_ transfer: Transfer, ended segment: SegmentID) {}
        func transfer(_ transfer: Transfer, leads segment: SegmentID, to origin: Origin) {}
        func transfer(_ transfer: Transfer, received head: ReplyHead, from origin: Origin) -> Int { 0 }
        func transfer(_ transfer: Transfer, hadNoReplyFrom origin: Origin, on connection: Int?, _ fault: Fault) {}
        func transfer(_ transfer: Transfer, reports report: TransferReport) {}
        func transfer(_ transfer: Transfer, endedWith result: TransferResult) { self.result = result }
    }

    let workers: Workers
    private let loop: EventLoop
    private let host = Host()
    private let engine: TransferEngine
    private let pool = BufferPool()
    private var transfer: Transfer?
    private var whenOver: CheckedContinuation<TransferMachine.Ending, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init() throws {
        workers = Workers(count: 1)
        loop = try EventLoop()
        engine = try TransferEngine(on: loop, environment: NetworkEnvironment([:]), connections: 1)
    }

    deinit {
        workers.stop()
    }

    /// Fetches a URL to `name` in a folder.
    nonisolated func fetch(_ url: String, to name: String, in folder: String) async throws -> TransferMachine.Ending {
        let source = try Sample.url(url)
        let path = try TargetPath(name)
        loop.start { self.assumeIsolated { $0.tick() } }
        let ending = await withCheckedContinuation { continuation in
            loop.post { self.assumeIsolated { $0.begin(source, path, folder, continuation) } }
        }
        workers.stop()
        loop.stop()
        return ending
    }

    private func begin(
        _ source: SourceURL, _ path: TargetPath, _ folder: String,
        _ continuation: CheckedContinuation<TransferMachine.Ending, Never>
    ) {
        whenOver = continuation
        let order = PartWriter.Order(
            path: path, identity: "bench", verification: Verification(), mode: nil,
            directory: JobDirectory(root: folder),
            states: PartStates(folder: StateFolder(path: folder + "/.state"), job: "bench"),
            partIdentity: PartIdentity(path: path, digests: [], size: nil, sources: [source]))
        let writer = PartWriter(order, hasState: false, workers: workers, pool: pool) { [weak self] report in
            guard let self else { return }
            loop.post { self.assumeIsolated { $0.transfer?.take(report) } }
        }
        let machine = TransferMachine.Configuration(
            sources: [source], policy: RetryPolicy(RetrySettings()), segments: .single, resolve: URLResolution.resolve)
        let setup = Transfer.Setup(
            machine: machine, request: .standard, timeout: TimeoutSettings(), userAgent: "bench",
            setsModificationTime: false)
        let transfer = Transfer(
            task: 0, setup: setup, engine: engine, writer: writer, pool: pool, host: host)
        self.transfer = transfer
        transfer.granted()
    }

    private func tick() -> Duration? {
        let wait = engine.tick()
        if host.isGrantDue {
            host.isGrantDue = false
            transfer?.granted()
        }
        if host.isTimerDue {
            host.isTimerDue = false
            transfer?.timerFired()
        }
        _ = transfer?.housekeep(at: SteadyClock.now)
        if let result = host.result, let whenOver {
            self.whenOver = nil
            whenOver.resume(returning: result.ending)
        }
        return min(wait ?? .milliseconds(50), .milliseconds(50))
    }
}
