public import RunnerPlan
internal import RunnerTransfer

/// Asks the servers of a plan what they have; fetches no body and writes nothing.
///
/// Every source of every task that is not up to date is asked once, by HEAD, or for its first byte where HEAD is
/// refused or says nothing. The caps of the job hold; nothing is tried twice. It starts a thread of its own.
public final class Probe: Sendable {
    private let session: ProbeSession

    /// - Throws: when libcurl is too old or cannot be set up.
    public init(plan: Plan, options: RunOptions) throws(Run.StartFailure) {
        do throws(EngineFailure) {
            session = try ProbeSession(plan: plan, options: options)
        } catch {
            throw Run.StartFailure(error)
        }
    }

    /// Asks, and returns what was found; nil when it was stopped.
    ///
    /// Call it once.
    public func execute() async -> PlanProbe? {
        let found = await session.execute()
        session.join()
        return found
    }

    /// Ends it at once.
    public func stop() {
        session.stop()
    }
}

/// The actor that lives on the network thread and owns what a probe has.
actor ProbeSession {
    private let loop: EventLoop
    private let executor: ProbeExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(plan: Plan, options: RunOptions) throws(EngineFailure) {
        loop = try EventLoop()
        executor = try ProbeExecutor(plan: plan, options: options, loop: loop)
    }

    nonisolated func execute() async -> PlanProbe? {
        await withCheckedContinuation { continuation in
            loop.start { self.assumeIsolated { $0.executor.tick() } }
            loop.post {
                self.assumeIsolated { $0.executor.start { continuation.resume(returning: $0) } }
            }
        }
    }

    nonisolated func stop() {
        loop.post { self.assumeIsolated { $0.executor.stop() } }
    }

    nonisolated func join() {
        loop.stop()
    }
}
