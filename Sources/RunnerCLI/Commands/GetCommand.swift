package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan

/// `runner get`: fetches files without a job file.
package struct GetCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "get", summary: "Fetch files without a job file",
        description: [
            "Fetches each URL into the current folder, under the last part of its path, with the retries, checks and "
                + "reports of a job."
        ],
        operand: CommandSpec.Operand(ValueSpec("URL"), isRepeatable: true),
        options: [.outputFile, .sha256, .digest, .directory, .state] + RunArguments.options,
        examples: [
            CommandSpec.Example("runner get https://example.org/a.iso --sha256 3f5a…", "fetch and verify a file"),
            CommandSpec.Example("runner get URL URL -C downloads", "fetch two files into a folder"),
        ])

    private let request: GetRequest
    private let state: String?
    private let run: RunArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        request = try GetRequest(arguments)
        state = try JobArguments(arguments).state
        run = try RunArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context, state: JobState.ofRequest)
        guard let planned = plan(planning), RunClash.isNone(in: [planned], report: run.report, context) else {
            return .usage
        }
        if run.messages.verbosity != .quiet { tell(planned.plan.warnings, in: context) }
        return await RunSeries(context: context, arguments: run, planning: planning).run([planned])
    }

    private func plan(_ planning: Planning) -> PlannedJob? {
        let context = planning.context
        let nameless = request.namelessURLs
        guard nameless.isEmpty else {
            context.console.message(
                nameless.map { "runner: error: \($0): the URL gives the file no name; give it one with `-o FILE`" })
            return nil
        }
        let job: Job
        do throws(JobFaults) {
            job = try JobParser.parse(request.input(in: context))
        } catch {
            tell(error.diagnostics, in: context)
            return nil
        }
        do throws(PlanFaults) {
            return try planning.makePlan(of: job, at: planning.site(of: job, folder: state))
        } catch {
            tell(error.diagnostics, in: context)
            return nil
        }
    }

    /// Shows faults with the URL they belong to; the text that they were found in is not one that the user wrote.
    private func tell(_ diagnostics: [Diagnostic], in context: Context) {
        context.console.message(
            diagnostics.map { diagnostic in
                let url = diagnostic.place.flatMap { request.url(atLine: $0.line) }.map { ": " + $0 } ?? ""
                return "runner: \(diagnostic.severity.rawValue)\(url): \(diagnostic.message)"
            })
    }
}
