package import RunnerExecution
internal import RunnerReport

/// `runner history`: past runs of a job.
package struct HistoryCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "history", summary: "List past runs, show one, or compare two",
        description: [
            "Lists the runs of a job, the last one first: name, start, duration, bytes, outcome and tasks. With the "
                + "name of a run, or the part of it that no other has, shows that run as status does. Without JOB, the "
                + "runs that the current folder's .runner knows of.",
            "With --compare, two runs are set against each other: every task that came to something else, and the "
                + "tasks that only one of them had. Nothing is written anywhere.",
        ],
        operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRequired: false, isRepeatable: true),
        options: [.compare, .recordFormat, .set, .vars, .directory, .state, .quiet, .color],
        examples: [
            CommandSpec.Example("runner history jobs/nightly.yaml", "the runs of a job"),
            CommandSpec.Example("runner history job.yaml 20261130T054402Z-ab12cd34", "one of them"),
            CommandSpec.Example("runner history job.yaml --compare 1b2c 9f00", "what changed between two"),
        ])

    private let source: HistorySource
    /// Names of runs.
    private let names: [String]
    private let compares: Bool
    private let format: RecordFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        compares = arguments.has(.compare)
        var operands = arguments.operands[...]
        // A word that can only be the name of a run is one: `history --compare A B` is about the current folder.
        let name = operands.first.flatMap { Self.isRun($0) ? nil : $0 }
        if name != nil { operands.removeFirst() }
        let ceiling = compares ? 2 : 1
        if operands.count > ceiling { throw .unexpectedOperand(operands[operands.startIndex + ceiling]) }
        if compares, operands.count < 2 { throw .missingOperand("RUN") }
        names = Array(operands)
        source = HistorySource(name: name, arguments: try JobArguments(arguments))
        format = arguments.word(.recordFormat, as: RecordFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    /// Whether a word is the whole name of a run: `20261130T054402Z-ab12cd34`.
    private static func isRun(_ word: String) -> Bool {
        let pattern = Array("ddddddddTddddddZ-xxxxxxxx".utf8)
        let bytes = Array(word.utf8)
        guard bytes.count == pattern.count else { return false }
        return zip(bytes, pattern).allSatisfy { byte, kind in
            let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            return switch kind {
            case UInt8(ascii: "d"): isDigit
            case UInt8(ascii: "x"): isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
            default: byte == kind
            }
        }
    }

    package func run(in context: Context) async -> ExitStatus {
        guard let found = source.find(in: context) else { return .usage }
        var chosen: [PastRun] = []
        for name in names {
            guard let run = found.run(named: name) else {
                context.console.message([
                    "runner: error: no run is named '\(name.printable)', or more than one is; `runner history` lists them"
                ])
                return .usage
            }
            chosen.append(run)
        }
        switch chosen.count {
        case 0: list(found, in: context)
        case 1: found.show(chosen[0], format: format, messages: messages, in: context)
        default: return compare(chosen[0], chosen[1], found, in: context)
        }
        return .success
    }

    private func list(_ found: HistorySource.Found, in context: Context) {
        switch format {
        case .json: context.console.data(text: RunJSON.history(found.runs))
        case .text where found.runs.isEmpty:
            context.console.data(["no run is known in \(found.history.stateFolder.printable)"])
        case .text:
            let text = RunText(style: messages.dataStyle(in: context))
            context.console.data(text.table(found.runs, namesJobs: found.lastOfEachJob.count > 1))
        }
    }

    private func compare(
        _ before: PastRun, _ after: PastRun, _ found: HistorySource.Found, in context: Context
    ) -> ExitStatus {
        var recorded: [RecordedRun] = []
        for run in [before, after] {
            guard let one = found.recorded(run) else {
                context.console.message(["runner: error: the report of run \(run.run) is not kept any more"])
                return .usage
            }
            recorded.append(one)
        }
        let comparison = RunComparison(recorded[0], recorded[1])
        switch format {
        case .json: context.console.data(text: RunJSON.comparison(before, after, comparison))
        case .text:
            let text = RunText(style: messages.dataStyle(in: context))
            context.console.data(text.table([before, after], namesJobs: false) + text.comparison(comparison))
        }
        return .success
    }
}
