public import RunnerExecution
public import RunnerJob

/// What `runner verify` found, for people.
public struct VerifyText: Sendable {
    private let style: Style
    private let width: Int
    private let redactor: Redactor

    /// - Parameters:
    ///   - paths: of all files that will be told, so that columns fit.
    ///   - redactor: knows the secrets of the job.
    public init(paths: [String], style: Style, redactor: Redactor) {
        self.style = style
        self.redactor = redactor
        // A single long path does not push everything else to the right.
        width = min(paths.map { redactor.text($0).printable.count }.max() ?? 0, 48)
    }

    /// One file.
    public func line(_ check: OutputCheck) -> String {
        let word = Self.padded(check.status.rawValue, 11)
        let shown: String =
            switch check.status {
            case .ok: style.success(word)
            case .unverified: style.faint(word)
            case .differs, .changed, .missing, .unreadable: style.failure(word)
            }
        return "\(shown)  \(Self.padded(redactor.text(check.path).printable, width))  \(detail(check))".trimmedAtEnd
    }

    private func detail(_ check: OutputCheck) -> String {
        if let message = check.message { return message }
        switch check.status {
        case .ok:
            let names = check.witnesses.map(\.rawValue).joined(separator: ", ")
            guard let digest = check.digest else { return "as it was made" }
            return digest.algorithm.rawValue + " as in " + names
        case .changed: return "changed since it was made"
        case .unverified: return "no digest is known"
        case .missing: return check.isOptional ? "optional" : ""
        case .differs, .unreadable: return ""
        }
    }

    /// The last line: how many files there were of each kind.
    public static func summary(_ counts: [OutputCheck.Status: Int]) -> String {
        let total = counts.values.reduce(0, +)
        let parts = OutputCheck.Status.allCases.compactMap { status in
            counts[status].map { "\($0) \(status.rawValue)" }
        }
        return "\(total) \(total == 1 ? "file" : "files")" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
