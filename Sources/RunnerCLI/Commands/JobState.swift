internal import Glibc
package import RunnerJob

/// Which runs belong together, and where they leave what the next one goes on from.
package struct JobState: Hashable, Sendable {
    /// Equal for all runs of the same job.
    package var identity: String
    /// Absolute folder; nil for `.runner` in the job's directory.
    package var folder: String?

    /// The state of a job from a file: known by the file's real path, so that a link to it is the same job.
    package static func ofFile(_ job: Job, in context: Context) -> JobState {
        if job.file == JobSource.standardInput {
            return JobState(identity: "standard input: " + job.name + "\n" + job.folder)
        }
        return JobState(identity: realPath(context.absolute(job.file)))
    }

    /// The state of `runner get`: known by the folder it writes to, and kept out of it.
    ///
    /// It lies where the XDG base directory specification wants state; without a home it is in the job's directory.
    package static func ofRequest(_ job: Job, in context: Context) -> JobState {
        let identity = "get\n" + realPath(job.directory)
        // The specification: a path that is not absolute is ignored.
        if let state = context.environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return JobState(identity: identity, folder: state + "/runner")
        }
        guard let home = context.environment["HOME"], home.hasPrefix("/") else { return JobState(identity: identity) }
        return JobState(identity: identity, folder: home + "/.local/state/runner")
    }

    private init(identity: String, folder: String? = nil) {
        self.identity = identity
        self.folder = folder
    }

    /// The path without links; as it is where nothing lies there.
    static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
