package import RunnerExecution
internal import RunnerJob
internal import RunnerPlan
internal import RunnerReport
internal import Synchronization

/// `runner lock`: writes down what the downloads of a job are, for `run --locked`.
package struct LockCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "lock", summary: "Write down what the downloads of a job are",
        description: [
            "Runs the job and writes its lock file, jobs/nightly.lock for jobs/nightly.yaml: digest, size, URL and "
                + "validators of every download. `runner run --locked` then takes these bytes and no others.",
            "The lock file is written only when every required download is there. An entry that says nothing new "
                + "stays as it is.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file)),
        options: [.update, .set, .vars, .directory, .noRun, .state] + RunArguments.options,
        examples: [
            CommandSpec.Example("runner lock jobs/nightly.yaml", "lock all downloads of a job"),
            CommandSpec.Example("runner lock jobs/nightly.yaml --update iso", "lock one download anew"),
        ])

    private let source: JobSource
    private let update: [String]
    private let run: RunArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let name = arguments.operands.first else { throw .missingOperand("JOB") }
        // The lock file lies beside the job file.
        guard name != JobSource.standardInput else {
            throw .conflict("lock", "a job from standard input")
        }
        source = JobSource(name, try JobArguments(arguments))
        update = arguments.values(.update)
        if update.contains("") {
            throw .invalidValue(option: OptionSpec.update.spelling, value: "", wanted: "a name that is not empty")
        }
        run = try RunArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        let planning = Planning(context: context)
        let file = JobLock(job: source.name, in: context)
        let previous: LockFile
        switch file.read(planning) {
        case .read(let lock): previous = lock
        case .missing where update.isEmpty: previous = LockFile([])
        case .missing:
            context.console.message(["runner: error: there is no \(file.name.printable) to update"])
            return .usage
        case .faulty:
            context.console.message(["runner: mend \(file.name.printable), or remove it to have it written anew"])
            return .usage
        }
        var arguments = source.arguments
        arguments.only = update
        guard let job = planning.job(source), let planned = planning.plan(job, arguments),
            RunClash.isNone(in: [planned], report: run.report, context)
        else { return .usage }
        if run.messages.verbosity != .quiet { planning.tell(planned.plan.warnings, sources: job.sources) }
        let finished = Mutex<[ExactText: TaskFinished]>([:])
        var series = RunSeries(context: context, arguments: run, planning: planning)
        series.observer = { event in
            guard case .taskFinished(let task) = event.kind else { return }
            finished.withLock { $0[task.task] = task }
        }
        let status = await series.run([planned])
        guard status == .success || status == .optionalFailed else {
            context.console.message(["runner: \(file.name.printable) was left as it is"])
            return status
        }
        return write(job, previous, finished.withLock { $0 }, to: file, in: context) ?? status
    }

    /// Writes the lock file; the status of a failure.
    private func write(
        _ job: Job, _ previous: LockFile, _ finished: [ExactText: TaskFinished], to file: JobLock, in context: Context
    ) -> ExitStatus? {
        let maker = LockMaker(job, date: Self.date(context.now()))
        let named = Set(OnlyArgument.ids(update, in: job))
        let redactor = Redactor(secrets: job.secrets)
        do throws(LockMaker.Failure) {
            var entries: [LockFile.Entry] = []
            var unlocked: [String] = []
            var missing: [String] = []
            for task in job.tasks {
                guard case .download(let download) = task.action else { continue }
                let old = previous.entry(of: download, redactor: redactor)
                let isNamed = named.isEmpty || named.contains(task.id) || named.contains(download.path.path)
                let new =
                    isNamed ? try maker.entry(of: download, finished: finished[task.id], previous: old) : nil
                if let entry = new ?? old {
                    entries.append(entry)
                } else if task.isOptional {
                    unlocked.append(download.targetText)
                } else {
                    missing.append(download.targetText)
                }
            }
            let lock = LockFile(entries)
            if lock.text != previous.text || previous.entries.isEmpty { try LockMaker.write(lock, to: file.path) }
            guard run.messages.verbosity != .quiet else { return nil }
            let left = unlocked.map { "runner: \($0.printable) is not locked; `run --locked` leaves it out" }
            // Only `--update` gets here without what the job needs.
            let refused = missing.map { path in
                "runner: \(path.printable) is not locked, and `run --locked` refuses the job until it is; "
                    + "lock it by --update too"
            }
            context.console.message([Self.summary(lock, previous, file.name)] + left + refused)
            return nil
        } catch {
            context.console.message(["runner: error: \(error.message.printable)"])
            return .cannotGoOn
        }
    }

    private static func summary(_ lock: LockFile, _ previous: LockFile, _ name: String) -> String {
        let changed = lock.entries.count { previous.entry(of: $0.path) != nil && !isIn($0, previous) }
        let added = lock.entries.count { previous.entry(of: $0.path) == nil }
        let removed = previous.entries.count { lock.entry(of: $0.path) == nil }
        let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
        let what = parts.isEmpty ? "nothing changed" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(name.printable): \(lock.entries.count) locked, \(what)"
    }

    private static func isIn(_ entry: LockFile.Entry, _ lock: LockFile) -> Bool {
        lock.entry(of: entry.path)?.agrees(with: entry) ?? false
    }

    /// RFC 3339 in whole seconds.
    private static func date(_ milliseconds: Int64) -> String {
        Timestamp.seconds(milliseconds)
    }
}
