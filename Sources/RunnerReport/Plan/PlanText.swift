public import RunnerExecution
internal import RunnerJob
public import RunnerPlan

/// A plan for people: one line a task in the order in which tasks start, then what it comes to.
public struct PlanText: Sendable {
    private let style: Style
    private let redactor: Redactor

    /// Names longer than this do not widen the column of the others.
    private static let widestName = 60
    /// Tasks named after "after"; the others are counted.
    private static let namedNeeds = 3
    private static let namedChain = 8

    /// Text with marks for a terminal or without; secrets of the plan's job are masked.
    ///
    /// - Parameter probe: what the servers said; it fills in sizes that the plan did not know.
    public init(_ plan: Plan, probe: PlanProbe? = nil, style: Style = .plain) {
        self.plan = probe?.applied(to: plan) ?? plan
        self.probe = probe
        self.style = style
        redactor = Redactor(secrets: plan.job.secrets)
    }

    private let plan: Plan
    private let probe: PlanProbe?

    /// The whole text, each line ended by a line feed.
    public var text: String {
        let totals = PlanTotals(plan)
        return lines + (plan.tasks.isEmpty ? "" : "\n") + summary(totals)
    }

    private var lines: String {
        let names = plan.tasks.map { redactor.url($0.title).printable }
        let width = names.map(\.count).filter { $0 <= Self.widestName }.max() ?? 0
        var text = ""
        for index in plan.order {
            let task = plan.tasks[index]
            let size = task.bytes.map(ByteCount.text) ?? ""
            let line =
                set(task.verdict, task.verdict.words.padded(to: 12)) + " " + names[index].padded(to: width) + " "
                + String(repeating: " ", count: max(0, 9 - size.count)) + size + "   " + reason(of: task)
            text += line + "\n"
            for source in probe?.tasks[index] ?? [] { text += answer(of: source) }
        }
        return text
    }

    private func answer(of source: SourceProbe) -> String {
        let text = source.telling(redactor)
        return "    \(shownURL(source.url)): "
            + (source.failure == nil ? text : style.failure("would fail") + ", " + text) + "\n"
    }

    private func asked(_ probe: PlanProbe) -> String {
        let sources = probe.tasks.values.reduce(0) { $0 + $1.count }
        let failing = probe.failingTasks
        let text = "asked: \(sources) \(sources == 1 ? "source" : "sources"); "
        guard !failing.isEmpty else { return text + "no task would fail\n" }
        let named = failing.prefix(Self.namedChain).map { shown(plan.tasks[$0].task.id.text) }
        let more = failing.count > named.count ? " and \(failing.count - named.count) more" : ""
        let tasks = failing.count == 1 ? "1 task" : "\(failing.count) tasks"
        return text + style.failure("\(tasks) would fail") + ": " + named.joined(separator: ", ") + more + "\n"
    }

    private func reason(of task: PlannedTask) -> String {
        var text = task.reason.words(masked: redactor)
        if !task.needs.isEmpty {
            let named = task.needs.prefix(Self.namedNeeds).map { shown(plan.tasks[$0].task.id.text) }
            let more = task.needs.count - named.count
            text += "; after " + named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        }
        return text
    }

    private func summary(_ totals: PlanTotals) -> String {
        let counts = Verdict.allCases.compactMap { verdict in
            totals.counts[verdict].map { "\($0) \(verdict.words)" }
        }
        let number = plan.tasks.count
        var text = style.strong("\(number) \(number == 1 ? "task" : "tasks")")
        text += counts.isEmpty ? ": nothing to do\n" : ": " + counts.joined(separator: ", ") + "\n"
        guard number > 0 else { return text }
        text += "to fetch: \(fetching(totals))\n"
        if totals.sendBytes > 0 { text += "to send: \(ByteCount.text(totals.sendBytes))\n" }
        text += limits(totals)
        if let probe { text += asked(probe) }
        if totals.readBytes > 0 { text += "to read and compare: \(ByteCount.text(totals.readBytes))\n" }
        if totals.longestChain.count > 1 { text += "longest chain: \(chain(totals.longestChain))\n" }
        if totals.worstWait > .zero {
            text += "longest wait between attempts: \(totals.worstWait.words) a task, if every attempt fails\n"
        }
        return text
    }

    /// What the job's `limits` make of the run.
    private func limits(_ totals: PlanTotals) -> String {
        let limits = plan.job.limits
        var text = ""
        if let time = plan.waitsUntil { text += style.warning("would wait until \(time)") + " (limits.window)\n" }
        if let rate = limits.rate, totals.fetchBytes > 0 {
            let time = Duration.seconds(Double(totals.fetchBytes) / Double(rate))
            text += "at \(ByteCount.text(rate))/s (limits.rate): \(time.words) or longer\n"
        }
        let budget = [limits.budget.bytes.map(ByteCount.text), limits.budget.time?.words].compactMap { $0 }
        if !budget.isEmpty {
            text += "budget: " + budget.joined(separator: ", ")
            text += totals.exceedsBudget ? style.warning("; the run would stop before the end") + "\n" : "\n"
        }
        return text
    }

    private func fetching(_ totals: PlanTotals) -> String {
        var text = ByteCount.text(totals.fetchBytes)
        if totals.unknownSizes > 0 {
            text += " and \(totals.unknownSizes) \(totals.unknownSizes == 1 ? "file" : "files") of unknown size"
        }
        if let free = totals.freeBytes { text += "; \(ByteCount.text(free)) free" }
        return totals.exceedsFreeSpace ? text + style.failure(": does not fit") : text
    }

    private func chain(_ tasks: [Int]) -> String {
        let named = tasks.prefix(Self.namedChain).map { shown(plan.tasks[$0].task.id.text) }
        let more = tasks.count > named.count ? " → …" : ""
        return "\(tasks.count) tasks, \(named.joined(separator: " → "))\(more)"
    }

    private func set(_ verdict: Verdict, _ text: String) -> String {
        switch verdict {
        case .upToDate: style.faint(text)
        case .fetch, .resume, .revalidate, .verify, .run: style.strong(text)
        }
    }

    private func shownURL(_ text: String) -> String { redactor.url(text).printable }

    private func shown(_ text: String) -> String { redactor.text(text).printable }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
