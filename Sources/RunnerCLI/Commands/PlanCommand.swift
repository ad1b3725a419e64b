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
                + "No server is asked, no file is read, nothing is written."
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file)),
        options: [.planFormat, .set, .directory, .only, .quiet, .color],
        examples: [
            CommandSpec.Example("runner plan jobs/nightly.yaml", "the plan for people"),
            CommandSpec.Example("runner plan job.yaml --format dot | dot -Tsvg > job.svg", "the plan as a picture"),
        ])

    private let source: JobSource
    private let format: PlanFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("JOB") }
        source = JobSource(name, try JobArguments(arguments))
        format = arguments.word(.planFormat, as: PlanFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        guard let plan = planning.plan(source)?.plan else { return .usage }
        if messages.verbosity != .quiet { planning.tell(plan.warnings, sources: plan.job.sources) }
        context.console.data(text: format.text(plan, style: messages.dataStyle(in: context)))
        return .success
    }
}

extension PlanFormat {
    /// A plan in this format, ended by a line feed.
    func text(_ plan: Plan, style: Style) -> String {
        switch self {
        case .text: PlanText(plan, style: style).text
        case .json: PlanJSON(plan).text
        case .dot: PlanDot(plan).text
        }
    }
}
