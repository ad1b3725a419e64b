internal import RunnerJob
public import RunnerPlan

/// A plan as a graph in the DOT language of Graphviz; an arrow leads from what is needed to what needs it.
public struct PlanDot: Sendable {
    private let plan: Plan
    private let redactor: Redactor

    /// Secrets of the plan's job are masked.
    public init(_ plan: Plan) {
        self.plan = plan
        redactor = Redactor(secrets: plan.job.secrets)
    }

    /// The graph, each line ended by a line feed.
    public var text: String {
        var text = "digraph \(quoted([plan.job.name])) {\n    rankdir=LR;\n    node [shape=box];\n"
        for (index, task) in plan.tasks.enumerated() {
            text += "    t\(index) [label=\(quoted([task.task.id.text, task.verdict.words]))"
            text += task.verdict == .upToDate ? ", style=dashed];\n" : "];\n"
        }
        for (index, task) in plan.tasks.enumerated() {
            for need in task.needs { text += "    t\(need) -> t\(index);\n" }
        }
        return text + "}\n"
    }

    /// A label of one or several lines; a backslash begins an escape in DOT labels.
    private func quoted(_ lines: [String]) -> String {
        let escaped = lines.map { line in
            var text = ""
            for scalar in redactor.text(line).printable.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            return text
        }
        return "\"" + escaped.joined(separator: "\\n") + "\""
    }
}
