internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

extension RunSession {
    /// Runs the hooks of a job whose run has ended; the status stays what it was.
    func runHooks(of job: PlannedJob, _ end: End) async {
        guard let summary = end.summary, let finished = summary.finished, !job.plan.job.hooks.commands.isEmpty else {
            return
        }
        let report = job.site.reportPath(of: job.run)
        let variables = [
            "RUNNER_RUN": job.run, "RUNNER_JOB": job.plan.job.name, "RUNNER_FILE": job.plan.job.file,
            "RUNNER_OUTCOME": finished.outcome.rawValue, "RUNNER_EXIT_STATUS": String(end.status.rawValue),
            "RUNNER_REPORT": report,
        ]
        // A signal that stopped the run has been heard already, and a second one ends the program.
        let hasStopped = stop.signal != nil
        let stop = stop
        let outcomes = await HookRunner(job.plan.job, environment: context.environment).run(
            afterSuccess: end.status == .success,
            summary: SummaryJSON(job.plan.job).text(summary, run: job.run, report: report), variables: variables
        ) {
            !hasStopped && stop.signal != nil
        }
        for outcome in outcomes {
            if arguments.messages.verbosity != .quiet {
                context.console.message(outcome.output.split(separator: "\n").map { String($0).printable })
            }
            guard let fault = outcome.fault else { continue }
            context.console.message(["runner: warning: hooks.\(outcome.occasion.rawValue): \(fault.printable)"])
        }
    }
}
