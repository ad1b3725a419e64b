package import RunnerExecution
internal import RunnerReport

/// `runner status`: what a job does now, or did last.
package struct StatusCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "status", summary: "Say what a job does now, or what it did last",
        description: [
            "Tells of the run that is going on, or else of the last one: what became of each task, its bytes, and "
                + "why it failed. Without JOB, of every job that has its state in the current folder's .runner. "
                + "Nothing is written anywhere, and a run that goes on is not disturbed.",
            "With --quiet, tasks that are done are left out. The status is 0 whatever the run came to.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRequired: false),
        options: [.recordFormat, .set, .vars, .directory, .state, .quiet, .color],
        examples: [
            CommandSpec.Example("runner status jobs/nightly.yaml", "what became of each task"),
            CommandSpec.Example(
                "runner status job.yaml --format json | jq '.tasks[] | select(.error)'",
                "name the tasks that failed"),
        ])

    private let source: HistorySource
    private let format: RecordFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        source = HistorySource(name: arguments.operands.first, arguments: try JobArguments(arguments))
        format = arguments.word(.recordFormat, as: RecordFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        guard let found = source.find(in: context) else { return .usage }
        let last = found.lastOfEachJob
        guard let first = last.first else {
            switch format {
            case .text: context.console.data(["no run is known in \(found.history.stateFolder.printable)"])
            case .json: context.console.data(text: RunJSON.status(nil, tasks: [], report: nil))
            }
            return .success
        }
        guard last.count > 1 else {
            found.show(first, format: format, messages: messages, in: context)
            return .success
        }
        switch format {
        case .text:
            let text = RunText(style: messages.dataStyle(in: context))
            context.console.data(text.table(last, namesJobs: true))
        case .json: context.console.data(text: RunJSON.history(last))
        }
        return .success
    }
}
