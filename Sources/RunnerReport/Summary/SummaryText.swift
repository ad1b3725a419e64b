public import RunnerExecution
public import RunnerJob

/// What is written at the end of a run: every failure, then the counts.
public struct SummaryText: Sendable {
    /// Failures that are told; the others are counted.
    public static let failureCeiling = 50
    /// Failures of one cause that are told in full; of the others only the first line is.
    public static let sameCauseCeiling = 5

    private let failureText: FailureText
    private let style: Style

    /// Takes the texts that the places of failures lie in.
    public init(sources: SourceMap, style: Style = .plain, redactor: Redactor = Redactor()) {
        failureText = FailureText(sources: sources, style: style, redactor: redactor)
        self.style = style
    }

    /// The lines of the summary, each ended by a line feed.
    public func text(_ summary: Summary) -> String {
        let missed = summary.failures + summary.blocked
        var told: [FailureText.Cause: Int] = [:]
        var text = ""
        for task in missed.prefix(Self.failureCeiling) {
            let before = told[FailureText.Cause(task), default: 0]
            text += before < Self.sameCauseCeiling ? failureText.text(task) : failureText.headline(task)
            told[FailureText.Cause(task)] = before + 1
        }
        if missed.count > Self.failureCeiling {
            text += "… and \(missed.count - Self.failureCeiling) more; the report has them all\n"
        }
        if !missed.isEmpty { text += "\n" }
        return text + counts(summary) + "\n"
    }

    /// `12 succeeded, 3 up to date, 1 failed; 3.6 GiB fetched in 2m05s`.
    public func counts(_ summary: Summary) -> String {
        let parts = TaskFinished.Outcome.allCases.compactMap { outcome -> String? in
            let count = summary.count(outcome)
            return count == 0 ? nil : set(outcome, "\(count) \(outcome.words)")
        }
        let tasks = parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
        var rest = "; \(ByteCount.text(summary.tally.transferred)) fetched"
        if summary.tally.sent > 0 { rest += ", \(ByteCount.text(summary.tally.sent)) sent" }
        if let duration = summary.finished?.duration { rest += " in \(duration.words)" }
        guard let finished = summary.finished else { return tasks + rest }
        if let reason = finished.reason {
            return tasks + rest + "; " + reason
                + (finished.outcome == .parked ? ", the next run continues from here" : "")
        }
        return tasks + rest + finished.outcome.addition
    }

    private func set(_ outcome: TaskFinished.Outcome, _ text: String) -> String {
        switch outcome {
        case .succeeded, .upToDate: style.success(text)
        case .failed: style.failure(text)
        case .blocked, .cancelled, .skipped: style.warning(text)
        }
    }
}

extension TaskFinished.Outcome {
    /// The outcome in words.
    public var words: String {
        switch self {
        case .succeeded: "succeeded"
        case .upToDate: "up to date"
        case .failed: "failed"
        case .blocked: "blocked"
        case .cancelled: "cancelled"
        case .skipped: "skipped"
        }
    }
}

extension RunFinished.Outcome {
    /// What the counts do not tell.
    fileprivate var addition: String {
        switch self {
        case .succeeded, .failed, .partial: ""
        case .cancelled: "; stopped before the end, the next run goes on from here"
        case .parked: "; could not go on, the next run continues from here"
        }
    }
}
