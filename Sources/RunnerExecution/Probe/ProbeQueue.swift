/// Whose turn it is to ask: a cap for all, and a cap and a pace for each key; first come, first served within a key.
struct ProbeQueue<Key: Hashable, Item> {
    /// What holds for one key.
    struct Rule {
        /// Items at a time, at least 1.
        var cap: Int
        /// Time from one item to the next.
        var interval = Duration.zero
    }

    private struct Lane {
        var rule: Rule
        var waiting: [Item] = []
        var next = 0
        var running = 0
        /// Whether it stands among the ready or the paced.
        var isListed = false
        var opensAt = Duration.zero

        var isEmpty: Bool { next == waiting.count }
    }

    private let concurrency: Int
    private let rule: (Key) -> Rule
    private var lanes: [Key: Lane] = [:]
    /// Keys that have something to do and room for it.
    private var ready: [Key] = []
    private var nextReady = 0
    /// Keys that have to wait for their pace.
    private var paced: [Key] = []
    /// Items that were handed out and are not done.
    private(set) var running = 0

    /// - Parameter concurrency: items at a time, at least 1.
    init(concurrency: Int, rule: @escaping (Key) -> Rule) {
        self.concurrency = max(1, concurrency)
        self.rule = rule
    }

    /// Whether nothing waits and nothing runs.
    var isDone: Bool { running == 0 && nextReady == ready.count && paced.isEmpty }

    mutating func add(_ item: Item, for key: Key) {
        lanes[key, default: Lane(rule: rule(key))].waiting.append(item)
        offer(key)
    }

    /// The next item that may begin; nil when none may for now.
    mutating func next(at now: Duration) -> Item? {
        if !paced.isEmpty { release(at: now) }
        while running < concurrency, nextReady < ready.count {
            let key = ready[nextReady]
            nextReady += 1
            if nextReady == ready.count {
                ready.removeAll(keepingCapacity: true)
                nextReady = 0
            }
            if let opensAt = lanes[key]?.opensAt, opensAt > now {
                paced.append(key)
            } else if let item = take(from: key, at: now) {
                return item
            }
        }
        return nil
    }

    /// When the next pace allows something; nil when none waits for that.
    var nextDue: Duration? { paced.compactMap { lanes[$0]?.opensAt }.min() }

    private mutating func take(from key: Key, at now: Duration) -> Item? {
        guard var lane = lanes[key], !lane.isEmpty else { return nil }
        let item = lane.waiting[lane.next]
        lane.next += 1
        lane.running += 1
        lane.isListed = false
        lane.opensAt = now + lane.rule.interval
        if lane.isEmpty {
            lane.waiting = []
            lane.next = 0
        }
        lanes[key] = lane
        running += 1
        offer(key)
        return item
    }

    /// An item of this key is done.
    mutating func finished(_ key: Key) {
        running -= 1
        lanes[key]?.running -= 1
        offer(key)
    }

    private mutating func release(at now: Duration) {
        let due = paced.filter { (lanes[$0]?.opensAt ?? .zero) <= now }
        paced.removeAll { (lanes[$0]?.opensAt ?? .zero) <= now }
        ready += due
    }

    private mutating func offer(_ key: Key) {
        guard let lane = lanes[key], !lane.isListed, !lane.isEmpty, lane.running < max(1, lane.rule.cap) else { return }
        lanes[key]?.isListed = true
        ready.append(key)
    }
}
