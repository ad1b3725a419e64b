internal import RunnerJob
public import RunnerPlan

/// A plan as a flowchart of Mermaid, which many pages draw by themselves; an arrow leads from what is needed to what
/// needs it.
public struct PlanMermaid: Sendable {
    private let plan: Plan
    private let redactor: Redactor

    /// Secrets of the plan's job are masked.
    public init(_ plan: Plan) {
        self.plan = plan
        redactor = Redactor(secrets: plan.job.secrets)
    }

    /// The flowchart, each line ended by a line feed.
    public var text: String {
        var text = "flowchart LR\n"
        for (index, task) in plan.tasks.enumerated() {
            text += "    t\(index)[\"\(escaped(task.task.id.text))<br>\(escaped(task.verdict.words))\"]\n"
        }
        for (index, task) in plan.tasks.enumerated() {
            for need in task.needs { text += "    t\(need) --> t\(index)\n" }
        }
        let done = plan.tasks.indices.filter { plan.tasks[$0].verdict == .upToDate }
        if done.isEmpty { return text }
        return text + "    classDef done stroke-dasharray: 3\n    class "
            + done.map { "t\($0)" }.joined(separator: ",") + " done\n"
    }

    /// Letters and digits as they are, all that may have a meaning in a label by its number.
    private func escaped(_ line: String) -> String {
        var text = ""
        for scalar in redactor.text(line).printable.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "/", "-", "_", ":": text.unicodeScalars.append(scalar)
            default: text += scalar.isASCII ? "#\(scalar.value);" : String(scalar)
            }
        }
        return text
    }
}
