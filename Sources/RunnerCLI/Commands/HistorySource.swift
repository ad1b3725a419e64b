internal import RunnerExecution
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
        if let name {
            let planning = Planning(context: context)
            guard let job = planning.job(JobSource(name, arguments)) else { return nil }
            let place = planning.site(of: job, folder: arguments.state)
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
        let (runs, warning) = history.runs()
        if let warning { context.console.message(["runner: warning: " + warning]) }
        return Found(history: history, runs: runs, site: site)
    }
}

extension HistorySource.Found {
    /// What the report of a run tells of it; nil when there is none.
    func recorded(_ run: PastRun) -> RecordedRun? {
        guard let report = history.report(of: run) else { return nil }
        return RecordedRun.runs(in: report).last { $0.run == run.run }
    }

    /// The tasks of a run; those under way have the bytes that lie in their part files.
    func tasks(of run: PastRun) -> [RecordedTask] {
        var tasks = recorded(run)?.tasks ?? []
        guard let site, run.isGoingOn else { return tasks }
        for index in tasks.indices where tasks[index].outcome == nil {
            tasks[index].bytes = site.partBytes(of: tasks[index].to) ?? 0
        }
        return tasks
    }

    /// Shows one run with its tasks; with `--quiet` those that are done are left out.
    func show(_ run: PastRun, format: RecordFormat, messages: MessageArguments, in context: Context) {
        let tasks = tasks(of: run)
        switch format {
        case .json:
            context.console.data(text: RunJSON.status(run, tasks: tasks, report: reportPath(of: run)))
        case .text:
            let text = RunText(style: messages.dataStyle(in: context))
            let shown = messages.verbosity == .quiet ? tasks.filter { !$0.isDone } : tasks
            context.console.data(text.head(run) + text.tasks(shown, isLive: run.isGoingOn))
            let summary = text.summary(run)
            if !summary.isEmpty { context.console.data([summary]) }
        }
    }

    private func reportPath(of run: PastRun) -> String? {
        history.reportPath(of: run)
    }
}
