/// The order in which tasks start: what a task needs first, then priority, then critical path, then file order.
enum StartOrder {
    /// Tasks on the longest chain of dependents that begins at each task, itself included.
    ///
    /// `needs` must be free of cycles; a task on a cycle would keep 1.
    static func criticalPaths(needs: [[Int]]) -> [Int] {
        var waitingDependents = Array(repeating: 0, count: needs.count)
        for needed in needs { for need in needed { waitingDependents[need] += 1 } }
        var lengths = Array(repeating: 1, count: needs.count)
        var done = needs.indices.filter { waitingDependents[$0] == 0 }
        while let task = done.popLast() {
            for need in needs[task] {
                lengths[need] = max(lengths[need], lengths[task] + 1)
                waitingDependents[need] -= 1
                if waitingDependents[need] == 0 { done.append(need) }
            }
        }
        return lengths
    }

    /// All tasks in the order in which they would start with one slot; O(n log n).
    static func order(needs: [[Int]], priorities: [Int], criticalPaths: [Int]) -> [Int] {
        let preferred = needs.indices.sorted {
            (priorities[$1], criticalPaths[$1], $0) < (priorities[$0], criticalPaths[$0], $1)
        }
        var ranks = Array(repeating: 0, count: needs.count)
        for (rank, task) in preferred.enumerated() { ranks[task] = rank }
        var missing = needs.map(\.count)
        let dependents = dependents(needs: needs)
        var ready = MinHeap()
        for task in needs.indices where missing[task] == 0 { ready.insert(ranks[task]) }
        var order: [Int] = []
        order.reserveCapacity(needs.count)
        while let rank = ready.popFirst() {
            let next = preferred[rank]
            order.append(next)
            for dependent in dependents[next] {
                missing[dependent] -= 1
                if missing[dependent] == 0 { ready.insert(ranks[dependent]) }
            }
        }
        return order
    }

    /// The tasks that need each task, ascending.
    static func dependents(needs: [[Int]]) -> [[Int]] {
        var dependents: [[Int]] = Array(repeating: [], count: needs.count)
        for (task, needed) in needs.enumerated() { for need in needed { dependents[need].append(task) } }
        return dependents
    }
}
