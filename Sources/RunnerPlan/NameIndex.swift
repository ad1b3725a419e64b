internal import RunnerJob

/// Finds tasks by the names that people use for them: ids first, then destinations.
struct NameIndex {
    private var ids: [ExactText: Int] = [:]
    private let destinations: DestinationIndex
    private let known: [String]
    /// Uploads by the URLs that they go to, without query; nil where two go to one.
    private var uploads: [ExactText: Int?] = [:]

    init(_ tasks: [JobTask], destinations: DestinationIndex, findings: inout Findings) {
        self.destinations = destinations
        known = tasks.map(\.id.text)
        ids.reserveCapacity(tasks.count)
        for index in tasks.indices {
            if case .upload(let upload) = tasks[index].action {
                let target = Self.withoutQuery(upload.target.url)
                uploads[target] = .some(uploads[target] == nil ? index : nil)
            }
            guard let first = ids[tasks[index].id] else {
                ids[tasks[index].id] = index
                continue
            }
            let task = tasks[index]
            // Two tasks with one destination and no id of their own are reported as two writers.
            guard task.outputs.isEmpty || task.outputs != tasks[first].outputs else { continue }
            findings.error(
                "two tasks have the id '\(task.id)'", at: task.place,
                notes: [Diagnostic.Note("the first of them is here", at: tasks[first].place)])
        }
    }

    subscript(name: ExactText) -> Int? {
        ids[name] ?? destinations.writer(ofText: name) ?? upload(to: name)
    }

    /// The upload that goes to a URL, however that is spelled.
    private func upload(to name: ExactText) -> Int? {
        guard !uploads.isEmpty, name.text.contains("://"),
            let url = try? SourceURL(name.text, at: Place(line: 1, column: 1))
        else { return nil }
        return uploads[Self.withoutQuery(url.url)] ?? nil
    }

    private static func withoutQuery(_ url: ExactText) -> ExactText {
        ExactText(String(decoding: url.text.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self))
    }

    /// The id that a name without a task was probably meant to be.
    func suggestion(for name: ExactText) -> Int? {
        Suggestion.nearest(to: name.text, among: known).flatMap { ids[ExactText($0)] }
    }

    /// Indices, ascending, of the tasks named and of all that they need; every task when nothing is named.
    func select(_ only: [ExactText], tasks: [JobTask], graph: TaskGraph, findings: inout Findings) -> [Int] {
        guard !only.isEmpty else { return Array(tasks.indices) }
        var isSelected = Array(repeating: false, count: tasks.count)
        var pending: [Int] = []
        for name in only {
            if let index = self[name] {
                pending.append(index)
            } else {
                let hint = suggestion(for: name).map { "; did you mean '\(tasks[$0].id)'?" } ?? ""
                findings.error("no task has the id or destination '\(name)'\(hint)", at: nil)
            }
        }
        while let task = pending.popLast() {
            guard !isSelected[task] else { continue }
            isSelected[task] = true
            pending += graph.needs[task].map(\.task)
        }
        return tasks.indices.filter { isSelected[$0] }
    }
}
