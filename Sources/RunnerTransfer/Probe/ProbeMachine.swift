package import RunnerJob

/// Asks one source what it has, without its body: HEAD first, and one byte where HEAD is refused or says nothing; pure.
///
///     asking(head) → asking(head), a redirect → asking(firstByte) → asking(firstByte), a redirect → ended
package struct ProbeMachine: Sendable {
    package enum State: Hashable, Sendable {
        /// Next: asking, ended.
        case asking(Way, RequestMachine.Hop)
        /// Over; nothing follows.
        case ended
    }

    package enum Way: Hashable, Sendable {
        case head
        /// GET with `Range: bytes=0-0`; a server that sends more is cut off.
        case firstByte
    }

    package enum Event: Sendable {
        case replied(ReplyHead)
        case broke(Fault)
    }

    package enum Step: Sendable {
        case ask(Way, RequestMachine.Hop)
        case end(ProbeFinding)
    }

    package private(set) var state: State
    private let configuration: TransferMachine.Configuration
    private var requests = 1
    /// What a HEAD said that was not believed.
    private var earlier: ReplyHead?

    /// - Parameter source: index into the configuration's sources.
    package init(_ configuration: TransferMachine.Configuration, source: Int) {
        self.configuration = configuration
        state = .asking(.head, RequestMachine.Hop(url: configuration.sources[source]))
    }

    /// Takes what came of the request that was made last, and says what is to be done.
    package mutating func handle(_ event: Event) -> Step {
        guard case .asking(let way, let hop) = state else {
            return .end(ProbeFinding(fault: Fault(.internal, .impossible("probe ended got an event"))))
        }
        switch event {
        case .broke(let fault):
            if way == .head, Self.mayDisturb(fault.faultClass) { return ask(.firstByte, hop) }
            return end(hop, earlier, ProbeFinding(fault: fault))
        case .replied(let head) where [301, 302, 303, 307, 308].contains(head.status):
            return follow(head, way, hop)
        case .replied(let head) where way == .head && !isBelieved(head, hop):
            if head.status == 200 { earlier = head }
            return ask(.firstByte, hop)
        case .replied(let head):
            return end(hop, head, read(head, way))
        }
    }

    private mutating func ask(_ way: Way, _ hop: RequestMachine.Hop) -> Step {
        requests += 1
        state = .asking(way, hop)
        return .ask(way, hop)
    }

    private mutating func follow(_ head: ReplyHead, _ way: Way, _ hop: RequestMachine.Hop) -> Step {
        guard let location = head.location, !location.isEmpty else {
            if way == .head { return ask(.firstByte, hop) }
            return end(hop, head, ProbeFinding(fault: Fault(.protocol, .redirectWithoutLocation(head.status))))
        }
        switch configuration.redirects.follow(location, status: head.status, from: hop, resolve: configuration.resolve)
        {
        case .success(let next): return ask(way, next)
        case .failure(let fault): return end(hop, head, ProbeFinding(fault: fault))
        }
    }

    private mutating func end(_ hop: RequestMachine.Hop, _ head: ReplyHead?, _ finding: ProbeFinding) -> Step {
        state = .ended
        var finding = finding
        finding.url = hop.url
        finding.redirects = hop.redirects
        finding.requests = requests
        finding.head = head
        return .end(finding)
    }

    // MARK: - What replies mean

    /// Whether a HEAD is the last word: many a server refuses HEAD where GET works, and many a script says length 0.
    private func isBelieved(_ head: ReplyHead, _ hop: RequestMachine.Hop) -> Bool {
        if hop.url.origin.scheme == "ftp" || configuration.statuses.contains(head.status) { return true }
        switch head.status {
        case 200: return (head.declaredLength ?? 0) > 0
        case 401, 407, 410, 429, 503: return true
        default: return false
        }
    }

    /// Whether a server may fail this way because of the HEAD itself.
    private static func mayDisturb(_ fault: FaultClass) -> Bool {
        switch fault {
        case .reset, .truncated, .protocol: true
        default: false
        }
    }

    private func read(_ head: ReplyHead, _ way: Way) -> ProbeFinding {
        var finding = ProbeFinding()
        let isWanted = head.status == 200 || configuration.statuses.contains(head.status)
        switch head.status {
        case 206 where way == .firstByte:
            finding.ranges = .given
            if let text = head.contentRange, case .span(_, _, let total) = ContentRange(text) { finding.size = total }
        case 416 where way == .firstByte:
            // No first byte: the file is empty.
            guard let text = head.contentRange, case .unsatisfied(let total) = ContentRange(text), total == 0 else {
                finding.fault = Fault(.protocol, .unusablePartial(head.contentRange ?? "no Content-Range"))
                return finding
            }
            finding.size = 0
        case _ where isWanted:
            var whole = head
            // Nothing is known of a piece that says 200, which only a request with Range may get.
            if way == .firstByte { whole.contentRange = nil }
            if case .fault(let fault) = ReplyRules.meaning(
                of: whole, for: RequestGoal(source: 0), expecting: configuration.statuses)
            {
                finding.fault = fault
                return finding
            }
            finding.size = head.declaredLength
            finding.ranges = way == .firstByte ? .refused : Self.ranges(head.acceptRanges)
        default:
            finding.fault = ReplyRules.statusFault(head)
            return finding
        }
        finding.validator = Validator(head)
        finding.fault = configuration.objection(
            to: head, ReplyMeaning.Body(start: 0, length: finding.size, total: finding.size))
        return finding
    }

    private static func ranges(_ field: String?) -> RangeSupport {
        switch field {
        case nil: .unknown
        case "none": .refused
        case let field?: field.split(separator: ",").contains { $0.filter { $0 != " " } == "bytes" } ? .given : .unknown
        }
    }
}

/// Whether a server gives pieces of a file.
package enum RangeSupport: Hashable, Sendable {
    case given, refused, unknown
}

/// What became known of one source.
package struct ProbeFinding: Sendable {
    /// Where the last request went, and how many redirects led there.
    package var url: SourceURL?
    package var redirects = 0
    package var requests = 0
    /// The reply that was believed.
    package var head: ReplyHead?
    package var size: Int64?
    package var ranges = RangeSupport.unknown
    package var validator = Validator()
    /// Why a download from here would fail; nil when nothing speaks against it.
    package var fault: Fault?

    package init(fault: Fault? = nil) {
        self.fault = fault
    }
}
