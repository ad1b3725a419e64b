internal import RunnerJob

/// Paths that no task may write: those that the program itself needs.
enum ReservedPaths {
    /// The folder of what is kept between runs.
    private static let state = ".runner"

    /// Reports each task that writes to the job file, the job's report, or the folder of its state.
    static func check(_ job: Job, destinations: DestinationIndex, findings: inout Findings) {
        for task in job.tasks {
            for output in task.outputs where isState(output.path) {
                findings.error(
                    "'\(output.path)' lies in the folder that keeps what is known between runs; write it elsewhere",
                    at: task.place)
            }
        }
        for (path, what) in [(job.path, "the job file itself"), (job.report, "the report of the job (`report`)")] {
            guard let path, let writer = destinations.writer(of: TargetPath(normalized: path)),
                job.tasks.indices.contains(writer)
            else { continue }
            findings.error("the task would write over \(what): '\(path)'", at: job.tasks[writer].place)
        }
        checkJars(job, destinations, &findings)
        if let report = job.report, let path = job.path, absolute(report, job) == ExactText(path) {
            findings.error("`report` would be written over the job file itself: '\(report)'", at: nil)
        }
    }

    /// Reports each task whose `save_cookies` is a path that something else is written to.
    private static func checkJars(_ job: Job, _ destinations: DestinationIndex, _ findings: inout Findings) {
        for task in job.tasks {
            guard let jar = task.action.request?.network.savedCookies else { continue }
            if let path = job.path, ExactText(path) == ExactText(jar) {
                findings.error("`save_cookies` would write over the job file itself: '\(jar)'", at: task.place)
            } else if let report = job.report, absolute(report, job) == ExactText(jar) {
                findings.error(
                    "`save_cookies` would write over the report of the job (`report`): '\(jar)'", at: task.place)
            } else if let writer = destinations.writer(of: TargetPath(normalized: jar)),
                job.tasks.indices.contains(writer)
            {
                findings.error(
                    "`save_cookies` would write over '\(jar)', which a task writes", at: task.place,
                    notes: [Diagnostic.Note("the task is here", at: job.tasks[writer].place)])
            }
        }
    }

    private static func isState(_ path: TargetPath) -> Bool {
        let bytes = path.text.utf8
        return bytes.starts(with: state.utf8)
            && (bytes.count == state.utf8.count || bytes.dropFirst(state.utf8.count).first == UInt8(ascii: "/"))
    }

    private static func absolute(_ path: String, _ job: Job) -> ExactText {
        ExactText(path.utf8.first == UInt8(ascii: "/") ? path : job.directory + "/" + path)
    }
}
