package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// `runner run`: does what job files ask for.
package struct RunCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "run", summary: "Do what a job file asks for",
        description: [
            "Runs jobs one after the other; all are checked before the first begins. A job is a YAML file, or - for "
                + "standard input. What is there already and is what the job wants is not fetched again.",
            "With --dry-run the plan is shown instead: no server is asked, and no file, report or folder is written.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRepeatable: true),
        options: [.dryRun, .locked, .retryFailed, .rehash, .set, .vars, .directory, .only, .noRun, .state]
            + RunArguments.options,
        examples: [
            CommandSpec.Example("runner run jobs/nightly.yaml", "run a job"),
            CommandSpec.Example(
                "runner run jobs/nightly.yaml --only iso --set release=12.5",
                "one task and what it needs, with a variable"),
            CommandSpec.Example("runner run job.yaml --report - | jq .event", "read the report while it is written"),
        ])

    private let sources: [JobSource]
    private let isDryRun: Bool
    private let isLocked: Bool
    private let isRetry: Bool
    private let run: RunArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        let job = try JobArguments(arguments)
        sources = arguments.operands.map { JobSource($0, job) }
        isDryRun = arguments.has(.dryRun)
        isLocked = arguments.has(.locked)
        isRetry = arguments.has(.retryFailed)
        run = try RunArguments(arguments)
        if isLocked, sources.contains(where: { $0.name == JobSource.standardInput }) {
            throw .conflict(OptionSpec.locked.spelling, "a job from standard input")
        }
        if isRetry, !job.only.isEmpty {
            throw .conflict(OptionSpec.retryFailed.spelling, OptionSpec.only.spelling)
        }
        guard sources.count(where: { $0.name == JobSource.standardInput }) < 2 else {
            throw .unexpectedOperand(JobSource.standardInput)
        }
    }

    /// Whether a job that was settled by an earlier run may be taken as it is.
    private var takesSettled: Bool {
        sources.count == 1 && sources.first?.name != JobSource.standardInput && !isDryRun && !isLocked && !isRetry
    }

    package func run(in context: Context) async -> ExitStatus {
        if takesSettled, let source = sources.first, let status = await SettledRun(source, run, in: context)?.run() {
            return status
        }
        let planning = Planning(context: context)
        var jobs: [PlannedJob] = []
        var refusals: [ExitStatus] = []
        for source in sources {
            switch plan(source, planning) {
            case .success(let job): if let job { jobs.append(job) }
            case .failure(let refusal): refusals.append(refusal.status)
            }
        }
        guard refusals.isEmpty else { return .strongest(of: refusals) }
        guard RunClash.isNone(in: jobs, report: run.report, context) else { return .usage }
        let plans = jobs.map(\.plan)
        if run.messages.verbosity != .quiet {
            for plan in plans { planning.tell(plan.warnings, sources: plan.job.sources) }
        }
        if isDryRun {
            show(plans, in: context)
            return .success
        }
        if jobs.isEmpty { return .success }
        var series = RunSeries(context: context, arguments: run, planning: planning)
        series.isLocked = isLocked
        return await series.run(jobs)
    }

    /// The planned job; nil where there is nothing to try again.
    private func plan(_ source: JobSource, _ planning: Planning) -> Result<PlannedJob?, JobLock.Refusal> {
        guard var job = planning.job(source) else { return .failure(JobLock.Refusal(status: .usage)) }
        if isLocked {
            switch JobLock(job: source.name, in: planning.context).hold(job, planning) {
            case .success(let locked): job = locked
            case .failure(let refusal): return .failure(refusal)
            }
        }
        var arguments = source.arguments
        if isRetry {
            switch RetrySelection(job, source, planning).ids() {
            case .success(let ids?): arguments.only = ids
            case .success(nil): return .success(nil)
            case .failure(let refusal): return .failure(refusal)
            }
        }
        guard var planned = planning.plan(job, arguments) else {
            return .failure(JobLock.Refusal(status: .usage))
        }
        if takesSettled {
            planned.settlement = SettledKey(source: source, report: run.report, context: planning.context).order(
                for: job)
        }
        return .success(planned)
    }

    private func show(_ plans: [Plan], in context: Context) {
        for (number, plan) in plans.enumerated() {
            if plans.count > 1 { context.console.data([(number > 0 ? "\n" : "") + "\(plan.job.file.printable):"]) }
            context.console.data(text: PlanText(plan, style: run.messages.dataStyle(in: context)).text)
        }
    }
}
