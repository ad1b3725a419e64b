import RunnerJob
import RunnerPlan
import RunnerTransfer

/// Whether transfers may run by the job's hours (`limits.window`).
enum Hours {
    case open
    case closed(since: Duration)
}

extension RunExecutor {
    /// The clock on the wall may be set, so that it is looked at again after this time at the latest.
    private static let longestLook = Duration.seconds(1)
    /// Connections that rest longer than this are given up, where the file can be gone on with later.
    private static let suspendAfter = Duration.seconds(30)

    /// Opens or closes the run by the clock on the wall.
    func lookAtHours() {
        let windows = plan.job.limits.windows
        guard !windows.isEmpty else { return }
        let now = SteadyClock.now
        let wall = options.wallClock()
        var next = Self.longestLook
        switch WindowState(windows, at: wall, local: options.localTime) {
        case .open(let until):
            open(at: now)
            if let until { next = min(next, .seconds(until - wall)) }
        case .closed(let until):
            close(at: now)
            next = min(next, .seconds(until - wall))
        }
        timers.add(.hours, due: now + next)
    }

    private func close(at now: Duration) {
        guard case .open = hours else { return }
        hours = .closed(since: now)
        scheduler.close()
        engine.rates.close()
        timers.add(.suspend, due: now + Self.suspendAfter)
    }

    private func open(at now: Duration) {
        guard case .closed(let since) = hours else { return }
        hours = .open
        timeClosed += now - since
        scheduler.open()
        engine.rates.open()
    }

    /// Gives up the connections of a run that has been at rest for long.
    func suspendTransfers(at now: Duration) {
        guard case .closed(let since) = hours, now - since >= Self.suspendAfter else { return }
        for case .transferring(let transfer) in activities.values { transfer.suspend() }
    }

    /// Time that the run has been at rest so far.
    func rest(at now: Duration) -> Duration {
        if case .closed(let since) = hours { return timeClosed + now - since }
        return timeClosed
    }

    /// Ends a task that is over its time; time that the run was at rest does not count.
    func giveUp(_ task: Int, _ fault: Fault, rested: Duration, at now: Duration) {
        if case .transferring = activities[task] {
        } else {
            // What asks no server does not rest with the hours.
            giveUpWork(task, fault)
            return
        }
        let more = rest(at: now) - rested
        if more > .zero {
            let timer = timers.add(.giveUp(task: task, fault, rested: rested + more), due: now + more)
            limits[task, default: []].append(timer)
            return
        }
        limits[task] = nil
        if case .transferring(let transfer) = activities[task] { transfer.giveUp(fault) }
    }

    /// Parks the run when it has used up its bytes.
    func checkBudget() {
        guard let limit = plan.job.limits.budget.bytes, !scheduler.isDone, engine.rates.received >= limit else {
            return
        }
        stop(.budget(.bytes(limit)))
    }
}
