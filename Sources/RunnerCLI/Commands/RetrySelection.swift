internal import RunnerExecution
internal import RunnerJob
internal import RunnerReport

/// What `run --retry-failed` takes: the tasks of a job that its last run did not get done.
struct RetrySelection {
    private let job: Job
    private let source: JobSource
    private let planning: Planning

    init(_ job: Job, _ source: JobSource, _ planning: Planning) {
        self.job = job
        self.source = source
        self.planning = planning
    }

    /// The ids of the tasks; nil where the last run got everything done.
    ///
    /// A task is known again by its id or its destination, so that the job file may have been edited meanwhile.
    func ids() -> Result<[String]?, JobLock.Refusal> {
        let console = planning.context.console
        let history = planning.site(of: job, folder: source.arguments.state).history
        let runs = HistorySource.runs(history, of: job, in: planning.context)
        guard let last = runs.first(where: { !$0.isGoingOn }) else {
            console.message([
                "runner: error: \(source.shownName): no earlier run of this job is known, so nothing can be tried again"
            ])
            return .failure(JobLock.Refusal(status: .usage))
        }
        guard let recorded = history.report(of: last).flatMap({ RecordedRun.runs(in: $0).last }) else {
            console.message([
                "runner: error: \(source.shownName): the report of the last run, \(last.run), is missing or damaged, so "
                    + "that nobody knows what to try again; leave \(OptionSpec.retryFailed.spelling) out"
            ])
            return .failure(JobLock.Refusal(status: .usage))
        }
        let ids = ids(notDoneBy: recorded)
        guard ids.isEmpty else { return .success(ids) }
        let isDone = recorded.tasks.allSatisfy(\.isDone)
        console.message([
            "\(source.shownName): "
                + (isDone
                    ? "the last run got everything done; nothing to try again"
                    : "nothing of what the last run did not get done is in the job any more; nothing to try again")
        ])
        return .success(nil)
    }

    private func ids(notDoneBy run: RecordedRun) -> [String] {
        var done: Set<ExactText> = []
        var missed: Set<ExactText> = []
        for task in run.tasks {
            for name in [task.id, task.to] where !name.isEmpty {
                if task.isDone { done.insert(ExactText(name)) } else { missed.insert(ExactText(name)) }
            }
        }
        let own = Set(job.tasks.flatMap { Self.names($0) })
        let gone = run.tasks.filter { task in
            !task.isDone && !own.contains(ExactText(task.id)) && !own.contains(ExactText(task.to))
        }
        // A run that was killed says nothing of the tasks that it had not come to; where a task has gone that was not
        // done, one that the run did not have may be the same with its URL or name put right.
        let takesUnknown = !run.isFinished || !gone.isEmpty
        let ids = job.tasks.compactMap { task -> String? in
            let names = Self.names(task)
            if names.contains(where: missed.contains) { return task.id.text }
            return takesUnknown && !names.contains(where: done.contains) ? task.id.text : nil
        }
        planning.context.console.message(
            gone.map { "runner: warning: '\($0.id.printable)' failed in the last run and is no longer in the job" })
        return ids
    }

    /// What a task is known by.
    private static func names(_ task: JobTask) -> [ExactText] {
        [task.id, ExactText(task.action.work.targetText)].filter { !$0.text.isEmpty }
    }
}
