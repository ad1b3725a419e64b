internal import RunnerExecution
internal import RunnerJob

extension RecordedRun {
    /// Seconds from its start to its end; nil as long as it has none.
    var seconds: Double? {
        guard let start = Timestamp.milliseconds(started), let end = finished.flatMap(Timestamp.milliseconds) else {
            return nil
        }
        let (difference, overflow) = end.subtractingReportingOverflow(start)
        return overflow ? nil : Double(max(0, difference)) / 1000
    }

    /// What became of it: the outcome, or that its report has no end.
    var ending: String { outcome ?? "unfinished" }

    /// `12 succeeded, 1 failed; 3.6 GiB fetched in 2m`, or how far the report goes.
    var summary: String {
        guard isFinished else { return "\(tasks.count { $0.outcome != nil }) of \(taskCount) tasks have ended" }
        let time = seconds.map { " in " + Duration.milliseconds(Int64($0 * 1000)).words } ?? ""
        return counts.outcomeWords + (transferred.map { "; \(ByteCount.text($0)) fetched\(time)" } ?? "")
    }

    /// Why not all was done, where that is no matter of one task; nil for a run that went to its end.
    var shortcoming: String? {
        guard isFinished else { return "the report has no end: the run lasts, or it was killed" }
        switch outcome.flatMap(RunFinished.Outcome.init) {
        case .failed where reason == nil && !tasks.contains { $0.outcome == "failed" && !$0.isOptional }:
            return tasks.contains { $0.blockedBy != nil }
                ? "a required task was not begun, since an optional one failed"
                : "the run failed; its report does not say at which task"
        case .succeeded, .failed, .partial: return reason
        case .cancelled, .parked, nil: return reason ?? ending
        }
    }

    /// Tasks by their outcomes; those that have ended, where the report has no end.
    var countsSoFar: [String: Int64] {
        isFinished ? counts : tasks.compactMap(\.outcome).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Bytes that were fetched; by the tasks that have ended, where the report has no end.
    var transferredSoFar: Int64 {
        transferred
            ?? tasks.reduce(0) { sum, task in
                task.outcome == nil ? sum : sum.addingReportingOverflow(task.transferred ?? 0).partialValue
            }
    }
}

extension RecordedTask {
    /// The outcome in words; `unfinished` where it has none.
    var ending: String {
        outcome.map { TaskFinished.Outcome(rawValue: $0)?.words ?? $0.printable } ?? "unfinished"
    }

    /// What kept it from being done, in one line; nil where nothing did.
    var cause: String? {
        if let blockedBy { return "since '\(blockedBy.printable)' failed" }
        guard !isDone, let failure else { return nil }
        let code = failure.code.map { " (\($0.printable))" } ?? ""
        return "\(failure.faultClass.printable)\(code): \(failure.message.printable)"
    }

    /// What to do about it.
    var advice: String? {
        guard !isDone, let failure else { return nil }
        return failure.advice ?? FaultClass(rawValue: failure.faultClass)?.advice
    }
}
