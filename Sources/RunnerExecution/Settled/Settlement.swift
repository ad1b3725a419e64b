import RunnerJob
import RunnerPlan
import RunnerStorage

/// Gathers while a run lasts how the files lie that a further run would leave alone.
///
/// Belongs to the network thread.
struct Settlement {
    private let order: SettlementOrder
    private var states: [FileState?]
    private var rest: Int

    /// - Returns: nil where nobody asked, or where a further run of the plan may have something to do whatever this one
    ///   comes to.
    init?(_ plan: Plan, _ options: RunOptions) {
        guard let order = options.settlement, plan.warnings.isEmpty, plan.job.hooks.commands.isEmpty,
            plan.job.limits.windows.isEmpty, !plan.job.reliance.isFleeting,
            plan.tasks.allSatisfy({ Self.canSettle($0) })
        else { return nil }
        self.order = order
        states = Array(repeating: nil, count: plan.tasks.count)
        rest = plan.tasks.count
    }

    /// Whether the planner would find a file up to date, unread and unasked, that the task has put in place.
    private static func canSettle(_ planned: PlannedTask) -> Bool {
        guard case .download(let download) = planned.task.action, download.serverName == nil,
            download.checksumList == nil
        else { return false }
        switch download.exists {
        case .keep: return true
        case .verify: return !download.digests.isEmpty
        case .replace, .fail: return false
        }
    }

    /// Notes a file that is what its task wants; all that the task names of its digests has been found or recorded.
    mutating func settle(_ task: Int, _ state: FileState) {
        guard states.indices.contains(task), state.kind == .file else { return }
        if states[task] == nil { rest -= 1 }
        states[task] = state
    }

    /// Work for a lane that writes the record down; nil where something is not in place.
    func recording(_ plan: Plan, at site: JobSite) -> (@Sendable () -> Void)? {
        guard rest == 0 else { return nil }
        let (order, states) = (order, states)
        return {
            // A run without it does all that one with it does.
            try? Self.record(order, states, plan, site).save(job: site.identity, in: site.folder)
        }
    }

    private static func record(
        _ order: SettlementOrder, _ states: [FileState?], _ plan: Plan, _ site: JobSite
    ) -> SettledRecord {
        var files = SettledFiles()
        var lines: [UInt8] = []
        var bytes: Int64 = 0
        for index in plan.order {
            let task = plan.tasks[index].task
            guard let state = states[index], case .download(let download) = task.action else { continue }
            files.add(download.path, state)
            bytes = bytes.addingReportingOverflow(state.size).partialValue
            var finished = TaskFinished(task, .upToDate)
            finished.bytes = state.size
            lines += order.line(finished)
        }
        let redactor = Redactor(secrets: plan.job.secrets)
        let job = plan.job
        return SettledRecord(
            key: order.key, variables: order.variables, inputs: order.inputs, job: redactor.text(job.name),
            file: redactor.text(job.file), fileSHA256: RunIdentity.fileSHA256(job), directory: job.directory,
            report: job.absoluteReport, concurrency: job.limits.concurrency, perHost: job.limits.perHost,
            tasks: plan.tasks.count, bytes: bytes, files: files, lines: lines[...])
    }
}
