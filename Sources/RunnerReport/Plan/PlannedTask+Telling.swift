internal import RunnerJob
package import RunnerPlan

extension PlannedTask {
    /// The verb of the job file.
    var kind: TaskKind { task.kind }

    /// Where the task reads from, not masked.
    var source: String { task.action.work.sourceText }

    /// The URL of the job file that another is asked for in place of, not masked; nil where it is asked for itself.
    var rewrittenFrom: String? {
        guard case .download(let download) = task.action else { return nil }
        return download.sources.first?.rewritten?.url.text
    }

    /// What the task writes, not masked; empty where it writes nothing.
    var destination: String { task.action.work.targetText }

    /// What stands for the task in a list: what it writes, else its id.
    var title: String { destination.isEmpty ? task.id.text : destination }
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
