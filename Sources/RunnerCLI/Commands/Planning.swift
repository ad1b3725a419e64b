package import RunnerJob
internal import RunnerPlan
internal import RunnerStorage

/// Reads jobs and plans them, and tells every fault on the way; changes nothing on the disk.
package struct Planning: Sendable {
    let context: Context

    /// The plan of a job that was named; nil when it has faults, which have been told then.
    func plan(_ source: JobSource) -> Plan? {
        do throws(JobSource.Fault) {
            return plan(try source.load(in: context), only: source.arguments.only)
        } catch {
            tell(error)
            return nil
        }
    }

    /// The plan of a job that was read already; nil when it has faults, which have been told then.
    func plan(_ job: Job, only: [String]) -> Plan? {
        do throws(PlanFaults) {
            return try Self.plan(job, only: only)
        } catch {
            tell(error.diagnostics, sources: job.sources)
            return nil
        }
    }

    /// The plan of a job, from what lies in its directory now.
    static func plan(_ job: Job, only: [String] = []) throws(PlanFaults) -> Plan {
        let directory = JobDirectory(root: job.directory)
        return try Planner.plan(job, disk: directory, only: OnlyArgument.ids(only, in: job))
    }

    /// Shows faults or warnings with their lines.
    func tell(_ diagnostics: [Diagnostic], sources: SourceMap) {
        let renderer = DiagnosticRenderer(sources)
        context.console.message(
            text: diagnostics.map { ($0.place == nil ? "runner: " : "") + renderer.text($0) }.joined())
    }

    private func tell(_ fault: JobSource.Fault) {
        switch fault {
        case .unreadable(let fault): context.console.message(["runner: error: " + fault.message])
        case .faulty(let faults): tell(faults.diagnostics, sources: faults.sources)
        }
    }
}

/// The values of `--only`.
package enum OnlyArgument {
    /// The ids that are meant: a value that names a task is taken whole, any other is a list with commas.
    package static func ids(_ values: [String], in job: Job) -> [ExactText] {
        guard values.contains(where: { $0.contains(",") }) else { return values.map { ExactText($0) } }
        var names: Set<ExactText> = []
        for task in job.tasks {
            names.insert(task.id)
            if case .download(let download) = task.action { names.insert(download.path.path) }
        }
        return values.flatMap { value -> [ExactText] in
            if names.contains(ExactText(value)) { return [ExactText(value)] }
            return value.split(separator: ",").map { ExactText(String($0)) }
        }
    }
}
