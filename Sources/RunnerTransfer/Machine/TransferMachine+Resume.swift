internal import RunnerPlan

extension TransferMachine {
    /// The attempt that makes the best of what is there.
    func makeAttempt(source: Int, preferDate: Bool = false) -> Attempt {
        var goal = RequestGoal(source: source)
        goal.opensConnection = sources[source].lastFault?.isSilence ?? false
        if !configuration.isResumable || sources[source].asking == .plainly { return Attempt(number: 0, goal: goal) }
        if let condition = configuration.revalidation, condition.source == source, part.have == 0 {
            goal.condition = condition
        }
        if part.have > 0, part.source == source, !part.validator.isEmpty {
            takePiece(&goal)
            goal.validator = part.validator
            goal.ifRange = goal.offset > 0 ? part.validator.ifRange(preferDate: preferDate) : nil
            goal.knownTotal = part.total
        } else if part.have > 0, configuration.isGuardedByDigest {
            takePiece(&goal)
            goal.knownTotal = part.source == source ? part.total : configuration.size
        }
        return Attempt(number: 0, goal: goal)
    }

    /// The first piece that is missing and that no segment is at work on.
    private func takePiece(_ goal: inout RequestGoal) {
        goal.offset = part.firstMissing
        if goal.offset > 0 { goal.end = part.present.firstPresent(after: goal.offset) }
        guard !segments.isEmpty, let (start, end) = firstUnowned(), start > 0 else { return }
        goal.offset = start
        if end < part.total ?? .max { goal.end = end }
    }

    /// An end that the transport does not vouch for is as good as one in order where it can be told from what came.
    ///
    /// A body without a length may have been cut there (RFC 9112 section 8); the reply to an upload is not the file.
    func vouched(_ event: RequestMachine.Event) -> RequestMachine.Event {
        guard case .broke(let fault) = event, fault.cause == .noCloseNotify else { return event }
        let isWhole = configuration.size.map { part.have >= $0 } ?? configuration.isGuardedByDigest
        return isWhole || configuration.isUpload ? .bodyEnded : event
    }

    /// Whether a later run could go on from what is there.
    package var isPartWorthKeeping: Bool {
        part.have > 0 && (configuration.isGuardedByDigest || !part.validator.isEmpty)
    }

    /// Whether a source that answers Range or a condition with an error is to be asked for the whole file.
    ///
    /// A server may ignore both (RFC 9110 sections 13.2.1 and 14.2); some, and filters before them, answer with an
    /// error instead, which says nothing of the file. Once for each source; what is there stays until a body replaces it.
    mutating func asksPlainly(after attempt: Attempt, _ fault: Fault) -> Bool {
        let source = attempt.goal.source
        guard sources[source].asking == .withConditions, ReplyRules.mayBeAboutConditions(fault, of: attempt.goal) else {
            return false
        }
        sources[source].asking = .plainly
        segmentHistory.lost(from: source, refused: true)
        return true
    }
}
