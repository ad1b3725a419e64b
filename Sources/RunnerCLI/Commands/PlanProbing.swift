internal import RunnerExecution
internal import RunnerPlan

/// Asks the servers of a plan for a command; the first signal ends it.
struct PlanProbing: Sendable {
    let context: Context

    enum Failure: Error {
        case cannotStart(String)
        case stopped(TerminationSignal)
    }

    /// What the servers said.
    func probe(_ planned: PlannedJob) async throws(Failure) -> PlanProbe {
        var options = RunOptions(
            identity: planned.site.identity, version: Program.version, environment: context.environment)
        options.run = planned.run
        let probe: Probe
        do throws(Run.StartFailure) {
            probe = try Probe(plan: planned.plan, options: options)
        } catch {
            throw .cannotStart(error.message)
        }
        let stopping = context.signals()
        return try await withTaskGroup(of: TerminationSignal?.self) { group in
            group.addTask {
                for await signal in stopping {
                    probe.stop()
                    return signal
                }
                return nil
            }
            let found = await probe.execute()
            group.cancelAll()
            let signal = await group.next() ?? nil
            guard let found else { return Result<PlanProbe, Failure>.failure(.stopped(signal ?? .interrupt)) }
            return .success(found)
        }.get()
    }
}
