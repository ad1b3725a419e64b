internal import RunnerJob

extension TaskGraph {
    /// Reports one shortest cycle of every knot of tasks that wait for each other, as a chain with the line of each link.
    func reportCycles(_ tasks: [JobTask], findings: inout Findings) {
        let components = stronglyConnectedComponents()
        for component in components where component.count > 1 {
            let cycle = shortestCycle(through: component.min() ?? component[0], within: Set(component))
            guard let first = cycle.first else { continue }
            let chain = (cycle.map(\.from) + [first.from]).map { tasks[$0].id.text }.joined(separator: " → ")
            findings.error(
                "tasks wait for each other in a cycle: \(chain)", at: first.place,
                notes: cycle.map {
                    Diagnostic.Note("'\(tasks[$0.from].id)' needs '\(tasks[$0.to].id)'", at: $0.place)
                })
        }
    }

    private struct Link {
        var from: Int
        var to: Int
        var place: Place
    }

    /// The shortest chain of needs that leads from a task back to it; breadth first.
    private func shortestCycle(through start: Int, within component: Set<Int>) -> [Link] {
        var cameBy: [Int: Link] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let task = queue[head]
            head += 1
            for need in needs[task] where component.contains(need.task) {
                let link = Link(from: task, to: need.task, place: need.place)
                if need.task == start {
                    var cycle = [link]
                    while let last = cycle.last, last.from != start, let before = cameBy[last.from] {
                        cycle.append(before)
                    }
                    return cycle.reversed()
                }
                if cameBy[need.task] == nil {
                    cameBy[need.task] = link
                    queue.append(need.task)
                }
            }
        }
        return []
    }

    /// Tarjan's algorithm with a stack of its own, so that a chain of any length fits; O(tasks + needs).
    private func stronglyConnectedComponents() -> [[Int]] {
        var walk = ComponentWalk(count: needs.count)
        for root in needs.indices where !walk.isVisited(root) {
            walk.enter(root)
            while let (task, next) = walk.top {
                if next < needs[task].count {
                    walk.advance()
                    let need = needs[task][next].task
                    if walk.isVisited(need) { walk.sawAgain(need, from: task) } else { walk.enter(need) }
                } else {
                    walk.leave()
                }
            }
        }
        return walk.components
    }
}

/// The state of Tarjan's walk through a graph.
private struct ComponentWalk {
    private(set) var components: [[Int]] = []
    private var number: [Int]
    private var low: [Int]
    private var isOpen: [Bool]
    private var open: [Int] = []
    private var path: [(task: Int, next: Int)] = []
    private var counter = 0

    init(count: Int) {
        number = Array(repeating: -1, count: count)
        low = Array(repeating: 0, count: count)
        isOpen = Array(repeating: false, count: count)
    }

    /// The task that is being looked at, and which of its needs comes next.
    var top: (task: Int, next: Int)? { path.last }

    func isVisited(_ task: Int) -> Bool { number[task] >= 0 }

    mutating func enter(_ task: Int) {
        number[task] = counter
        low[task] = counter
        counter += 1
        open.append(task)
        isOpen[task] = true
        path.append((task, 0))
    }

    mutating func advance() { path[path.count - 1].next += 1 }

    mutating func sawAgain(_ task: Int, from other: Int) {
        if isOpen[task] { low[other] = min(low[other], number[task]) }
    }

    mutating func leave() {
        guard let task = path.popLast()?.task else { return }
        if let parent = path.last?.task { low[parent] = min(low[parent], low[task]) }
        guard low[task] == number[task] else { return }
        var component: [Int] = []
        while let member = open.popLast() {
            isOpen[member] = false
            component.append(member)
            if member == task { break }
        }
        components.append(component)
    }
}
