import RunnerJob
import RunnerStorage

/// Why a run did not do all that was planned, in words.
enum StopText {
    /// Nil where the outcome says it all.
    static func reason(_ stop: RunStop?, _ limits: Limits, hasFailedTooOften: Bool, parking: Parking) -> String? {
        switch stop {
        case .budget(.bytes(let bytes)): return "the budget of \(bytes) bytes is used up (limits.budget.bytes)"
        case .budget(.time(let time)): return "the budget of \(time.words) is used up (limits.budget.time)"
        case .signal: return nil
        case .parked: return parking.message ?? parking.first.map { reason($0, missing: parking.missing) }
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

    /// Why nothing more was begun.
    private static func reason(_ error: StorageError, missing: Int64?) -> String {
        switch error {
        case .noSpace: "no space left" + (missing.map { ", at least \($0) bytes are missing" } ?? "")
        case .overQuota: "the disk quota is used up" + (missing.map { ", at least \($0) bytes are missing" } ?? "")
        default: StorageText.sentence(error)
        }
    }
}
