import RunnerJob

/// The longest wait that a server may ask of a task, and the field of the job that does not allow more.
struct LongestWait: Hashable, Sendable {
    var allowed: Duration
    var bound: Fault.WaitBound

    /// What the settings of a task leave at a time of it: beyond the end of a limit is waited for in vain.
    init(_ settings: RetrySettings, total: Duration?, at now: Duration = .zero) {
        self.init(allowed: settings.maxWait, bound: .maxWait)
        for (limit, bound) in [(total, Fault.WaitBound.total), (settings.deadline, .deadline)] {
            guard let limit, limit - now < allowed else { continue }
            self.init(allowed: max(.zero, limit - now), bound: bound)
        }
    }

    private init(allowed: Duration, bound: Fault.WaitBound) {
        self.allowed = allowed
        self.bound = bound
    }

    /// Why a task that is asked to wait longer fails; without a status it was an earlier run that was asked.
    func cause(_ status: Int?, _ wait: Duration) -> Fault.Cause {
        .waitTooLong(status: status, wait, allowed: allowed, by: bound)
    }
}

extension TransferMachine.Configuration {
    func longestWait(at now: Duration) -> LongestWait { LongestWait(policy.settings, total: total, at: now) }
}
