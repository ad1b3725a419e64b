internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// What cannot be in one call of `runner run`: a job twice, or a report in the place of something else.
enum RunClash {
    /// One sentence; nil where nothing is wrong.
    ///
    /// - Parameter report: the value of `--report`.
    static func find(in jobs: [PlannedJob], report: String?, _ context: Context) -> String? {
        var sites: Set<ExactText> = []
        for job in jobs where !sites.insert(ExactText(job.site.stateFolder + "\0" + job.site.identity)).inserted {
            return "\(job.plan.job.file.printable) is the same job as one before it; a job is run once at a time"
        }
        guard let report, report != "-" else { return nil }
        let path = ExactText(context.absolute(report))
        for job in jobs {
            if job.plan.job.path.map({ ExactText($0) }) == path {
                return "--report \(report.printable) is the job file itself; write the report elsewhere"
            }
            let writer = job.plan.tasks.first { planned in
                planned.task.action.work.outputs.contains {
                    ExactText($0.path.isAbsolute ? $0.path.text : job.plan.job.directory + "/" + $0.path.text) == path
                }
            }
            if let writer {
                return "--report \(report.printable) is what the task '\(writer.task.id.text.printable)' writes;"
                    + " write the report elsewhere"
            }
        }
        return nil
    }
}
