package import RunnerExecution
internal import RunnerReport

/// `runner report`: reports as people and other programs want them.
package struct ReportCommand: AsyncCommand {
    package static let spec = CommandSpec(
        "report", summary: "Summarise reports, or convert them for other programs",
        description: [
            "Reads reports that runs have written, and tells of all runs in them, in the order given: as text, as "
                + "JUnit's XML for a system of continuous integration, as Markdown for the summary of a pipeline, or as a "
                + "page of HTML. - is a report on standard input.",
            "A report of a run that lasts or was killed is told as far as it goes. With --quiet, the text leaves out "
                + "tasks that are done. The status is 0 whatever the runs came to.",
        ],
        operand: CommandSpec.Operand(ValueSpec("FILE", .file), isRepeatable: true),
        options: [.reportFormat, .quiet, .color],
        examples: [
            CommandSpec.Example("runner report report.jsonl", "what became of each task"),
            CommandSpec.Example(
                "runner report report.jsonl --format junit > junit.xml", "for a system that shows tests"),
            CommandSpec.Example(
                "runner report *.jsonl --format markdown >> \"$GITHUB_STEP_SUMMARY\"", "the summary of a pipeline"),
        ])

    private let names: [String]
    private let format: ReportFormat
    private let messages: MessageArguments

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        names = arguments.operands
        if let second = names.filter({ $0 == JobSource.standardInput }).dropFirst().first {
            throw .unexpectedOperand(second)
        }
        format = arguments.word(.reportFormat, as: ReportFormat.self) ?? .text
        messages = try MessageArguments(arguments)
    }

    package func run(in context: Context) async -> ExitStatus {
        var runs: [RecordedRun] = []
        for name in names {
            do throws(FileFault) {
                let isStandardInput = name == JobSource.standardInput
                let bytes =
                    isStandardInput
                    ? try context.readInput() : try FileContent.read(context.absolute(name), named: name)
                let found = RecordedRun.runs(in: bytes)
                if found.isEmpty {
                    context.console.message(["runner: error: \(name.printable) tells of no run; is it a report?"])
                    return .usage
                }
                runs += found
            } catch {
                context.console.message(["runner: error: " + error.message])
                return .usage
            }
        }
        show(runs, in: context)
        return .success
    }

    private func show(_ runs: [RecordedRun], in context: Context) {
        switch format {
        case .text:
            let text = ReportText(style: messages.dataStyle(in: context))
            let isQuiet = messages.verbosity == .quiet
            for (index, run) in runs.enumerated() {
                context.console.data((index == 0 ? [] : [""]) + text.lines(run, leavesOutDone: isQuiet))
            }
            if runs.count > 1 { context.console.data(["", text.total(runs)]) }
        case .junit: context.console.data(text: JUnitReport(runs).text)
        case .markdown: context.console.data(text: MarkdownReport(runs).text)
        case .html: context.console.data(text: HTMLReport(runs).text)
        }
    }
}
