internal import RunnerExecution
package import RunnerJob
internal import RunnerPlan

/// Reads jobs and plans them, and tells every fault on the way; changes nothing on the disk.
package struct Planning: Sendable {
    let context: Context
    /// Where a job's runs leave their state.
    var state: @Sendable (Job, Context) -> JobState = JobState.ofFile

    /// The plan of a job that was named; nil when it has faults, which have been told then.
    func plan(_ source: JobSource) -> PlannedJob? {
        job(source).flatMap { plan($0, source.arguments) }
    }

    /// A job that was named, with its warnings, once no fault was found; nil when there are some, which have been told
    /// then.
    func check(_ source: JobSource) -> (job: Job, warnings: [Diagnostic])? {
        guard let job = job(source) else { return nil }
        do throws(PlanFaults) {
            let site = site(of: job, folder: source.arguments.state)
            let warnings = try Planner.check(
                job, disk: view(of: site), only: OnlyArgument.ids(source.arguments.only, in: job),
                listsFolder: site.listsFolder)
            return (job, warnings)
        } catch {
            tell(error.diagnostics, sources: job.sources)
            return nil
        }
    }

    /// The disk as it is now; tells when what is known of it cannot be read.
    private func view(of site: JobSite) -> SiteView {
        let view = site.view()
        if let warning = view.warning { context.console.message(["runner: warning: " + warning]) }
        return view
    }

    /// A job that was named; nil when it has faults, which have been told then.
    func job(_ source: JobSource) -> Job? {
        do throws(JobSource.Fault) {
            return try source.load(in: context)
        } catch {
            tell(error)
            return nil
        }
    }

    /// The plan of a job that was read already; nil when it has faults, which have been told then.
    func plan(_ job: Job, _ arguments: JobArguments) -> PlannedJob? {
        plan(job, at: site(of: job, folder: arguments.state), arguments)
    }

    /// Plans a job once more, because the disk may have changed; nil when it has faults now, which have been told then.
    func replan(_ planned: PlannedJob) -> PlannedJob? {
        var again = plan(planned.plan.job, at: planned.site, planned.arguments)
        again?.settlement = planned.settlement
        return again
    }

    private func plan(_ job: Job, at site: JobSite, _ arguments: JobArguments) -> PlannedJob? {
        do throws(PlanFaults) {
            return try makePlan(of: job, at: site, arguments)
        } catch {
            tell(error.diagnostics, sources: job.sources)
            return nil
        }
    }

    /// The plan of a job, from what lies in its directory now.
    func makePlan(
        of job: Job, at site: JobSite, _ arguments: JobArguments = JobArguments()
    ) throws(PlanFaults) -> PlannedJob {
        let view = view(of: site)
        var plan = try Planner.plan(
            job, disk: view, only: OnlyArgument.ids(arguments.only, in: job), listsFolder: site.listsFolder,
            rehash: arguments.rehash)
        if !job.limits.windows.isEmpty { plan.lookAt(.local(now: context.now() / 1000)) }
        return PlannedJob(plan: plan, site: site, arguments: arguments, holds: view.holds)
    }

    /// Where a job works.
    ///
    /// - Parameter folder: of `--state`, as written; nil for the job's own.
    func site(of job: Job, folder: String? = nil) -> JobSite {
        let state = state(job, context)
        return JobSite(job, identity: state.identity, stateFolder: folder.map(context.absolute) ?? state.folder)
    }

    /// Faults, and warnings, of one job that are shown; the others are counted.
    static let diagnosticCeiling = 100

    /// Shows faults or warnings with their lines.
    func tell(_ diagnostics: [Diagnostic], sources: SourceMap) {
        let renderer = DiagnosticRenderer(sources)
        var text = diagnostics.prefix(Self.diagnosticCeiling).map {
            ($0.place == nil ? "runner: " : "") + renderer.text($0)
        }.joined()
        let rest = diagnostics.dropFirst(Self.diagnosticCeiling)
        if !rest.isEmpty {
            let errors = rest.count { $0.severity == .error }
            text += "runner: … and \(rest.count) more like these (errors: \(errors))\n"
        }
        context.console.message(text: text)
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
            for output in task.action.work.outputs { names.insert(output.path.path) }
        }
        return values.flatMap { value -> [ExactText] in
            if names.contains(ExactText(value)) { return [ExactText(value)] }
            let parts = value.split(separator: ",").map { ExactText(String($0)) }
            // Commas alone name nobody; they must not come to mean everything.
            return parts.isEmpty ? [ExactText(value)] : parts
        }
    }
}
