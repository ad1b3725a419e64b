internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport
internal import Synchronization

/// Everything that listens to the events of a run.
final class RunListeners: Sendable {
    private let context: Context
    private let verbosity: Verbosity
    private let includesProgress: Bool
    private let sinks: [ReportSink]
    /// Where the report is kept for later questions; the run does not depend on it.
    private let archive: ReportSink?
    private let redactor: Redactor
    private let sources: SourceMap
    /// Made when the run names itself, with its first event.
    private let writer = Mutex<ReportWriter?>(nil)
    /// Name of the lock file that the job is held to, and the tasks that failed.
    private let lock: String?
    private let failed = Mutex<[TaskFinished]>([])
    private let screen: RunScreen
    private let summaryText: SummaryText
    private let events = Mutex(Summary())

    init(
        _ plan: Plan, context: Context, arguments: RunArguments, lock: String? = nil, sinks: [ReportSink],
        archive: ReportSink? = nil
    ) {
        self.lock = lock
        self.context = context
        verbosity = arguments.messages.verbosity
        let traits = arguments.messages.traits(in: context)
        includesProgress = arguments.reportsProgress
        self.sinks = sinks
        self.archive = archive
        redactor = Redactor(secrets: plan.job.secrets)
        sources = plan.job.sources
        summaryText = SummaryText(sources: plan.job.sources, style: traits.style, redactor: redactor)
        let lines = EventLines(
            verbosity: verbosity, tellsSuccess: traits.progress == .live, style: traits.style,
            failureText: FailureText(sources: plan.job.sources, style: traits.style, redactor: redactor),
            redactor: redactor)
        screen = RunScreen(
            plan, progress: traits.progress, lines: lines, output: context.console.errors,
            now: context.now())
    }

    func handle(_ event: RunEvent) {
        if case .runStarted(let run) = event.kind { beginReport(run.run) }
        if lock != nil, case .taskFinished(let task) = event.kind, task.failure != nil {
            failed.withLock { $0.append(task) }
        }
        writer.withLock { $0 }?.write(event)
        events.withLock { $0.add(event) }
        screen.handle(event)
    }

    func tick() {
        writer.withLock { $0 }?.flush()
        screen.tick(now: context.now())
    }

    /// Says that a signal was heard: the end may take a moment.
    func tell(of signal: TerminationSignal) {
        guard verbosity != .quiet else { return }
        let again = signal == .interrupt ? "; press Ctrl-C again to stop at once" : ""
        screen.message(["stopping\(again)"], now: context.now())
    }

    private func beginReport(_ run: String) {
        let encoder = ReportEncoder(run: run, redactor: redactor, sources: sources)
        writer.withLock {
            $0 = ReportWriter(encoder, to: sinks + (archive.map { [$0] } ?? []), includesProgress: includesProgress)
        }
    }

    /// What the events so far come to.
    var summary: Summary { events.withLock { $0 } }

    /// Ends screen and report, and tells what the run came to.
    func end() {
        writer.withLock { $0 }?.flush()
        screen.end()
        if verbosity != .quiet { context.console.message(text: summaryText.text(summary)) }
        if let lock { context.console.message(DriftText.lines(failed.withLock { $0 }, lock: lock)) }
    }

    /// Ends screen and report in the middle of the run.
    func abandon() {
        writer.withLock { $0 }?.flush()
        screen.end()
    }

    /// Tells of reports that are not whole; the run is what it is without them.
    func tellReportFailures() {
        let failures = writer.withLock { $0 }?.failures ?? []
        context.console.message(failures.map(ReportSinks.warning))
    }
}
