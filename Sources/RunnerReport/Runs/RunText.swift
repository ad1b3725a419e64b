public import RunnerExecution
internal import RunnerJob

/// Past runs, for people: `runner status` and `runner history`.
public struct RunText: Sendable {
    private let style: Style

    public init(style: Style = .plain) {
        self.style = style
    }

    // MARK: - One run

    /// The head of a run: job, state, times.
    public func head(_ run: PastRun) -> [String] {
        let name = run.file.isEmpty || run.file == run.job ? run.job : "\(run.job) (\(run.file))"
        return [name.printable, "run \(run.run): \(state(run))"]
    }

    private func state(_ run: PastRun) -> String {
        let began = "began \(Timestamp.seconds(run.started))"
        switch run.state {
        case .running(let host, let pid):
            return style.strong("running") + ", \(began), process \(pid) on \(host.printable)"
        case .killed:
            return style.failure("killed") + " before its end, \(began); the next run goes on from there"
        case .finished:
            return "\(outcome(run)), \(began), took \(duration(run))"
        }
    }

    private func outcome(_ run: PastRun) -> String {
        let word = run.outcome ?? "?"
        let status = run.exitStatus.map { $0 == 0 ? "" : " (status \($0))" } ?? ""
        switch RunFinished.Outcome(rawValue: word) {
        case .succeeded: return style.success(word) + status
        case .failed: return style.failure(word) + status
        case .partial, .cancelled, .parked, nil: return style.warning(word.printable) + status
        }
    }

    private func duration(_ run: PastRun) -> String {
        guard let finished = run.finished else { return "" }
        return Duration.milliseconds(max(0, finished.subtractingReportingOverflow(run.started).partialValue)).words
    }

    /// The tasks of a run, a line each, with the failure behind it.
    ///
    /// - Parameter isLive: whether tasks without an end are under way.
    public func tasks(_ tasks: [RecordedTask], isLive: Bool) -> [String] {
        let width = min(tasks.map(\.id.count).max() ?? 0, 48)
        return tasks.map { task in
            let bytes = task.bytes.map(ByteCount.text) ?? ""
            let total = task.outcome == nil ? task.total.map { " of " + ByteCount.text($0) } ?? "" : ""
            let line =
                "\(word(task, isLive: isLive))  \(Self.left(task.id.printable, width))  \(Self.right(bytes, 8))"
                + total + detail(task)
            return line.trimmedAtEnd
        }
    }

    private func word(_ task: RecordedTask, isLive: Bool) -> String {
        guard let text = task.outcome else {
            let word = isLive ? (task.failure == nil ? "running" : "retrying") : "unfinished"
            return style.warning(Self.left(word, 10))
        }
        let outcome = TaskFinished.Outcome(rawValue: text)
        let word = Self.left(outcome?.words ?? text.printable, 10)
        switch outcome {
        case .succeeded, .upToDate: return style.success(word)
        case .failed: return style.failure(word)
        case .blocked, .cancelled, .skipped, nil: return style.warning(word)
        }
    }

    private func detail(_ task: RecordedTask) -> String {
        task.cause.map { "  " + $0 } ?? ""
    }

    // MARK: - Many runs

    /// The table of runs, the last one first.
    ///
    /// - Parameter namesJobs: whether the job's name is a column.
    public func table(_ runs: [PastRun], namesJobs: Bool) -> [String] {
        let names = runs.map { $0.job.printable }
        let nameWidth = min(names.map(\.count).max() ?? 0, 24)
        return zip(runs, names).map { run, name in
            let took: String =
                switch run.state {
                case .finished: duration(run)
                case .running: "running"
                case .killed: "killed"
                }
            let columns = [
                run.run, Timestamp.seconds(run.started), Self.right(took, 9),
                Self.right(run.transferred.map(ByteCount.text) ?? "", 8),
            ]
            let ending = run.state == .finished ? "\(outcome(run)): \(run.counts.outcomeWords)" : ""
            let job = namesJobs ? "  " + Self.left(name, nameWidth) : ""
            return (columns.joined(separator: "  ") + job + "  " + ending).trimmedAtEnd
        }
    }

    /// `12 succeeded, 1 failed; 3.6 GiB fetched`, or how far a run has come that has no end.
    public func summary(_ run: PastRun, ended: Int, of planned: Int) -> String {
        guard run.state == .finished else { return "\(ended) of \(planned) tasks have ended" }
        return run.counts.outcomeWords + (run.transferred.map { "; \(ByteCount.text($0)) fetched" } ?? "")
    }

    // MARK: - Two runs

    /// What became of each task that two runs tell of differently.
    public func comparison(_ comparison: RunComparison) -> [String] {
        let width = min(comparison.changes.map(\.id.count).max() ?? 0, 48)
        var lines = comparison.changes.map { change -> String in
            let before = Self.words(change.before)
            let after = Self.words(change.after)
            let text = "\(Self.left(change.id.printable, width))  \(before) -> \(after)"
            return text + (change.after.map(detail) ?? "")
        }
        lines.append(
            lines.isEmpty
                ? "\(comparison.same) \(comparison.same == 1 ? "task" : "tasks") came to the same in both"
                : "\(lines.count) changed, \(comparison.same) came to the same in both")
        return lines
    }

    private static func words(_ task: RecordedTask?) -> String {
        guard let task else { return "not there" }
        let outcome = task.outcome.map { TaskFinished.Outcome(rawValue: $0)?.words ?? $0.printable } ?? "unfinished"
        return outcome + (task.bytes.map { ", \(ByteCount.text($0))" } ?? "")
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension [String: Int64] {
    /// Numbers of tasks by the raw value of their outcome, as `12 succeeded, 1 failed`.
    var outcomeWords: String {
        let parts = TaskFinished.Outcome.allCases.compactMap { outcome in
            self[outcome.rawValue].map { "\($0) \(outcome.words)" }
        }
        return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }
}

extension String {
    /// Without blanks at the end.
    var trimmedAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
