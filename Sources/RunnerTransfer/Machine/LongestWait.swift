import RunnerJob

/// The longest wait that a server may ask of a task, and the field of the job that does not allow more.
struct LongestWait: Hashable, Sendable {
    var allowed: Duration
    var bound: Fault.WaitBound

    /// Why a task that is asked to wait longer fails; without a status it was an earlier run that was asked.
    func cause(_ status: Int?, _ wait: Duration) -> Fault.Cause {
        .waitTooLong(status: status, wait, allowed: allowed, by: bound)
    }
}

extension TransferMachine.Configuration {
    /// What `timeout.total` leaves is waited for in vain beyond its end; only `max_wait` bounds what lies before.
    func longestWait(at now: Duration) -> LongestWait {
        let maxWait = policy.settings.maxWait
        guard let total, total - now < maxWait else { return LongestWait(allowed: maxWait, bound: .maxWait) }
        return LongestWait(allowed: max(.zero, total - now), bound: .total)
    }
}
