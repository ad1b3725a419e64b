public import RunnerExecution
public import RunnerJob

/// Tells one task that failed: class, cause, line of the job file, and what to do next.
///
///     failed   iso/debian.iso
///              not_found (http_404): the server has no such file
///              jobs/nightly.yaml:12
///              next: check the URL
public struct FailureText: Sendable {
    /// Lines of a program's output that are shown.
    private static let outputLines = 20

    private let sources: SourceMap
    private let style: Style
    private let redactor: Redactor

    /// Takes the texts that the places of failures lie in.
    public init(sources: SourceMap, style: Style = .plain, redactor: Redactor = Redactor()) {
        self.sources = sources
        self.style = style
        self.redactor = redactor
    }

    /// The lines for a task that failed or is blocked, each ended by a line feed.
    public func text(_ task: TaskFinished) -> String {
        let indent = String(repeating: " ", count: 9)
        var text = headline(task)
        if let failure = task.failure {
            text += indent + style.strong(failure.faultClass.rawValue) + detail(of: failure) + ": "
            text += shown(failure.message) + "\n"
        }
        if let output = task.output { text += tail(of: output, indent) }
        text += indent + style.faint(location(of: task.place)) + "\n"
        if let failure = task.failure, let advice = failure.advice ?? failure.faultClass.advice {
            text += indent + "next: " + shown(advice) + "\n"
        }
        return text
    }

    /// The last lines of what a program wrote.
    private func tail(of output: String, _ indent: String) -> String {
        let lines = output.split(separator: "\n", omittingEmptySubsequences: true)
        let shownLines = lines.suffix(Self.outputLines)
        let left = lines.count - shownLines.count
        var text = left > 0 ? indent + style.faint("… \(left) lines before these; the report has more") + "\n" : ""
        for line in shownLines { text += indent + "| " + shown(String(line)) + "\n" }
        return text
    }

    /// `jobs/nightly.yaml:12`.
    public func location(of place: Place) -> String {
        shown(sources.name(of: place)) + ":\(place.line)"
    }

    /// What failures of many tasks may have in common.
    struct Cause: Hashable {
        private let faultClass: FaultClass?
        private let code: String?
        private let advice: String?
        private let blockedBy: ExactText?

        init(_ task: TaskFinished) {
            faultClass = task.failure?.faultClass
            code = task.failure?.code ?? task.failure?.httpStatus.map { "http_\($0)" }
            advice = task.failure?.advice
            blockedBy = task.blockedBy
        }
    }

    /// The first line for a task that failed or is blocked, with its line feed.
    func headline(_ task: TaskFinished) -> String {
        let name = shown(task.task.text) + (task.to.isEmpty || task.to == task.task.text ? "" : " (\(shown(task.to)))")
        let optional = task.isOptional ? style.faint(" optional") : ""
        if let cause = task.blockedBy {
            return style.warning("blocked") + "  \(name)\(optional), since '\(shown(cause.text))' failed\n"
        }
        return style.failure("failed") + "   \(name)\(optional)\(attempts(task))\n"
    }

    private func attempts(_ task: TaskFinished) -> String {
        task.attempts > 1 ? " after \(task.attempts) attempts" : ""
    }

    private func detail(of failure: TaskFailure) -> String {
        let code = failure.code ?? failure.httpStatus.map { "http_\($0)" }
        return code.map { " (\(shown($0)))" } ?? ""
    }

    private func shown(_ text: String) -> String { redactor.text(text).printable }
}
