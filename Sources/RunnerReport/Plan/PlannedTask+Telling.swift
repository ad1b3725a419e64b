internal import RunnerExecution
internal import RunnerJob
package import RunnerPlan

extension PlannedTask {
    /// The verb of the job file.
    var kind: TaskKind {
        switch task.action {
        case .download: .download
        }
    }

    /// Where the task reads from, not masked.
    var source: String {
        switch task.action {
        case .download(let download): download.sources.first?.url.text ?? ""
        }
    }

    /// The path that the task writes.
    var destination: String {
        switch task.action {
        case .download(let download): download.path.text
        }
    }
}

extension Verdict {
    /// The verdict in words.
    package var words: String {
        switch self {
        case .fetch: "fetch"
        case .resume: "resume"
        case .revalidate: "revalidate"
        case .verify: "verify"
        case .upToDate: "up to date"
        case .run: "run"
        }
    }
}
