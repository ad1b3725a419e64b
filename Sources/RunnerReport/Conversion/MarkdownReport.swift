internal import RunnerJob

/// Runs as Markdown, such as for the summary of a pipeline: what failed and what to do first, all tasks behind it.
package struct MarkdownReport {
    /// Rows of a table; systems that show Markdown take a text of a mebibyte at most.
    private static let ceiling = 1000

    private let runs: [RecordedRun]

    package init(_ runs: [RecordedRun]) {
        self.runs = runs
    }

    package var text: String {
        runs.map(Self.section).joined(separator: "\n")
    }

    private static func section(_ run: RecordedRun) -> String {
        var text = "## \(Markup.markdown(run.job)): \(Markup.markdown(run.ending))\n\n\(Markup.markdown(run.summary))\n"
        if let shortcoming = run.shortcoming { text += "\n**\(Markup.markdown(shortcoming))**\n" }
        for warning in run.warnings { text += "\n- warning: \(Markup.markdown(warning))" }
        if !run.warnings.isEmpty { text += "\n" }
        let undone = run.tasks.filter { $0.outcome != nil && !$0.isDone }
        if !undone.isEmpty {
            text += "\n| task | outcome | cause | what to do |\n| --- | --- | --- | --- |\n"
            text += rows(undone) { task in
                let name = Markup.markdown(task.id) + (task.line.map { " (\(Markup.markdown(run.file)):\($0))" } ?? "")
                let outcome = Markup.markdown(task.ending) + (task.isOptional ? ", optional" : "")
                return [name, outcome, Markup.markdown(task.cause ?? ""), Markup.markdown(task.advice ?? "")]
            }
        }
        guard !run.tasks.isEmpty else { return text }
        text += "\n<details><summary>All tasks</summary>\n\n"
        text += "| task | outcome | size | attempts | time |\n| --- | --- | ---: | ---: | ---: |\n"
        text += rows(run.tasks) { task in
            [
                Markup.markdown(task.id), Markup.markdown(task.ending), task.bytes.map(ByteCount.text) ?? "",
                task.attempts == 0 ? "" : String(task.attempts),
                task.duration.map { Duration.milliseconds(Int64($0)).words } ?? "",
            ]
        }
        return text + "\n</details>\n"
    }

    private static func rows(_ tasks: [RecordedTask], _ cells: (RecordedTask) -> [String]) -> String {
        var text = ""
        for task in tasks.prefix(ceiling) { text += "| \(cells(task).joined(separator: " | ")) |\n" }
        let rest = tasks.count - ceiling
        return rest > 0 ? text + "\n… and \(rest) more\n" : text
    }
}
