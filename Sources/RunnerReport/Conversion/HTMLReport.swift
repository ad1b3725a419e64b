internal import RunnerJob

/// Runs as one page of HTML, which needs nothing beside it and runs nothing.
package struct HTMLReport {
    private let runs: [RecordedRun]

    package init(_ runs: [RecordedRun]) {
        self.runs = runs
    }

    private static let style = """
        body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
        table { border-collapse: collapse; width: 100%; }
        th, td { border-bottom: 1px solid #ccc; padding: .2em .6em; text-align: left; vertical-align: top; }
        td.number, th.number { text-align: right; white-space: nowrap; }
        .failed, .unfinished { color: #a00; font-weight: bold; }
        .blocked, .cancelled, .skipped, .partial, .parked { color: #850; }
        .succeeded { color: #070; }
        """

    package var text: String {
        let title = runs.count == 1 ? runs[0].job : "\(runs.count) runs"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Markup.escaped(title))</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            \(runs.map(Self.section).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func section(_ run: RecordedRun) -> String {
        var lines = [
            "<h1>\(Markup.escaped(run.job)): \(marked(run.ending, as: run.ending))</h1>",
            "<p>\(Markup.escaped(run.summary))</p>",
            "<p>Run \(Markup.escaped(run.run)) of \(Markup.escaped(run.file)), began \(Markup.escaped(run.started))</p>",
        ]
        if let shortcoming = run.shortcoming { lines.append("<p class=\"failed\">\(Markup.escaped(shortcoming))</p>") }
        lines += run.warnings.map { "<p>warning: \(Markup.escaped($0.printable))</p>" }
        guard !run.tasks.isEmpty else { return lines.joined(separator: "\n") }
        lines += [
            "<table>",
            "<tr><th>Task<th>Outcome<th class=\"number\">Size<th class=\"number\">Attempts<th class=\"number\">Time"
                + "<th>Cause, and what to do</tr>",
        ]
        // What needs a look comes first.
        let tasks = run.tasks.filter { !$0.isDone } + run.tasks.filter(\.isDone)
        lines += tasks.map { row($0, of: run) } + ["</table>"]
        return lines.joined(separator: "\n")
    }

    private static func row(_ task: RecordedTask, of run: RecordedRun) -> String {
        let place = task.line.map { " title=\"\(Markup.escaped(run.file)):\($0)\"" } ?? ""
        let attempts = task.attempts == 0 ? "" : String(task.attempts)
        let time = task.duration.map { Duration.milliseconds(Int64($0)).words } ?? ""
        let cause = [task.cause, task.advice.map { "next: " + $0.printable }].compactMap { $0 }
        return "<tr><td\(place)>\(Markup.escaped(task.id.printable))<td>\(marked(task.ending, as: task.outcome))"
            + (task.isOptional ? ", optional" : "")
            + "<td class=\"number\">\(task.bytes.map(ByteCount.text) ?? "")<td class=\"number\">\(attempts)"
            + "<td class=\"number\">\(time)<td>\(cause.map(Markup.escaped).joined(separator: "<br>"))</tr>"
    }

    /// An outcome in its colour; the word alone says it too.
    private static func marked(_ words: String, as outcome: String?) -> String {
        let name = (outcome ?? "unfinished").filter { $0.isASCII && ($0.isLetter || $0 == "_") }
        return "<span class=\"\(name)\">\(Markup.escaped(words))</span>"
    }
}
