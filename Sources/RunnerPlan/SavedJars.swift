internal import RunnerJob

/// Cookie jars that several tasks save.
enum SavedJars {
    /// Warns of each jar that tasks save in no set order: only what the last of them saves is left.
    ///
    /// - Parameter graph: has no cycle.
    static func check(_ tasks: [JobTask], _ graph: TaskGraph, findings: inout Findings) {
        var savers: [ExactText: [Int]] = [:]
        for (index, task) in tasks.enumerated() {
            if let jar = task.action.request?.network.savedCookies { savers[ExactText(jar), default: []].append(index) }
        }
        savers = savers.filter { $0.value.count > 1 }
        if savers.isEmpty { return }
        let levels = levels(graph, count: tasks.count)
        for (jar, indices) in savers {
            // In a chain each task is on a higher level than the one before it.
            let sorted = indices.sorted { (levels[$0], $0) < (levels[$1], $1) }
            guard let pair = zip(sorted, sorted.dropFirst()).first(where: { !isNeeded($0, by: $1, graph, levels) })
            else { continue }
            let (one, other) = (min(pair.0, pair.1), max(pair.0, pair.1))
            findings.warning(
                "`save_cookies: \(jar)` stands in tasks of which neither needs the other; what the last of them saves is"
                    + " all that is left", at: tasks[other].place,
                notes: [Diagnostic.Note("another one is here", at: tasks[one].place)])
        }
    }

    /// Tasks on the longest way to each task, itself included.
    private static func levels(_ graph: TaskGraph, count: Int) -> [Int] {
        var levels = [Int](repeating: 0, count: count)
        for start in 0..<count where levels[start] == 0 {
            var way = [start]
            while let index = way.last {
                if let open = graph.needs[index].first(where: { levels[$0.task] == 0 }) {
                    way.append(open.task)
                } else {
                    levels[index] = 1 + (graph.needs[index].map { levels[$0.task] }.max() ?? 0)
                    way.removeLast()
                }
            }
        }
        return levels
    }

    private static func isNeeded(_ task: Int, by other: Int, _ graph: TaskGraph, _ levels: [Int]) -> Bool {
        var seen: Set<Int> = [other]
        var open = [other]
        while let index = open.popLast() {
            for need in graph.needs[index] where levels[need.task] >= levels[task] && seen.insert(need.task).inserted {
                if need.task == task { return true }
                open.append(need.task)
            }
        }
        return false
    }
}
