public import RunnerJob
public import RunnerPlan

/// What holds for one task of a plan and where the job says so, for people or as JSON (schema `runner.explain/1`).
public struct ExplanationText {
    /// The schema of the object.
    public static let schema = "runner.explain/1"

    private let explanation: Explanation
    private let plan: Plan
    private let style: Style
    private let redactor: Redactor
    private let renderer: DiagnosticRenderer

    /// Secrets of the plan's job are masked.
    public init(_ explanation: Explanation, of plan: Plan, style: Style = .plain) {
        self.explanation = explanation
        self.plan = plan
        self.style = style
        redactor = Redactor(secrets: plan.job.secrets)
        renderer = DiagnosticRenderer(plan.job.sources)
    }

    private var task: PlannedTask? { plan.tasks.first { $0.task.id == explanation.id } }

    /// A line for each field: its key, its value, and the place that gives it.
    public var text: String {
        let rows = explanation.fields.map { (shown($0.key), value($0), origin($0.origin)) }
        let widest = rows.map(\.0.count).max() ?? 0
        let middle = min(60, rows.map(\.1.count).max() ?? 0)
        var text = ""
        if let task {
            text += "\(shown(explanation.id.text)), \(renderer.position(of: task.task.place)):"
            text += " \(task.verdict.words), \(task.reason.words(masked: redactor))\n"
        }
        for (key, value, origin) in rows {
            text += "  " + key.padded(to: widest) + "  " + value.padded(to: middle) + "  " + style.faint(origin) + "\n"
        }
        return text
    }

    /// One object, ended by a line feed.
    public var json: String {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", Self.schema)
            json.member("id", redactor.text(explanation.id.text))
            if let task {
                json.member("verdict", task.verdict.rawValue)
                json.member("reason", task.reason.words(masked: redactor))
            }
            json.key("fields")
            json.array(of: explanation.fields) { json, field in
                json.object { json in
                    json.member("key", redactor.text(field.key))
                    json.member("value", masked(field))
                    write(field.origin, &json)
                }
            }
        }
        json.newLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(_ origin: Explanation.Origin, _ json: inout JSONWriter) {
        let place: Place
        switch origin {
        case .task(let found):
            json.member("from", "task")
            place = found
        case .host(let name, let found):
            json.member("from", "hosts")
            json.member("host", name)
            place = found
        case .defaults(let found):
            json.member("from", "defaults")
            place = found
        case .standard: return json.member("from", "standard")
        }
        json.member("file", plan.job.sources.name(of: place))
        json.member("line", place.line)
    }

    private func origin(_ origin: Explanation.Origin) -> String {
        switch origin {
        case .task(let place): position(place)
        case .host(let name, let place): "\(position(place)), hosts \(shown(name))"
        case .defaults(let place): "\(position(place)), defaults"
        case .standard: "standard"
        }
    }

    private func position(_ place: Place) -> String {
        "\(shown(plan.job.sources.name(of: place))):\(place.line)"
    }

    private func masked(_ field: Explanation.Field) -> String {
        ["download", "rewritten_from", "proxy"].contains(field.key)
            ? redactor.url(field.value) : redactor.text(field.value)
    }

    private func value(_ field: Explanation.Field) -> String { masked(field).printable }

    private func shown(_ text: String) -> String { redactor.text(text).printable }
}
