package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan

/// `runner check`: tells all faults of job files.
package struct CheckCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "check", summary: "Tell what is wrong with a job file, without running it",
        description: [
            "Reads job files and tells every fault and warning with its place. Nothing is fetched or changed. "
                + "The status is 2 when there is an error, 0 when there are warnings only."
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRepeatable: true),
        options: [.set, .vars, .directory, .quiet, .color],
        examples: [CommandSpec.Example("runner check jobs/*.yaml", "check all jobs of a folder, as in CI")])

    private let sources: [JobSource]
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        let job = try JobArguments(arguments)
        sources = arguments.operands.map { JobSource($0, job) }
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        var status = ExitStatus.success
        for source in sources {
            guard let (job, warnings) = planning.check(source) else {
                status = .usage
                continue
            }
            guard messages.verbosity != .quiet else { continue }
            planning.tell(warnings, sources: job.sources)
            let count = job.tasks.count
            context.console.message(["\(source.shownName): \(count) \(count == 1 ? "task" : "tasks"), no errors"])
        }
        return status
    }
}
