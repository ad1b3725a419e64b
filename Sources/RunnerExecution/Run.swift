public import RunnerPlan
internal import RunnerStorage
internal import RunnerTransfer
internal import Synchronization

/// One run of a plan.
///
/// It starts threads of its own, installs no signal handler and never exits the program. A run is carried out once.
public final class Run: Sendable {
    /// Why a run could not begin at all.
    public struct StartFailure: Error, Hashable, Sendable {
        /// One sentence in words.
        public var message: String

        static let fewDescriptors = StartFailure(
            message: "this process may open too few files; raise the limit (ulimit -n), 64 are enough for a small job")

        private init(message: String) { self.message = message }

        init(_ failure: EngineFailure) {
            switch failure {
            case .tooOld(let version, let needed):
                message = "libcurl \(version) is too old; \(needed) or newer is needed"
            case .cannotStart(let call, let text):
                message = "libcurl cannot be set up: \(call): \(text)"
            }
        }
    }

    private let session: RunSession

    /// - Throws: when libcurl is too old or cannot be set up, or when the process may open too few files.
    ///
    /// - Parameter site: where the job works; nil for one of its own that no lease guards.
    public init(plan: Plan, options: RunOptions, site: JobSite? = nil) throws(StartFailure) {
        guard DescriptorLimit.isEnough else { throw .fewDescriptors }
        let site = site ?? JobSite(plan.job, identity: options.identity, stateFolder: options.stateFolder)
        do throws(EngineFailure) {
            session = try RunSession(plan: plan, options: options, site: site)
        } catch {
            throw StartFailure(error)
        }
    }

    /// Carries the plan out and returns its last event.
    ///
    /// - Parameter sink: gets every event in order, always from one thread; it must not block for long.
    public func execute(_ sink: @escaping @Sendable (RunEvent) -> Void) async -> RunFinished {
        let finished = await session.execute(sink)
        session.join()
        return finished
    }

    /// Starts nothing more, stops what is under way, keeps what was fetched; the run then ends by itself.
    public func stop(_ status: ExitStatus) {
        session.stop(.signal(status))
    }
}

/// The actor that lives on the network thread and owns all of a run's state.
actor RunSession {
    private let loop: EventLoop
    private let workers: Workers
    private let localWorkers: Workers?
    private let executor: RunExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(plan: Plan, options: RunOptions, site: JobSite) throws(EngineFailure) {
        loop = try EventLoop()
        workers = Workers(count: 2, waking: .onCall)
        localWorkers = LocalCap.workers(for: plan)
        executor = try RunExecutor(
            plan: plan, options: options, site: site, loop: loop, workers: workers, localWorkers: localWorkers)
    }

    /// A run that was never carried out has threads all the same.
    deinit {
        workers.stop()
        localWorkers?.stop()
    }

    nonisolated func execute(_ sink: @escaping @Sendable (RunEvent) -> Void) async -> RunFinished {
        await withCheckedContinuation { continuation in
            loop.start { self.assumeIsolated { $0.executor.tick() } }
            loop.post {
                self.assumeIsolated { session in
                    session.executor.start(sink: sink, deliver: session.mailbox()) {
                        continuation.resume(returning: $0)
                    }
                }
            }
        }
    }

    nonisolated func stop(_ stop: RunStop) {
        loop.post { self.assumeIsolated { $0.executor.stop(stop) } }
    }

    /// Waits for the threads; what the workers were given is done first.
    nonisolated func join() {
        workers.stop()
        localWorkers?.stop()
        loop.stop()
    }

    /// Carries a worker's news over to the network thread.
    private nonisolated func mailbox() -> @Sendable (WorkerNews) -> Void {
        { [weak self] news in
            guard let self else { return }
            self.loop.post { self.assumeIsolated { $0.executor.take(news) } }
        }
    }
}

/// What a worker has to tell of a task.
struct WorkerNews: Sendable {
    enum Kind: Sendable {
        case prepared(Preparation.Outcome)
        case written(PartWriter.Report)
        case worked(WorkResult)
        case preparedUpload(UploadPreparation.Outcome)
        /// The ledger took a batch, or refused it.
        case booked(Bookkeeper.Refusal?)
        case leaseLost
    }

    /// Number in the plan; -1 for news of the run as a whole.
    var task: Int
    var kind: Kind
}
