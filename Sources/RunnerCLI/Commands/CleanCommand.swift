package import RunnerExecution
internal import RunnerReport

/// `runner clean`: removes what a job has left and does not need.
package struct CleanCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "clean", summary: "Remove what a job has left and does not need",
        description: [
            "Removes part files that no task of the job wants, reports and other leftovers of its state, and, by "
                + "the job's `clean` section, downloads that earlier runs put in place: those that are too old, then "
                + "the oldest until the rest is under the ceiling. Nothing goes that the job names now, that was "
                + "changed since, or that runner did not write.",
            "With --dry-run it is listed, and nothing is changed. The status is 1 when something could not be "
                + "removed, and 3 while a run of the job is at work.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file)),
        options: [.dryRun, .wait, .recordFormat, .set, .vars, .directory, .state, .quiet, .color],
        examples: [
            CommandSpec.Example("runner clean jobs/nightly.yaml --dry-run", "say what would go, and why"),
            CommandSpec.Example("runner clean jobs/nightly.yaml --quiet", "in a timer, after the run"),
        ])

    private let source: JobSource
    private let isDryRun: Bool
    private let waits: Bool
    private let format: RecordFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("JOB") }
        source = JobSource(name, try JobArguments(arguments))
        isDryRun = arguments.has(.dryRun)
        waits = arguments.has(.wait)
        format = arguments.word(.recordFormat, as: RecordFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        guard let planned = planning.plan(source) else { return .usage }
        if isDryRun { return clean(planned, in: context) }
        do throws(SiteRefusal) {
            let occupation = Occupation(context: context, waits: waits, isQuiet: messages.verbosity == .quiet)
            _ = try await occupation.occupy([planned])
        } catch {
            context.console.message(["runner: error: " + error.message])
            return .cannotGoOn
        }
        defer { planned.site.leave() }
        return clean(planned, in: context)
    }

    private func clean(_ planned: PlannedJob, in context: Context) -> ExitStatus {
        let cleaning = JobCleaning(planned.plan, at: planned.site)
        let (found, warning) = cleaning.find()
        if let warning { context.console.message(["runner: warning: " + warning]) }
        let (removed, failures) = isDryRun ? (found, []) : cleaning.remove(found)
        switch format {
        case .json: context.console.data(text: CleanJSON.text(removed, isDryRun: isDryRun, failures: failures))
        case .text where messages.verbosity != .quiet:
            let text = CleanText(removed, isDryRun: isDryRun, style: messages.dataStyle(in: context))
            context.console.data(removed.map(text.line) + [text.summary(removed)])
        case .text: break
        }
        context.console.message(failures.map { "runner: error: \($0.printable)" })
        return failures.isEmpty ? .success : .failed
    }
}
