internal import RunnerExecution

/// Runs that reports tell of, for people.
package struct ReportText {
    private let text: RunText
    private let style: Style

    package init(style: Style) {
        text = RunText(style: style)
        self.style = style
    }

    /// A run with its tasks.
    ///
    /// - Parameter leavesOutDone: whether tasks that are done are left out.
    package func lines(_ run: RecordedRun, leavesOutDone: Bool) -> [String] {
        let tasks = leavesOutDone ? run.tasks.filter { !$0.isDone } : run.tasks
        let head =
            run.isFinished
            ? text.head(PastRun(run, identity: nil, unfinished: .killed))
            : [
                run.job.printable,
                "run \(run.run.printable): " + style.warning("unfinished") + ", began \(run.started)",
            ]
        return head + text.tasks(tasks, isLive: false) + [run.summary] + (run.shortcoming.map { [$0.printable] } ?? [])
    }

    /// All runs together.
    package func total(_ runs: [RecordedRun]) -> String {
        let counts = runs.reduce(into: [:]) { counts, run in counts.merge(run.countsSoFar) { $0 &+ $1 } }
        let unfinished = runs.count { !$0.isFinished }
        let rest = unfinished == 0 ? "" : ", \(unfinished) \(unfinished == 1 ? "run" : "runs") without an end"
        let fetched = runs.reduce(Int64(0)) { $0.addingReportingOverflow($1.transferredSoFar).partialValue }
        return "\(runs.count) runs: \(counts.outcomeWords)\(rest)"
            + "; \(ByteCount.text(fetched)) fetched"
    }
}
