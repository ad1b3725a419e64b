/// Why a run ended before its tasks did.
public enum RunStop: Hashable, Sendable {
    /// A signal asked for it: the status that the signal gives.
    case signal(ExitStatus)
    /// The machine does not allow to go on, such as a full disk.
    case parked
    /// What the job may use up is used up.
    case budget(Budget)

    var isBudget: Bool {
        if case .budget = self { return true }
        return false
    }

    /// A part of `limits.budget`, with its ceiling.
    public enum Budget: Hashable, Sendable {
        case bytes(Int64)
        case time(Duration)
    }
}

/// Counts what a run's tasks came to, and draws the run's outcome and exit status from that.
public struct RunTally: Hashable, Sendable {
    public private(set) var counts: [TaskFinished.Outcome: Int] = [:]
    /// Size of all files that are in place.
    public private(set) var bytes: Int64 = 0
    /// Body bytes that came over the network.
    public private(set) var transferred: Int64 = 0
    /// Body bytes that uploads have sent.
    public private(set) var sent: Int64 = 0
    /// Required and optional tasks that did not get what they were for.
    public private(set) var missedRequired = 0
    public private(set) var missedOptional = 0
    /// Tasks whose files are not those of the lock file.
    public private(set) var drifted = 0
    private let isLocked: Bool

    /// - Parameter isLocked: whether the tasks are held to a lock file.
    public init(isLocked: Bool = false) {
        self.isLocked = isLocked
    }

    /// Adds a task that has ended.
    public mutating func add(_ task: TaskFinished) {
        counts[task.outcome, default: 0] += 1
        transferred = transferred.addingWithoutOverflow(task.transferred)
        sent = sent.addingWithoutOverflow(task.sent ?? 0)
        switch task.outcome {
        case .succeeded, .upToDate:
            bytes = bytes.addingWithoutOverflow(task.bytes ?? 0)
        case .failed, .blocked:
            if isLocked, task.failure?.differences.isEmpty == false { drifted += 1 }
            if task.isOptional { missedOptional += 1 } else { missedRequired += 1 }
        case .cancelled, .skipped:
            // Told by what stopped the run: a signal, a full disk, or the failure that --fail-fast saw.
            break
        }
    }

    /// Adds tasks whose files were found as they have to be, with the size of all of them.
    public mutating func addUpToDate(_ tasks: Int, bytes size: Int64) {
        counts[.upToDate, default: 0] += tasks
        bytes = bytes.addingWithoutOverflow(size)
    }

    /// The strongest of all statuses that hold.
    public func exitStatus(stop: RunStop? = nil) -> ExitStatus {
        var statuses: [ExitStatus] = []
        switch stop {
        case .signal(let status): statuses.append(status)
        case .parked, .budget: statuses.append(.cannotGoOn)
        case nil: break
        }
        if drifted > 0 { statuses.append(.differs) }
        if missedRequired > 0 { statuses.append(.failed) }
        if missedOptional > 0 { statuses.append(.optionalFailed) }
        return .strongest(of: statuses)
    }

    /// The last event of a run.
    public func runFinished(stop: RunStop? = nil, duration: Duration) -> RunFinished {
        let outcome: RunFinished.Outcome =
            switch stop {
            case .signal: .cancelled
            case .parked, .budget: .parked
            case nil where missedRequired > 0: .failed
            case nil where missedOptional > 0: .partial
            case nil: .succeeded
            }
        return RunFinished(
            outcome: outcome, counts: counts, bytes: bytes, transferred: transferred, duration: duration,
            exitStatus: exitStatus(stop: stop).rawValue, sent: sent)
    }
}

extension Int64 {
    /// The sum, or the largest number where it would not fit; for counts of bytes that a server names.
    fileprivate func addingWithoutOverflow(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
