internal import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// What cannot be in one call of `runner run`: a job twice, or something written in the place of something else.
///
/// The plan compares paths as they are spelt; here links are followed, too.
struct RunClash {
    private let jobs: [PlannedJob]
    private let context: Context

    /// Whether nothing is wrong; else it is told.
    ///
    /// - Parameter report: the value of `--report`.
    static func isNone(in jobs: [PlannedJob], report: String?, _ context: Context) -> Bool {
        let clash = RunClash(jobs: jobs, context: context)
        guard let sentence = clash.twice() ?? clash.byReport(report) ?? clash.byTask() else { return true }
        context.console.message(["runner: error: " + sentence])
        return false
    }

    private func twice() -> String? {
        var sites: Set<ExactText> = []
        return jobs.first { job in
            !sites.insert(ExactText(job.site.stateFolder + "\0" + job.site.identity)).inserted
        }.map { job in
            "\(job.plan.job.file.printable) is the same job as one before it; a job is run once at a time"
        }
    }

    /// Whether a report would be written over what a job is read from, or what one of its tasks reads or writes.
    private func byReport(_ report: String?) -> String? {
        if let report, report != "-",
            let what = owner(of: context.absolute(report))
        {
            return "--report \(report.printable) is \(what); write the report elsewhere"
        }
        for job in jobs.map(\.plan.job) {
            guard let report = job.report, let path = job.absoluteReport, let what = owner(of: path) else {
                continue
            }
            return "\(job.file.printable): `report: \(report.printable)` is \(what); write the report elsewhere"
        }
        return nil
    }

    /// Words for what an absolute path is to the jobs; nil for nothing.
    private func owner(of path: String) -> String? {
        FilePlace.all(of: path).lazy.compactMap(owner).first
    }

    private func owner(of place: FilePlace) -> String? {
        for job in jobs {
            if let path = job.plan.job.path {
                if place.isSame(as: FilePlace(path)) { return "the job file itself" }
                if place.isSame(as: FilePlace(LockFile.path(forJob: path))) { return "the lock file of the job" }
            }
            for path in job.plan.job.reliance.files.keys.sorted() where place.isSame(as: FilePlace(path)) {
                return "\(path.printable), which the job is read from"
            }
            if place.isInside(FilePlace(job.site.stateFolder)) {
                return "in the folder that keeps what is known between runs"
            }
            if let task = writer(of: place, in: job.plan) { return "what the task '\(task.id.text.printable)' writes" }
            if let task = reader(of: place, in: job.plan) { return "what the task '\(task.id.text.printable)' reads" }
        }
        return nil
    }

    private func writer(of place: FilePlace, in plan: Plan) -> JobTask? {
        // What is written under another name can only be the file if that has a further name.
        let name = place.name
        return plan.tasks.first { planned in
            planned.task.action.work.outputs.contains { output in
                guard output.isFolder || place.hasFurtherNames || output.path.text.ends(with: name) else {
                    return false
                }
                let written = FilePlace(Self.folder(of: output.path, in: plan.job)).appending(output.path.name)
                return output.isFolder ? place.isInside(written) : place.isSame(as: written)
            }
        }?.task
    }

    private func reader(of place: FilePlace, in plan: Plan) -> JobTask? {
        // What is not there yet is read only where a task writes it.
        guard place.isFile else { return nil }
        return plan.tasks.first { planned in
            planned.task.action.work.inputs.contains { input in
                input.shape == .file && place.isSame(as: FilePlace(Self.absolute(input.path, in: plan.job)))
            }
        }?.task
    }

    /// Whether a task would replace the file of a job, or write into its state, by a way that leads there over links.
    ///
    /// Into the state only an absolute path can: no link is followed on the way of others.
    private func byTask() -> String? {
        for job in jobs {
            let file = job.plan.job.path.map(FilePlace.init)
            let fileName = file?.name
            let state = FilePlace(job.site.stateFolder)
            var folders: [ExactText: FilePlace] = [:]
            for task in job.plan.tasks.map(\.task) {
                for output in task.action.work.outputs {
                    let path = output.path
                    guard path.isAbsolute || fileName.map(path.text.ends) ?? false else { continue }
                    let above = folders[path.folder] ?? FilePlace(Self.folder(of: path, in: job.plan.job))
                    folders[path.folder] = above
                    let written = above.appending(path.name)
                    let what =
                        written.path == file?.path
                        ? "over the job file itself"
                        : written.isInside(state) ? "into the folder that keeps what is known between runs" : nil
                    guard let what else { continue }
                    return "\(job.plan.job.file.printable): the task '\(task.id.text.printable)' would write \(what): "
                        + "'\(path.text.printable)'; write it elsewhere"
                }
            }
        }
        return nil
    }

    private static func folder(of path: TargetPath, in job: Job) -> String {
        absolute(TargetPath(normalized: path.folder.text), in: job)
    }

    private static func absolute(_ path: TargetPath, in job: Job) -> String {
        path.isAbsolute ? path.text : job.directory + "/" + path.text
    }
}
