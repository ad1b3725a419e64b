package import RunnerExecution
package import RunnerJob
package import RunnerReport

/// What is told of each event as it happens, in lines that stay.
package struct EventLines: Sendable {
    /// A wait that is told even when little is: without it the run would look stuck.
    private static let longWait = Duration.seconds(10)

    private let verbosity: Verbosity
    private let tellsSuccess: Bool
    private let style: Style
    private let failureText: FailureText
    private let redactor: Redactor

    /// Lines for a screen.
    ///
    /// - Parameters:
    ///   - tellsSuccess: Whether a finished task gets a line although little is told, as above the bars.
    package init(
        verbosity: Verbosity, tellsSuccess: Bool, style: Style, failureText: FailureText, redactor: Redactor
    ) {
        self.verbosity = verbosity
        self.tellsSuccess = tellsSuccess || verbosity == .verbose
        self.style = style
        self.failureText = failureText
        self.redactor = redactor
    }

    /// The lines for an event, without line feeds; most have none.
    package func lines(_ event: RunEvent) -> [String] {
        switch event.kind {
        case .taskStarted(let task) where verbosity == .verbose:
            [line("start", task.task.text, "\(task.verdict.words), \(task.reason.words(masked: redactor))")]
        case .attemptStarted(let attempt) where verbosity == .verbose:
            [line("request", attempt.task.text, attempt.url + resumed(attempt.resumedFrom))]
        case .attemptFailed(let attempt): retry(attempt)
        case .taskFinished(let task): finished(task)
        case .warning(let warning): [style.warning("warning") + rest("warning", warning.message, nil)]
        case .runStarted, .taskStarted, .attemptStarted, .taskProgress, .runFinished: []
        }
    }

    private func resumed(_ offset: Int64) -> String {
        offset > 0 ? " from \(ByteCount.text(offset))" : ""
    }

    private func retry(_ attempt: AttemptFailed) -> [String] {
        guard let wait = attempt.retryIn, verbosity != .quiet, verbosity == .verbose || wait >= Self.longWait else {
            return []
        }
        return [
            style.warning("retry") + rest("retry", attempt.task.text, "in \(wait.words): \(attempt.failure.message)")
        ]
    }

    private func finished(_ task: TaskFinished) -> [String] {
        switch task.outcome {
        case .failed, .blocked: missed(task)
        case .succeeded where tellsSuccess && verbosity != .quiet:
            [style.success("done") + rest("done", task.task.text, arrival(task))]
        case .upToDate, .cancelled, .skipped:
            verbosity == .verbose ? [line(task.outcome.words, task.task.text, nil)] : []
        case .succeeded: []
        }
    }

    /// In a quiet run the whole text, since no summary follows.
    private func missed(_ task: TaskFinished) -> [String] {
        if verbosity == .quiet {
            return failureText.text(task).split(separator: "\n").map(String.init)
        }
        if let cause = task.blockedBy {
            return [style.warning("blocked") + rest("blocked", task.task.text, "`\(cause.text)` failed")]
        }
        return [style.failure("failed") + rest("failed", task.task.text, task.failure?.message)]
    }

    private func arrival(_ task: TaskFinished) -> String {
        let size = ByteCount.text(task.bytes ?? 0)
        return task.timing.total.map { "\(size) in \($0.words)" } ?? size
    }

    private func line(_ word: String, _ name: String, _ text: String?) -> String {
        word + rest(word, name, text)
    }

    /// What follows the first word: names begin in one column.
    private func rest(_ word: String, _ name: String, _ text: String?) -> String {
        let gap = String(repeating: " ", count: max(1, 9 - word.count))
        return gap + redactor.text(name).printable + (text.map { ": " + redactor.text($0).printable } ?? "")
    }
}
