import RunnerImport
import RunnerJob

/// Imports a list, and reads the job file that comes out.
struct ImportBench {
    var name = "list"
    var format: ListFormat?
    var base: String?

    static let start = Place(line: 1, column: 1)

    func outcome(_ bytes: [UInt8]) throws -> ListImporter.Outcome {
        let base = try base.map { try SourceURL($0, at: Self.start) }
        return try ListImporter.read(bytes, named: name, as: format, base: base)
    }

    func outcome(_ text: String) throws -> ListImporter.Outcome { try outcome(Array(text.utf8)) }

    /// The tasks of the job file, without its heading.
    func tasks(_ text: String) throws -> String {
        let outcome = try outcome(text)
        _ = try job(outcome)
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { !$0.hasPrefix("version") }.dropFirst().joined(separator: "\n")
    }

    /// The job, as a run would read it with every secret given.
    func job(_ outcome: ListImporter.Outcome) throws -> Job {
        let names = outcome.text.matches(of: #/\$\{secret:([A-Z0-9_]+)\}/#).map { String($0.1) }
        let environment = Dictionary(names.map { ($0, "value-of-\($0)") }) { first, _ in first }
        return try JobParser.parse(
            JobInput(
                file: "job.yaml", bytes: Array(outcome.text.utf8), folder: "/job", environment: environment,
                clock: .utc(now: 0)))
    }

    /// Warnings as `line: message`.
    func warnings(_ text: String) throws -> [String] {
        try outcome(text).warnings.map(Self.line)
    }

    /// Faults as `line: message`; none where there are none.
    func faults(_ bytes: [UInt8]) throws -> [String] {
        do {
            _ = try outcome(bytes)
            return []
        } catch let faults as JobFaults {
            return faults.diagnostics.filter { $0.severity == .error }.map(Self.line)
        }
    }

    private static func line(_ diagnostic: Diagnostic) -> String {
        "\(diagnostic.place?.line ?? 0): \(diagnostic.message)"
    }
}
