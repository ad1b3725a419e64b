internal import RunnerJob

/// Writes a list as a job file.
struct JobText {
    private let list: ImportedList
    /// Fields that every task has alike, and that `defaults` can have.
    private let common: [ImportedField]

    /// Fields that each task must have for itself.
    private static let own: Set<String> = ["id", "size", "name", "save_cookies", "method", "body"]

    init(_ list: ImportedList) {
        self.list = list
        guard list.tasks.count > 1, let first = list.tasks.first else {
            common = []
            return
        }
        var common = first.fields.filter { field in
            !Self.own.contains(field.key) && DigestAlgorithm(rawValue: field.key) == nil
        }
        for task in list.tasks where !common.isEmpty {
            let fields = Set(task.fields)
            common.removeAll { !fields.contains($0) }
        }
        self.common = common
    }

    /// The text; the same list gives the same bytes.
    ///
    /// - Parameter heading: a comment on its first line.
    func text(heading: String) -> String {
        var text = "# \(heading)\nversion: 1\n"
        if !list.limits.isEmpty { Self.write([ImportedField("limits", .map(list.limits))], indent: 0, to: &text) }
        if !common.isEmpty { Self.write([ImportedField("defaults", .map(common))], indent: 0, to: &text) }
        text += "tasks:\n"
        let known = Set(common)
        for task in list.tasks { write(task, known, to: &text) }
        return text
    }

    private func write(_ task: ImportedTask, _ known: Set<ImportedField>, to text: inout String) {
        let fields = task.fields.filter { !known.contains($0) }
        guard let first = task.urls.first else { return }
        guard task.urls.count > 1 || task.to != nil || !fields.isEmpty else {
            text += "  - \(Self.scalar(first))\n"
            return
        }
        text += "  - download: \(Self.scalar(first))\n"
        if task.urls.count > 1 {
            text += "    mirrors:\n"
            for url in task.urls.dropFirst() { text += "      - \(Self.scalar(url))\n" }
        }
        if let to = task.to { text += "    to: \(Self.scalar(to))\n" }
        Self.write(fields, indent: 4, to: &text)
    }

    private static func write(_ fields: [ImportedField], indent: Int, to text: inout String) {
        let margin = String(repeating: " ", count: indent)
        for field in fields {
            text += "\(margin)\(YAMLScalar.shortest(field.key)):"
            switch field.value {
            case .text(let value): text += " \(scalar(value))\n"
            case .secret(let name): text += " ${secret:\(name)}\n"
            case .map(let fields):
                text += "\n"
                write(fields, indent: indent + 2, to: &text)
            }
        }
    }

    private static func scalar(_ text: String) -> String {
        YAMLScalar.shortest(YAMLScalar.withoutVariables(text))
    }
}
