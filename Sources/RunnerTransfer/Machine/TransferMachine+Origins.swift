package import RunnerJob

/// Why an origin is not asked for now.
package struct Refusal: Hashable, Sendable {
    package var origin: Origin
    /// Time until it may be asked.
    package var wait: Duration
    /// How often in a row it was found to be down; as many as a task has attempts are enough for all that wait.
    package var openings: Int
    /// Its last failure.
    package var fault: Fault

    package init(origin: Origin, wait: Duration, openings: Int, fault: Fault) {
        self.origin = origin
        self.wait = wait
        self.openings = openings
        self.fault = fault
    }

    /// Whether a source of the origin is no longer worth waiting for, by a task that has not begun.
    package func isFinal(_ settings: RetrySettings, total: Duration?) -> Bool {
        isFinal(settings, LongestWait(settings, total: total))
    }

    func isFinal(_ settings: RetrySettings, _ longest: LongestWait) -> Bool {
        wait > longest.allowed || openings > 0 && openings >= settings.attempts
    }

    /// The failure of a task that does not wait any longer.
    func finalFault(_ longest: LongestWait) -> Fault {
        if wait > longest.allowed {
            switch fault.cause {
            case .status(let status): return Fault(fault.faultClass, longest.cause(status, wait))
            case .askedEarlier: return Fault(fault.faultClass, longest.cause(nil, wait))
            default: break
            }
        }
        return Fault(fault.faultClass, .originDown(fault.cause))
    }
}

extension TransferMachine {
    /// The origin that leave is asked for; nil when none is.
    package var awaitedOrigin: Origin? {
        switch state {
        case .waiting(let attempt): sources[attempt.goal.source].url.origin
        case .transferring(_, let request):
            if case .redirected(let hop) = request.state { hop.url.origin } else { nil }
        default: nil
        }
    }

    /// Whether there is something better to do than to wait for an origin: ask another source, or give up.
    package func leaves(_ refusal: Refusal, at now: Duration) -> Bool {
        guard case .waiting(let attempt) = state, sources[attempt.goal.source].url.origin == refusal.origin else {
            return false
        }
        return refusal.isFinal(configuration.policy.settings, configuration.longestWait(at: now))
            || otherSource(than: refusal.origin, at: now) != nil
    }

    private func otherSource(than origin: Origin, at now: Duration) -> Int? {
        sources.indices.first { sources[$0].url.origin != origin && sources[$0].isOpen(at: now) }
    }

    /// Leaves an origin that is to be left alone; nothing was asked, so that no attempt is reported.
    mutating func leave(
        _ attempt: Attempt, _ refusal: Refusal, _ now: Duration, _ dice: () -> Double
    ) -> [Effect] {
        let settings = configuration.policy.settings
        let longest = configuration.longestWait(at: now)
        for index in sources.indices where sources[index].url.origin == refusal.origin {
            var fault = refusal.fault
            if refusal.isFinal(settings, longest) {
                fault = refusal.finalFault(longest)
                sources[index].standing = .setAside
            }
            fault.retryAfter = refusal.wait
            sources[index].note(fault, at: now)
        }
        if let other = otherSource(than: refusal.origin, at: now) { return wait(makeAttempt(source: other)) }
        if sources[attempt.goal.source].standing == .usable { return wait(attempt) }
        let usable = sources.indices.filter { sources[$0].standing == .usable }
        guard let next = usable.min(by: { sources[$0].notBefore < sources[$1].notBefore }) else {
            return end(sources[attempt.goal.source].lastFault ?? refusal.fault)
        }
        for index in sources.indices { sources[index].wasTriedInRound = false }
        return wait(makeAttempt(source: next))
    }
}
