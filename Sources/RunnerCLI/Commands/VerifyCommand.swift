package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport

/// `runner verify`: says whether the files of a job are what they should be.
package struct VerifyCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "verify", summary: "Say whether the files on disk are what the job says",
        description: [
            "Reads every file that the job writes and compares it with the job, its checksum lists, its lock file "
                + "and the record of earlier runs. No server is asked and nothing is changed. A file that nothing is "
                + "known of is called unverified. The status is 5 when a file differs, has changed or is missing."
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file)),
        options: [.verifyFormat, .set, .vars, .directory, .only, .state, .quiet, .color],
        examples: [
            CommandSpec.Example("runner verify jobs/nightly.yaml", "check all files of a job"),
            CommandSpec.Example("runner verify job.yaml --format json | jq .counts", "count them in a script"),
        ])

    private let source: JobSource
    private let format: VerifyFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("JOB") }
        source = JobSource(name, try JobArguments(arguments))
        format = arguments.word(.verifyFormat, as: VerifyFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        guard let planned = planning.plan(source) else { return .usage }
        let plan = planned.plan
        let lock: LockFile?
        let isFile = source.name != JobSource.standardInput
        switch isFile ? JobLock(job: source.name, in: context).read(planning) : .missing {
        case .read(let file): lock = file
        case .missing: lock = nil
        case .faulty: return .usage
        }
        let verifier = OutputVerifier(plan, lock: lock, stateFolder: planned.site.stateFolder)
        let checks = self.checks(verifier, plan, context)
        if format == .json { context.console.data(text: VerifyJSON(plan.job, checks).text) }
        return checks.contains(where: \.isDifference) ? .differs : .success
    }

    /// Checks all files; as text each is told as soon as it is known, with --quiet only those that differ.
    private func checks(_ verifier: OutputVerifier, _ plan: Plan, _ context: Context) -> [OutputCheck] {
        let paths = plan.tasks.lazy.filter { !$0.isImplied }.flatMap { planned in
            planned.task.action.work.outputs.map(\.path.text)
        }
        let text = VerifyText(
            paths: Array(paths), style: messages.dataStyle(in: context),
            redactor: Redactor(secrets: plan.job.secrets))
        var checks: [OutputCheck] = []
        var counts: [OutputCheck.Status: Int] = [:]
        verifier.run { check in
            checks.append(check)
            counts[check.status, default: 0] += 1
            guard format == .text, messages.verbosity != .quiet || check.isDifference else { return }
            context.console.data([text.line(check)])
        }
        if format == .text, messages.verbosity != .quiet { context.console.data([VerifyText.summary(counts)]) }
        return checks
    }
}
