internal import RunnerJob
public import RunnerPlan

/// What a plan comes to as a whole.
public struct PlanTotals: Hashable, Sendable {
    /// Tasks by verdict; a verdict that no task has is left out.
    public var counts: [Verdict: Int] = [:]
    /// Bytes to fetch, as far as sizes are known; a part that is on the disk already is not counted.
    public var fetchBytes: Int64 = 0
    /// Bytes to send, as far as the files are there.
    public var sendBytes: Int64 = 0
    /// Files to fetch whose size is not known.
    public var unknownSizes = 0
    /// Bytes on the disk that would be read to compare digests.
    public var readBytes: Int64 = 0
    /// Free bytes for the job's directory, where known.
    public var freeBytes: Int64?
    /// Indices of tasks that need each other in a row; the longest such chain.
    public var longestChain: [Int] = []
    /// Longest time that one task can spend in waits between attempts; waits that a server asks for come on top.
    public var worstWait = Duration.zero

    /// Whether the files of known size do not fit on the disk.
    public var exceedsFreeSpace: Bool { freeBytes.map { fetchBytes > $0 } ?? false }

    /// Bytes that the job lets one run transfer; nil for no limit.
    public var budgetBytes: Int64?

    /// Whether the files of known size are more than one run may transfer.
    public var exceedsBudget: Bool { budgetBytes.map { fetchBytes > $0 } ?? false }

    /// Adds a plan up.
    public init(_ plan: Plan) {
        freeBytes = plan.freeSpace
        budgetBytes = plan.job.limits.budget.bytes
        longestChain = Self.longestChain(of: plan)
        for task in plan.tasks {
            counts[task.verdict, default: 0] += 1
            add(task)
        }
    }

    private mutating func add(_ task: PlannedTask) {
        switch task.verdict {
        case .fetch, .resume, .revalidate:
            if let bytes = task.bytes { fetchBytes = fetchBytes.clampedSum(bytes) } else { unknownSizes += 1 }
            worstWait = max(worstWait, task.task.retry.worstWait)
        case .verify:
            readBytes = readBytes.clampedSum(task.bytes ?? 0)
            worstWait = max(worstWait, task.task.retry.worstWait)
        case .run where task.kind == .upload:
            sendBytes = sendBytes.clampedSum(task.bytes ?? 0)
            worstWait = max(worstWait, task.task.retry.worstWait)
        case .upToDate, .run:
            break
        }
    }

    private static func longestChain(of plan: Plan) -> [Int] {
        // Of chains of one length the first in file order; going down, each next task is one step shorter.
        guard let length = plan.tasks.map(\.criticalPath).max() else { return [] }
        var chain: [Int] = []
        for task in plan.order where plan.tasks[task].criticalPath == length - chain.count {
            if let last = chain.last, !plan.tasks[task].needs.contains(last) { continue }
            chain.append(task)
        }
        return chain
    }
}

extension RetrySettings {
    /// The sum of the longest waits between rounds that these settings allow.
    var worstWait: Duration {
        let ceiling = max.inSeconds
        var rounds = attempts - 1
        var wait = Swift.min(first.inSeconds, ceiling)
        let step = wait
        var sum = 0.0
        // Waits that grow too slowly to get anywhere are taken for the ceiling.
        var steps = 0
        while rounds > 0 {
            steps += 1
            if steps > 10_000 { wait = ceiling }
            if wait >= ceiling || backoff == .constant || wait <= 0 || (backoff == .exponential && factor <= 1) {
                sum += Double(rounds) * wait
                break
            }
            sum += wait
            rounds -= 1
            wait = Swift.min(ceiling, backoff == .linear ? wait + step : wait * factor)
        }
        // Beyond any clock, but within what a Duration holds.
        let total = Duration.seconds(Swift.min(sum, 1e15))
        return deadline.map { Swift.min($0, total) } ?? total
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension Int64 {
    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
