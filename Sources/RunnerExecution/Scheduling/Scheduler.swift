internal import RunnerJob
public import RunnerPlan

/// Decides which task of a plan starts next; pure: it knows no clock and performs nothing.
///
/// The executor asks ``next()`` until it answers nil, then tells what happens to the tasks it was given:
/// ``yielded(_:)`` when one needs no slot, ``woke(_:)`` when it wants to go on, ``finished(_:_:)`` when it has ended.
/// Every task ends exactly once: by `finished`, or in the list that `finished` or ``stop(_:)`` gives back.
/// A call takes O(log n), leaving aside what it reports as ended. A call that does not fit a task's state is ignored.
///
/// A slot is held from `next` to `yielded` or `finished`. The cap on a lane (an origin) works in the same way, and
/// keeps the slots free for other origins when one has more tasks than it may have requests.
public struct Scheduler: Sendable {
    /// How a task that was started has ended.
    public enum Result: Hashable, Sendable {
        /// Done, or found up to date.
        case succeeded
        case failed
        /// Stopped, by a signal for example.
        case cancelled
        /// Given up without a fault of its own, such as when the disk is full.
        case skipped
    }

    /// What to do with a task now.
    public enum Step: Hashable, Sendable {
        case start(Int)
        /// Goes on after a sleep.
        case resume(Int)
    }

    /// A task that ended without having been started.
    public struct Ended: Hashable, Sendable {
        public enum Cause: Hashable, Sendable {
            /// Something it needs failed; `by` is the task whose failure began it.
            case blocked(by: Int)
            case cancelled
            case skipped
        }

        public var task: Int
        public var cause: Cause

        public init(_ task: Int, _ cause: Cause) {
            self.task = task
            self.cause = cause
        }
    }

    /// waiting → ready → running → (sleeping → awake → running)* → ended; a waiting or ready task can end at once.
    private enum State: Sendable {
        /// That many of its needs have not succeeded yet.
        case waiting(needs: Int)
        case ready
        case running
        /// Has given its slot back: it waits for a time, or for its disk.
        case sleeping
        /// Slept, and waits for a slot.
        case awake
        case ended
    }

    private let dependents: [[Int]]
    /// Position of each task in the plan's order, and back.
    private let ranks: [Int]
    private let order: [Int]
    private var lanes: [Int?]
    private let concurrency: Int
    private let perLane: Int
    /// Failures of required tasks after which nothing more starts; nil for none.
    private let failureLimit: Int?
    private var failures = 0
    /// Whether nothing may start in any lane for now, as outside the job's hours.
    private var isClosed = false
    /// Lanes that stay open when the others are closed: those that ask no server.
    private var exempt: Set<Int> = []
    private let isOptional: [Bool]

    private var states: [State]
    /// Ranks of the tasks that are ready or awake and whose lane was not full when last looked at.
    private var candidates = MinHeap()
    private var laneStates: [Int: Lane] = [:]

    /// Tasks that hold a slot.
    public private(set) var running = 0
    /// Tasks that have not ended.
    public private(set) var remaining: Int

    private struct Lane {
        var running = 0
        /// Slots, where it is not as many as all lanes have.
        var cap: Int?
        /// Whether nothing may start in it for now, such as after a Retry-After.
        var isHeld = false
        /// Ranks that found the lane full.
        var held = MinHeap()
    }

    /// Takes the graph of a plan.
    ///
    /// - Parameters:
    ///   - concurrency: Slots, at least 1.
    ///   - lanes: For each task the lane it runs in, or nil; an empty array for no lanes at all.
    ///   - perLane: Slots of each lane, at least 1.
    ///   - failureLimit: Failures of required tasks that end what has not started; nil for none.
    public init(
        _ plan: Plan, concurrency: Int, lanes: [Int?] = [], perLane: Int = .max, failureLimit: Int? = nil
    ) {
        self.init(
            needs: plan.tasks.map(\.needs), order: plan.order, isOptional: plan.tasks.map(\.task.isOptional),
            concurrency: concurrency, lanes: lanes, perLane: perLane, failureLimit: failureLimit)
    }

    /// Takes a bare graph: what each task needs, and an order that respects it.
    init(
        needs: [[Int]], order: [Int], isOptional: [Bool], concurrency: Int, lanes: [Int?] = [],
        perLane: Int = .max, failureLimit: Int? = nil
    ) {
        var ranks = Array(repeating: 0, count: needs.count)
        for (rank, task) in order.enumerated() { ranks[task] = rank }
        self.ranks = ranks
        self.order = order
        self.isOptional = isOptional
        self.concurrency = max(1, concurrency)
        self.perLane = max(1, perLane)
        self.lanes = lanes.count == needs.count ? lanes : Array(repeating: nil, count: needs.count)
        self.failureLimit = failureLimit
        var dependents: [[Int]] = Array(repeating: [], count: needs.count)
        for (task, needed) in needs.enumerated() { for need in needed { dependents[need].append(task) } }
        self.dependents = dependents
        remaining = needs.count
        states = needs.map { $0.isEmpty ? .ready : .waiting(needs: $0.count) }
        for (task, needed) in needs.enumerated() where needed.isEmpty { candidates.insert(ranks[task]) }
    }

    /// Whether every task has ended.
    public var isDone: Bool { remaining == 0 }

    /// Tasks that were started and have not ended: they run, sleep, or wait for a slot after a sleep; ascending.
    public var live: [Int] {
        states.indices.filter {
            switch states[$0] {
            case .running, .sleeping, .awake: true
            case .waiting, .ready, .ended: false
            }
        }
    }

    /// Whether as many required tasks have failed as a run may have.
    public var hasFailedTooOften: Bool { failureLimit.map { failures >= $0 } ?? false }

    /// Gives a slot to the first task in the plan's order that may have one; nil when none may for now.
    ///
    /// - Parameter leaves: whether a task has something better to do than to wait for its lane, which is held; it is
    ///   then given out without a lane.
    public mutating func next(leaves: (Int) -> Bool = { _ in false }) -> Step? {
        while running < concurrency, let rank = candidates.popFirst() {
            let task = order[rank]
            let step: Step
            switch states[task] {
            case .ready: step = .start(task)
            case .awake: step = .resume(task)
            case .waiting, .running, .sleeping, .ended:
                // Ended while it waited here; another task of its lane may have been held back for it.
                retryHeld(of: task)
                continue
            }
            if let lane = lanes[task] {
                if room(in: lane) > 0 {
                    laneStates[lane, default: Lane()].running += 1
                } else if !isClosed, laneStates[lane]?.isHeld == true, leaves(task) {
                    lanes[task] = nil
                } else {
                    laneStates[lane, default: Lane()].held.insert(rank)
                    continue
                }
            }
            running += 1
            states[task] = .running
            return step
        }
        return nil
    }

    /// Lends a slot of a lane that no ready task wants, for one more connection of a task that runs.
    ///
    /// - Returns: whether there was one; it is held until ``giveBack(_:)``.
    public mutating func lend(_ lane: Int?) -> Bool {
        guard running < concurrency, candidates.isEmpty else { return false }
        if let lane {
            guard room(in: lane) > 0, laneStates[lane]?.held.isEmpty ?? true else { return false }
            laneStates[lane, default: Lane()].running += 1
        }
        running += 1
        return true
    }

    /// Takes a lent slot back.
    public mutating func giveBack(_ lane: Int?) {
        running -= 1
        guard let lane else { return }
        laneStates[lane]?.running -= 1
        retryHeld(in: lane)
    }

    /// A running task gives its slot back; it sleeps, or ends without needing it again.
    public mutating func yielded(_ task: Int) {
        guard case .running? = state(task) else { return }
        states[task] = .sleeping
        releaseSlot(of: task)
    }

    /// A sleeping task wants to go on; ``next()`` will give it a slot in its turn.
    public mutating func woke(_ task: Int) {
        guard states.indices.contains(task) else { return }
        woke(task, in: lanes[task])
    }

    /// A sleeping task wants to go on in another lane, such as that of a mirror or of a redirect's target.
    public mutating func woke(_ task: Int, in lane: Int?) {
        guard case .sleeping? = state(task) else { return }
        lanes[task] = lane
        states[task] = .awake
        candidates.insert(ranks[task])
    }

    /// Keeps tasks from starting in a lane, until ``letGo(_:)``; those that run go on.
    public mutating func hold(_ lane: Int) {
        laneStates[lane, default: Lane()].isHeld = true
    }

    /// Lets tasks start in a lane again.
    public mutating func letGo(_ lane: Int) {
        guard laneStates[lane]?.isHeld == true else { return }
        laneStates[lane]?.isHeld = false
        fill(lane)
    }

    /// Looks anew at all that wait in a held lane, so that ``next(leaves:)`` asks about each of them.
    public mutating func reconsider(_ lane: Int) {
        while let rank = laneStates[lane]?.held.popFirst() { candidates.insert(rank) }
    }

    /// Gives a lane another number of slots than all have, nil for the same; those that run go on.
    public mutating func setCap(_ cap: Int?, of lane: Int) {
        guard laneStates[lane]?.cap != cap else { return }
        laneStates[lane, default: Lane()].cap = cap
        fill(lane)
    }

    /// Keeps a lane open when the others are closed.
    public mutating func exempt(_ lane: Int) { exempt.insert(lane) }

    /// Keeps tasks from starting in any lane, until ``open()``; those that have no lane may start.
    public mutating func close() { isClosed = true }

    /// Lets tasks start in the lanes again.
    public mutating func open() {
        isClosed = false
        for lane in laneStates.keys.sorted() { fill(lane) }
    }

    /// Whether tasks may start in the lanes at all.
    public var isOpen: Bool { !isClosed }

    /// Whether a running task holds a slot of this lane.
    public func isRunning(_ task: Int, in lane: Int?) -> Bool {
        guard case .running? = state(task) else { return false }
        return lanes[task] == lane
    }

    /// Tasks and lent slots under way in a lane.
    public func running(in lane: Int) -> Int { laneStates[lane]?.running ?? 0 }

    /// Whether a task was found to be ready for a lane that was full or held.
    public func isWaiting(in lane: Int) -> Bool { laneStates[lane]?.held.isEmpty == false }

    private func room(in lane: Int) -> Int {
        guard !isClosed || exempt.contains(lane), laneStates[lane]?.isHeld != true else { return 0 }
        return (laneStates[lane]?.cap ?? perLane) - running(in: lane)
    }

    /// Moves as many tasks that a lane holds back to the candidates as it has room for.
    private mutating func fill(_ lane: Int) {
        var free = room(in: lane)
        while free > 0, let rank = laneStates[lane]?.held.popFirst() {
            if case .ended = states[order[rank]] { continue }
            candidates.insert(rank)
            free -= 1
        }
    }

    /// A task that was started has ended; returns the tasks that end with it, in the plan's order.
    public mutating func finished(_ task: Int, _ result: Result) -> [Ended] {
        switch state(task) {
        case .running: releaseSlot(of: task)
        case .sleeping, .awake: break
        case .waiting, .ready, .ended, nil: return []
        }
        end(task)
        switch result {
        case .succeeded:
            for dependent in dependents[task] { oneNeedSucceeded(dependent) }
            return []
        case .failed:
            let blocked = endDependents(of: task, .blocked(by: task))
            if !isOptional[task] { failures += 1 }
            return hasFailedTooOften ? blocked + stop(.skipped) : blocked
        case .cancelled:
            return endDependents(of: task, .cancelled)
        case .skipped:
            return endDependents(of: task, .skipped)
        }
    }

    /// Ends every task that has not started, in the plan's order; those that are ``live`` are left to the executor.
    public mutating func stop(_ cause: Ended.Cause) -> [Ended] {
        var ended: [Ended] = []
        for task in order where hasNotStarted(task) {
            end(task)
            ended.append(Ended(task, cause))
        }
        return ended
    }

    private func state(_ task: Int) -> State? {
        states.indices.contains(task) ? states[task] : nil
    }

    private func hasNotStarted(_ task: Int) -> Bool {
        switch states[task] {
        case .waiting, .ready: true
        case .running, .sleeping, .awake, .ended: false
        }
    }

    private mutating func end(_ task: Int) {
        states[task] = .ended
        remaining -= 1
    }

    private mutating func oneNeedSucceeded(_ task: Int) {
        guard case .waiting(let needs) = states[task] else { return }
        if needs > 1 {
            states[task] = .waiting(needs: needs - 1)
        } else {
            states[task] = .ready
            candidates.insert(ranks[task])
        }
    }

    /// Ends all that waits for a task, directly or through others.
    private mutating func endDependents(of task: Int, _ cause: Ended.Cause) -> [Ended] {
        var pending = dependents[task]
        var ended: [Int] = []
        while let next = pending.popLast() {
            guard hasNotStarted(next) else { continue }
            end(next)
            ended.append(ranks[next])
            pending += dependents[next]
        }
        return ended.sorted().map { Ended(order[$0], cause) }
    }

    /// Frees a slot, and lets the first task that found the lane full try again.
    private mutating func releaseSlot(of task: Int) {
        running -= 1
        guard let lane = lanes[task] else { return }
        laneStates[lane]?.running -= 1
        retryHeld(of: task)
    }

    /// Moves the first task that a lane holds back, and that has not ended since, to the candidates.
    private mutating func retryHeld(of task: Int) {
        if let lane = lanes[task] { retryHeld(in: lane) }
    }

    private mutating func retryHeld(in lane: Int) {
        while let rank = laneStates[lane]?.held.popFirst() {
            if case .ended = states[order[rank]] { continue }
            candidates.insert(rank)
            return
        }
    }
}
