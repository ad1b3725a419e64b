package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// `runner plan`: says what a run would do, and why.
package struct PlanCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "plan", summary: "Say what a run would do and why; change nothing",
        description: [
            "Shows every task in the order in which it would start, with what would be done and the reason. "
                + "No server is asked, no file is read, nothing is written.",
            "With --probe every source of what would be fetched is asked once, by HEAD, or for one byte where HEAD is "
                + "refused or says nothing. The status is 0 whatever the servers say; look for what would fail.",
            "With --explain one task is shown with all its fields: the value that each has in the end, and the line of the "
                + "task, its groups, hosts, defaults or another file that gives it.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file)),
        options: [
            .probe, .explain, .planFormat, .set, .vars, .directory, .only, .noRun, .state, .rehash, .quiet, .color,
        ],
        examples: [
            CommandSpec.Example("runner plan jobs/nightly.yaml", "the plan for people"),
            CommandSpec.Example("runner plan jobs/nightly.yaml --probe", "what the servers have, before it is fetched"),
            CommandSpec.Example("runner plan job.yaml --format dot | dot -Tsvg > job.svg", "the plan as a picture"),
        ])

    private let source: JobSource
    private let format: PlanFormat
    private let asksServers: Bool
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("JOB") }
        var job = try JobArguments(arguments)
        job.explains = arguments.value(.explain)
        source = JobSource(name, job)
        format = arguments.word(.planFormat, as: PlanFormat.self) ?? .text
        asksServers = arguments.has(.probe)
        if asksServers, format.isGraph { throw .conflict("--probe", "--format \(format.rawValue)") }
        if job.explains != nil, asksServers { throw .conflict("--explain", "--probe") }
        if job.explains != nil, format.isGraph { throw .conflict("--explain", "--format \(format.rawValue)") }
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        guard let planned = planning.plan(source) else { return .usage }
        let plan = planned.plan
        if messages.verbosity != .quiet { planning.tell(plan.warnings, sources: plan.job.sources) }
        if let name = source.arguments.explains { return explain(name, plan, in: context) }
        var probe: PlanProbe?
        do throws(PlanProbing.Failure) {
            if asksServers { probe = try await PlanProbing(context: context).probe(planned) }
        } catch {
            switch error {
            case .cannotStart(let message):
                context.console.message(["runner: error: " + message])
                return .cannotGoOn
            case .stopped(let signal):
                return signal.exitStatus
            }
        }
        context.console.data(text: format.text(plan, probe: probe, style: messages.dataStyle(in: context)))
        return .success
    }
}

extension PlanCommand {
    private func explain(_ name: String, _ plan: Plan, in context: Context) -> ExitStatus {
        guard let explanation = plan.job.explanation else {
            let names = plan.job.tasks.map(\.id.text)
            let hint = Suggestion.nearest(to: name, among: names).map { "; did you mean '\($0.printable)'?" } ?? ""
            context.console.message(["runner: error: no task has the id or destination '\(name.printable)'\(hint)"])
            return .usage
        }
        let text = ExplanationText(explanation, of: plan, style: messages.dataStyle(in: context))
        context.console.data(text: format == .json ? text.json : text.text)
        return .success
    }
}

extension PlanFormat {
    /// Whether it shows what needs what, and nothing else.
    var isGraph: Bool { self == .dot || self == .mermaid }

    /// A plan in this format, ended by a line feed.
    func text(_ plan: Plan, probe: PlanProbe?, style: Style) -> String {
        switch self {
        case .text: PlanText(plan, probe: probe, style: style).text
        case .json: PlanJSON(plan, probe: probe).text
        case .dot: PlanDot(plan).text
        case .mermaid: PlanMermaid(plan).text
        }
    }
}
