import RunnerJob

/// Why a run did not do all that was planned, in words.
enum StopText {
    /// Nil where the outcome says it all.
    static func reason(_ stop: RunStop?, _ limits: Limits, hasFailedTooOften: Bool) -> String? {
        switch stop {
        case .budget(.bytes(let bytes)): return "the budget of \(bytes) bytes is used up (limits.budget.bytes)"
        case .budget(.time(let time)): return "the budget of \(time.words) is used up (limits.budget.time)"
        case .signal, .parked: return nil
        case nil: break
        }
        guard hasFailedTooOften else { return nil }
        switch limits.failures {
        case .unlimited: return nil
        case .count(1): return "stopped after the first failure (limits.failures)"
        case .count(let count): return "stopped after \(count) failures (limits.failures)"
        case .percent(let percent): return "stopped after \(percent)% of the tasks had failed (limits.failures)"
        }
    }
}
