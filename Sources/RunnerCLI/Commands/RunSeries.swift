internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// Runs plans one after the other into one report, until a signal comes.
struct RunSeries: Sendable {
    let context: Context
    let arguments: RunArguments
    let planning: Planning
    /// Whether the jobs are held to their lock files.
    var isLocked = false
    /// Is told every event of every run.
    var observer: @Sendable (RunEvent) -> Void = { _ in }

    /// Runs all jobs.
    ///
    /// Each is occupied before the report of an earlier run is touched.
    func run(_ jobs: [PlannedJob]) async -> ExitStatus {
        let hasWaited: Bool
        do throws(SiteRefusal) {
            hasWaited = try await Occupation(
                context: context, waits: arguments.waits, isQuiet: arguments.messages.verbosity == .quiet
            ).occupy(jobs)
        } catch {
            context.console.message(["runner: error: " + error.message])
            return .cannotGoOn
        }
        defer { for job in jobs { job.site.leave() } }
        let report: ReportSink?
        do throws(ReportSinkError) {
            report = try ReportSinks.commandLine(arguments.report, in: context)
        } catch {
            context.console.message(["runner: error: \(error.subject.printable): \(error.cause)"])
            return .cannotGoOn
        }
        let stop = StopSwitch(end: context.end)
        let signals = context.signals()
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await signal in signals { stop.take(signal) }
            }
            let session = RunSession(
                context: context, arguments: arguments, stop: stop, report: report, observer: observer)
            let status = await runAll(jobs, session: session, hasWaited: hasWaited)
            group.cancelAll()
            return status
        }
    }

    private func runAll(_ jobs: [PlannedJob], session: RunSession, hasWaited: Bool) async -> ExitStatus {
        var statuses: [ExitStatus] = []
        for (number, job) in jobs.enumerated() {
            if let signal = session.stop.signal { statuses.append(signal.exitStatus) }
            guard !isOver(statuses) else { break }
            // An earlier job may have written what this one looks at, and another run may have ended after the plan.
            let isOutdated = number > 0 || hasWaited || job.site.isViewOutdated
            guard let current = isOutdated ? planning.replan(job) : job else {
                statuses.append(.usage)
                continue
            }
            let lock = isLocked ? LockFile.path(forJob: current.plan.job.file) : nil
            let end = await session.run(current, lock: lock)
            statuses.append(end.status)
            job.site.leave()
            await session.runHooks(of: current, end)
        }
        return .strongest(of: statuses)
    }

    /// Whether no further job is begun.
    private func isOver(_ statuses: [ExitStatus]) -> Bool {
        statuses.contains { status in
            TerminationSignal.allCases.contains { $0.exitStatus == status }
                || (arguments.failFast && status == .failed)
        }
    }
}
