public import RunnerExecution
internal import RunnerJob
public import RunnerPlan

/// A plan for programs: one JSON object, schema `runner.plan/1`.
///
/// Tasks come in the order in which they start. A value that is not known is left out.
public struct PlanJSON: Sendable {
    /// The schema of the object.
    public static let schema = "runner.plan/1"

    private let plan: Plan
    private let redactor: Redactor

    private let probe: PlanProbe?

    /// Secrets of the plan's job are masked.
    ///
    /// - Parameter probe: what the servers said; it fills in sizes that the plan did not know.
    public init(_ plan: Plan, probe: PlanProbe? = nil) {
        self.plan = probe?.applied(to: plan) ?? plan
        self.probe = probe
        redactor = Redactor(secrets: plan.job.secrets)
    }

    /// The object, ended by a line feed.
    public var text: String {
        var json = JSONWriter(capacity: 256 * (plan.tasks.count + 4))
        json.object { json in
            json.member("schema", Self.schema)
            json.member("job", redactor.text(plan.job.name))
            json.member("file", redactor.text(plan.job.file))
            json.key("tasks")
            json.array(of: plan.order) { json, index in write(plan.tasks[index], index, &json) }
            json.key("totals")
            write(PlanTotals(plan), &json)
            json.key("warnings")
            json.array(of: plan.warnings) { json, warning in write(warning, &json) }
        }
        json.newLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(_ task: PlannedTask, _ index: Int, _ json: inout JSONWriter) {
        json.object { json in
            json.member("id", id(task))
            json.member("kind", task.kind.rawValue)
            json.member("source", task.source.isEmpty ? nil : redactor.url(task.source))
            json.member("to", task.destination.isEmpty ? nil : redactor.url(task.destination))
            json.member("verdict", task.verdict.rawValue)
            json.member("reason", task.reason.words(masked: redactor))
            json.member("bytes", task.bytes)
            json.key("needs")
            json.array(of: task.needs) { json, need in json.string(id(plan.tasks[need])) }
            if task.task.isOptional { json.flag("optional") }
            if task.isImplied { json.flag("implied") }
            json.member("host", host(task))
            json.member("rewritten_from", task.rewrittenFrom.map(redactor.url))
            json.member("line", task.task.place.line)
            json.member("file", plan.job.sources.otherName(of: task.task.place))
            if let sources = probe?.tasks[index] {
                json.key("probe")
                json.array(of: sources) { json, source in source.write(to: &json, redactor) }
            }
        }
    }

    private func write(_ totals: PlanTotals, _ json: inout JSONWriter) {
        json.object { json in
            json.member("tasks", plan.tasks.count)
            for verdict in Verdict.allCases {
                guard let count = totals.counts[verdict] else { continue }
                switch verdict {
                case .fetch: json.member("fetch", count)
                case .resume: json.member("resume", count)
                case .revalidate: json.member("revalidate", count)
                case .verify: json.member("verify", count)
                case .upToDate: json.member("up_to_date", count)
                case .run: json.member("run", count)
                }
            }
            json.member("fetch_bytes", totals.fetchBytes)
            if totals.sendBytes > 0 { json.member("send_bytes", totals.sendBytes) }
            json.member("unknown_sizes", totals.unknownSizes)
            json.member("read_bytes", totals.readBytes)
            json.member("free_bytes", totals.freeBytes)
            json.member("budget_bytes", totals.budgetBytes)
            if totals.exceedsBudget { json.flag("exceeds_budget") }
            json.member("waits_until", plan.waitsUntil)
            json.key("longest_chain")
            json.array(of: totals.longestChain) { json, task in json.string(id(plan.tasks[task])) }
            json.member("worst_wait_ms", totals.worstWait)
            json.member("failing_tasks", probe?.failingTasks.count)
        }
    }

    private func write(_ warning: Diagnostic, _ json: inout JSONWriter) {
        json.object { json in
            json.member("message", redactor.text(warning.message))
            if let place = warning.place {
                json.member("file", redactor.text(plan.job.sources.name(of: place)))
                json.member("line", place.line)
                json.member("column", place.column)
            }
        }
    }

    /// The section of `hosts` that the task's first source falls under.
    private func host(_ task: PlannedTask) -> String? {
        guard !plan.job.hosts.isEmpty, let origin = task.task.action.origin else { return nil }
        return plan.job.hosts.sections(for: origin).last?.pattern.text
    }

    private func id(_ task: PlannedTask) -> String { redactor.text(task.task.id.text) }
}
