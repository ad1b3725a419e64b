/// Reads `limits`: the caps of a whole run.
struct LimitsReader {
    let fields: Fields

    private enum Key: String, CaseIterable {
        case concurrency, cpu
        case perHost = "per_host"
        case rate, window, budget, failures
    }

    func limits(_ node: Node) -> Limits {
        var limits = Limits()
        guard let entries = fields.mapping(node, "limits", example: "{concurrency: 8}") else { return limits }
        fields.each(entries, of: "`limits`", as: Key.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .concurrency: limits.concurrency = fields.integer(value, name, in: 1...10_000) ?? limits.concurrency
            case .cpu: limits.cpu = fields.integer(value, name, in: 1...10_000)
            case .perHost: limits.perHost = fields.integer(value, name, in: 1...10_000) ?? limits.perHost
            case .rate: limits.rate = fields.rate(value, name)
            case .window: limits.windows = windows(value, name)
            case .budget: limits.budget = budget(value)
            case .failures: limits.failures = failures(value) ?? limits.failures
            }
        }
        return limits
    }

    private func windows(_ node: Node, _ name: String) -> [TimeWindow] {
        let items = fields.list(node, name)
        if items.isEmpty {
            fields.faults.error(
                "`\(name)` is an empty list; leave it out if transfers may always run", at: node.place)
        }
        return items.compactMap { window($0) }
    }

    private func window(_ node: Node) -> TimeWindow? {
        guard let text = fields.line(node, "window") else { return nil }
        do throws(TimeWindowFault) {
            return try TimeWindow(text)
        } catch {
            fields.faults.error("\(fields.written(node)) \(error)", at: node.place)
            return nil
        }
    }

    private enum BudgetKey: String, CaseIterable { case bytes, time }

    private func budget(_ node: Node) -> Limits.Budget {
        var budget = Limits.Budget()
        guard let entries = fields.mapping(node, "budget", example: "{bytes: 10GiB}") else { return budget }
        fields.each(entries, of: "`budget`", as: BudgetKey.self) { key, entry in
            switch key {
            case .bytes:
                budget.bytes = fields.size(entry.value, key.rawValue)
                if budget.bytes == 0 { fields.faults.error("`bytes` must be more than zero", at: entry.value.place) }
            case .time: budget.time = fields.duration(entry.value, key.rawValue)
            }
        }
        return budget
    }

    /// `continue`, `stop`, a number, or a share of the required tasks.
    private func failures(_ node: Node) -> Limits.Failures? {
        guard let text = fields.line(node, "failures") else { return nil }
        switch text {
        case "continue": return .unlimited
        case "stop": return .count(1)
        default: break
        }
        let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        if isNumber, let number = Int(digits), number > 0 {
            if !text.hasSuffix("%") { return .count(number) }
            if number <= 100 { return .percent(number) }
        }
        fields.faults.error(
            "`failures` wants `continue`, `stop`, a number from 1, or a share from 1% to 100%, not"
                + " \(fields.written(node))", at: node.place)
        return nil
    }
}
