internal import RunnerJob

/// Finds tasks by the names that people use for them: ids first, then destinations.
struct NameIndex {
    private var ids: [ExactText: Int] = [:]
    private let destinations: DestinationIndex
    private let known: [String]

    init(_ tasks: [JobTask], destinations: DestinationIndex, findings: inout Findings) {
        self.destinations = destinations
        known = tasks.map(\.id.text)
        ids.reserveCapacity(tasks.count)
        for index in tasks.indices {
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
        ids[name] ?? destinations.writer(ofText: name)
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
