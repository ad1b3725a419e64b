internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// One run of one plan with everything that listens to it: report, screen, summary.
struct RunSession: Sendable {
    let context: Context
    let arguments: RunArguments
    let stop: StopSwitch
    /// The report of the command line; a job's own comes beside it.
    let report: ReportSink?
    /// Is told every event too.
    let observer: @Sendable (RunEvent) -> Void

    /// Time between two looks at what waits to be drawn or written; no line of the report waits longer.
    private static let tick = Duration.milliseconds(ReportWriter.longestWait / 2)

    /// What a run came to.
    struct End {
        var status: ExitStatus
        /// Nil where it did not begin.
        var summary: Summary?
    }

    /// Carries a plan out, and tells of it.
    ///
    /// - Parameter lock: name of the lock file that the job is held to; nil when it is not.
    func run(_ job: PlannedJob, lock: String? = nil) async -> End {
        let plan = job.plan
        let sinks: [ReportSink]
        do throws(ReportSinkError) {
            sinks = try ReportSinks.all(report, job: plan.job.absoluteReport)
        } catch {
            context.console.message(["runner: error: \(error.subject.printable): \(error.cause)"])
            return End(status: .cannotGoOn)
        }
        let archive = ReportSinks.archive(job.site.reportPath(of: job.run), in: context)
        let run: any RunControl
        do throws(Run.StartFailure) {
            run = try context.makeRun(plan, options(job, lock: lock), job.site)
        } catch {
            context.console.message(["runner: error: " + error.message])
            return End(status: .cannotGoOn)
        }
        let listeners = RunListeners(
            plan, context: context, arguments: arguments, lock: lock, sinks: sinks, archive: archive)
        stop.attach(
            StopSwitch.Target(run: run, tell: { listeners.tell(of: $0) }, abandon: { listeners.abandon() }))
        let finished = await execute(run, listeners)
        stop.detach()
        listeners.end()
        listeners.tellReportFailures()
        return End(status: ExitStatus(rawValue: finished.exitStatus), summary: listeners.summary)
    }

    private func execute(_ run: any RunControl, _ listeners: RunListeners) async -> RunFinished {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await context.clock.sleep(for: Self.tick)) != nil { listeners.tick() }
            }
            let finished = await run.execute { event in
                listeners.handle(event)
                observer(event)
            }
            group.cancelAll()
            return finished
        }
    }

    private func options(_ job: PlannedJob, lock: String?) -> RunOptions {
        var options = RunOptions(
            identity: job.site.identity, version: Program.version, environment: context.environment)
        options.run = job.run
        options.stateFolder = job.site.stateFolder
        options.initialHolds = job.holds
        let now = context.now
        options.wallClock = { now() / 1000 }
        options.localTime = JobClock.local(now: 0).local
        options.failFast = arguments.failFast
        options.concurrency = arguments.concurrency
        options.isLocked = lock != nil
        options.keepBad = arguments.keepBad.map(context.absolute)
        let isShown = arguments.messages.traits(in: context).progress != .none
        options.wantsProgress = isShown || arguments.reportsProgress
        options.settlement = settlement(job)
        return options
    }

    /// What the run is to note at its end, with the report's words for it.
    private func settlement(_ job: PlannedJob) -> SettlementOrder? {
        guard var order = job.settlement else { return nil }
        let encoder = ReportEncoder(
            run: job.run, redactor: Redactor(secrets: job.plan.job.secrets), sources: job.plan.job.sources)
        order.line = { encoder.ending(.taskFinished($0)) }
        return order
    }
}
