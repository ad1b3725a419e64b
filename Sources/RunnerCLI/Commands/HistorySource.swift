internal import RunnerExecution
internal import RunnerJob
internal import RunnerReport

/// Whose runs a query is about: those of a job that was named, or those that the current folder's state knows of.
struct HistorySource: Sendable {
    /// Path of the job file as it was written; nil for the current folder.
    let name: String?
    let arguments: JobArguments

    /// What was found.
    struct Found {
        var history: RunHistory
        var runs: [PastRun]
        /// The place of the job; nil where none was named.
        var site: JobSite?

        /// The run with that name, or the only one whose name begins or ends in it.
        func run(named name: String) -> PastRun? {
            if let exact = runs.first(where: { $0.run == name }) { return exact }
            let fitting = runs.filter { $0.run.hasPrefix(name) || $0.run.hasSuffix(name) }
            return fitting.count == 1 && !name.isEmpty ? fitting[0] : nil
        }

        /// The last run of each job, the newest first.
        var lastOfEachJob: [PastRun] {
            var known: Set<String> = []
            return runs.filter { known.insert($0.identity).inserted }
        }
    }

    /// Reads what is known; nil when it cannot be told, which has been said then.
    func find(in context: Context) -> Found? {
        let site: JobSite?
        let history: RunHistory
        var job: Job?
        if let name {
            let planning = Planning(context: context)
            guard let named = planning.job(JobSource(name, arguments)) else { return nil }
            let place = planning.site(of: named, folder: arguments.state)
            job = named
            site = place
            history = place.history
        } else {
            site = nil
            history = RunHistory(stateFolder: context.absolute(arguments.state ?? ".runner"))
            guard history.exists else {
                context.console.message([
                    "runner: error: there is no \(history.stateFolder.printable); name a job file, or the folder of "
                        + "its state with \(OptionSpec.state.spelling)"
                ])
                return nil
            }
        }
        return Found(history: history, runs: Self.runs(history, of: job, in: context), site: site)
    }

    /// The runs of a history, the last one first: by the ledger, and by reports where it has no row.
    ///
    /// - Parameter job: the job that is meant; nil for all.
    static func runs(_ history: RunHistory, of job: Job?, in context: Context) -> [PastRun] {
        let (runs, warning) = history.runs()
        if let warning { context.console.message(["runner: warning: " + warning]) }
        let strays = history.strayReports().compactMap { name, report -> PastRun? in
            guard let run = RecordedRun.runs(in: report).last(where: { $0.run == name }) else { return nil }
            if let job, !isSame(run, job) { return nil }
            return PastRun(run, identity: history.identity, unfinished: history.state(ofUnfinished: name))
        }
        return strays.isEmpty ? runs : (runs + strays).sorted { ($0.started, $0.run) > ($1.started, $1.run) }
    }

    /// A report knows no more of its job than a name, and the file as it was given.
    private static func isSame(_ run: RecordedRun, _ job: Job) -> Bool {
        let redactor = Redactor(secrets: job.secrets)
        func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
        return run.job == redactor.text(job.name) && name(run.file) == name(redactor.text(job.file))
    }
}

extension HistorySource.Found {
    /// What the report of a run tells of it; nil when there is none.
    func recorded(_ run: PastRun) -> RecordedRun? {
        guard let report = history.report(of: run) else { return nil }
        return RecordedRun.runs(in: report).last { $0.run == run.run }
    }

    /// The tasks of a run; those under way have the bytes that lie in their part files.
    private func tasks(of run: PastRun) -> (tasks: [RecordedTask], planned: Int) {
        let recorded = recorded(run)
        var tasks = recorded?.tasks ?? []
        let planned = recorded?.taskCount ?? 0
        guard let site, run.isGoingOn else { return (tasks, planned) }
        for index in tasks.indices where tasks[index].outcome == nil {
            tasks[index].bytes = site.partBytes(of: tasks[index].to) ?? 0
        }
        return (tasks, planned)
    }

    /// Shows one run with its tasks; with `--quiet` those that are done are left out.
    func show(_ run: PastRun, format: RecordFormat, messages: MessageArguments, in context: Context) {
        let (tasks, planned) = tasks(of: run)
        switch format {
        case .json:
            context.console.data(text: RunJSON.status(run, tasks: tasks, report: reportPath(of: run)))
        case .text:
            let text = RunText(style: messages.dataStyle(in: context))
            let shown = messages.verbosity == .quiet ? tasks.filter { !$0.isDone } : tasks
            context.console.data(text.head(run) + text.tasks(shown, isLive: run.isGoingOn))
            context.console.data([text.summary(run, ended: tasks.count { $0.outcome != nil }, of: planned)])
        }
    }

    private func reportPath(of run: PastRun) -> String? {
        history.reportPath(of: run)
    }
}
