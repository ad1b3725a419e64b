package import RunnerJob
package import RunnerPlan

/// What a request asked for, as far as it decides what a reply means.
package struct RequestGoal: Hashable, Sendable {
    /// Index of the source.
    package var source: Int
    /// First byte asked for; 0 for the whole file without Range.
    package var offset: Int64
    /// First byte that is not wanted; nil for the end of the file.
    package var end: Int64?
    /// What guards the bytes before ``offset``; nil when only the task's digest does.
    package var ifRange: String?
    package var validator: Validator
    /// Size of the file as known from an earlier reply.
    package var knownTotal: Int64?
    /// What the file that is there is compared with; a 304 then says that it is still right.
    package var condition: RevalidationValidators?
    /// Whether caches on the way are told to ask the origin.
    package var bypassesCaches: Bool
    /// Whether the request opens a connection of its own, since nothing comes over the present ones any more.
    package var opensConnection = false

    package init(
        source: Int, offset: Int64 = 0, end: Int64? = nil, ifRange: String? = nil, validator: Validator = Validator(),
        knownTotal: Int64? = nil, condition: RevalidationValidators? = nil, bypassesCaches: Bool = false
    ) {
        self.condition = condition
        self.source = source
        self.offset = offset
        self.end = end
        self.ifRange = ifRange
        self.validator = validator
        self.knownTotal = knownTotal
        self.bypassesCaches = bypassesCaches
    }
}

/// What the head of a reply means for the request that it answers.
package enum ReplyMeaning: Hashable, Sendable {
    /// A body to keep: its first byte is byte `start` of the file, and everything from there on is replaced.
    case body(Body)
    /// Everything is on the disk already (416 with the size that is there).
    case alreadyWhole(Int64)
    /// The file that is there is still right.
    case notModified
    /// Another place.
    case redirect(to: String)
    /// Ask once more, differently.
    case again(Again)
    case fault(Fault)

    package struct Body: Hashable, Sendable {
        package var start: Int64
        /// Bytes at the beginning of the body that are there already.
        package var skip: Int64
        /// Bytes of the body; nil until it ends.
        package var length: Int64?
        /// Size of the whole file; nil when unknown.
        package var total: Int64?

        package init(start: Int64, skip: Int64 = 0, length: Int64?, total: Int64?) {
            self.start = start
            self.skip = skip
            self.length = length
            self.total = total
        }
    }

    package enum Again: Hashable, Sendable {
        /// From the first byte, without Range.
        case fromZero
        /// With a date in `If-Range` instead of the entity tag.
        case withDate
    }
}

/// The rules for replies (transfer reference, "Resume"; RFC 9110 sections 14 and 15); pure.
package enum ReplyRules {
    /// More than this at stake makes a second request worth while when a server ignored `If-Range` with a tag.
    package static let worthAsking: Int64 = 1 << 20

    package static func meaning(of head: ReplyHead, for goal: RequestGoal, expecting statuses: Set<Int>) -> ReplyMeaning
    {
        // Some stores begin a reply before they know how it will end (S3, CopyObject and CompleteMultipartUpload), and
        // a bucket that lies elsewhere is told by a redirect that leads nowhere.
        if head.document != nil, head.status < 400 { return .fault(statusFault(head)) }
        // The rest of a file that is expected with 200 comes with 206 all the same.
        let wantsWhole = statuses.isEmpty || statuses.contains(200)
        return switch head.status {
        case 200 where wantsWhole && goal.offset > 0: wholeForRange(head, goal)
        case 206 where statuses.contains(206) || statuses.isEmpty || wantsWhole && goal.offset > 0:
            partialBody(head, goal)
        case _ where statuses.contains(head.status), 200 where statuses.isEmpty: plainBody(head, goal)
        case 416 where goal.offset > 0: unsatisfied(head, goal)
        case 301, 302, 303, 307, 308: redirect(head)
        case 204, 205: .fault(Fault(.protocol, .noContent(head.status)))
        case 304 where goal.condition != nil: .notModified
        case 304: .fault(Fault(.protocol, .notModifiedUnasked))
        case 200..<300 where !statuses.isEmpty:
            .fault(Fault(.content, .unexpectedStatus(head.status, wanted: statuses)))
        default: .fault(statusFault(head))
        }
    }

    private static func plainBody(_ head: ReplyHead, _ goal: RequestGoal) -> ReplyMeaning {
        if head.hasUnclearFraming { return .fault(Fault(.protocol, .unclearFraming)) }
        switch head.contentLength {
        case .conflicting where !head.isChunked: return .fault(Fault(.protocol, .conflictingLengths))
        case .invalid(let text) where !head.isChunked: return .fault(Fault(.protocol, .invalidLength(text)))
        default: break
        }
        if let text = head.contentRange, head.status != 206, !isWhole(text, length: head.declaredLength) {
            return .fault(Fault(.protocol, .unusablePartial(text)))
        }
        return .body(.init(start: 0, length: head.declaredLength, total: head.declaredLength))
    }

    /// A slice that says 200 carries a Content-Range that is not the whole.
    private static func isWhole(_ contentRange: String, length: Int64?) -> Bool {
        guard case .span(let first, let last, let total) = ContentRange(contentRange) else { return true }
        return first == 0 && (total == nil || total == last + 1)
    }

    private static func wholeForRange(_ head: ReplyHead, _ goal: RequestGoal) -> ReplyMeaning {
        if let text = head.contentRange, !isWhole(text, length: head.declaredLength) { return .again(.fromZero) }
        if let known = goal.knownTotal, let length = head.declaredLength, known != length { return .again(.fromZero) }
        // Neither a length nor a validator says that it is the file, which had both: it may be a page in its place.
        if goal.knownTotal != nil, head.declaredLength == nil, goal.validator.isMissing(in: head) {
            return .again(.fromZero)
        }
        if goal.offset > worthAsking, let asked = goal.ifRange, asked == head.etag, goal.validator.lastModified != nil {
            return .again(.withDate)
        }
        return plainBody(head, goal)
    }

    private static func partialBody(_ head: ReplyHead, _ goal: RequestGoal) -> ReplyMeaning {
        if head.hasUnclearFraming { return .fault(Fault(.protocol, .unclearFraming)) }
        guard let text = head.contentRange, case .span(let first, let last, let total) = ContentRange(text) else {
            return goal.offset > 0 ? .again(.fromZero) : .fault(Fault(.protocol, .unusablePartial("no Content-Range")))
        }
        if goal.offset == 0 {
            guard first == 0, total == nil || total == last + 1 else {
                return .fault(Fault(.protocol, .unusablePartial(text)))
            }
            return .body(.init(start: 0, length: head.declaredLength ?? last + 1, total: total ?? last + 1))
        }
        if let coding = head.contentEncoding, coding.lowercased() != "identity" { return .again(.fromZero) }
        guard first <= goal.offset, last >= goal.offset else { return .again(.fromZero) }
        if let total, let known = goal.knownTotal, total != known { return .again(.fromZero) }
        if goal.validator.differs(from: head) { return .again(.fromZero) }
        let length = last - first + 1
        if let declared = head.declaredLength, declared != length { return .again(.fromZero) }
        return .body(
            .init(start: goal.offset, skip: goal.offset - first, length: length, total: total ?? goal.knownTotal))
    }

    private static func unsatisfied(_ head: ReplyHead, _ goal: RequestGoal) -> ReplyMeaning {
        guard let text = head.contentRange, case .unsatisfied(let total) = ContentRange(text), total == goal.offset,
            goal.knownTotal == nil || goal.knownTotal == total, !goal.validator.differs(from: head)
        else { return .again(.fromZero) }
        return .alreadyWhole(total)
    }

    private static func redirect(_ head: ReplyHead) -> ReplyMeaning {
        guard let location = head.location, !location.isEmpty else {
            return .fault(Fault(.protocol, .redirectWithoutLocation(head.status)))
        }
        return .redirect(to: location)
    }

    /// Whether a request for the rest, or for what has changed, may succeed without Range and conditions: the status is
    /// neither about the file, nor about who asks, nor about the load of the server.
    package static func mayBeAboutConditions(_ fault: Fault, of goal: RequestGoal) -> Bool {
        let isForRest = goal.offset > 0
        guard isForRest || goal.condition != nil, fault.retryAfter == nil else { return false }
        switch fault.cause {
        case .noContent, .notModifiedUnasked: return isForRest
        case .status(401), .status(402), .status(451), .status(511): return false
        case .status(403): return isForRest
        case .status(500): return isForRest && fault.faultClass == .server
        case .status: return fault.faultClass == .client || fault.faultClass == .protocol
        default: return false
        }
    }

    /// The class of a status that is no success (transfer reference, "Error classes").
    package static func statusFault(_ head: ReplyHead) -> Fault {
        let cause = head.refusingProxy.map { Fault.Cause.proxyStatus($0, head.status) } ?? .status(head.status)
        var fault = Fault(faultClass(of: head), cause, retryAfter: head.retryAfter)
        fault.document = head.document
        fault.isAboutPace = fault.faultClass == .rateLimited && head.isFromBusyOrigin
        return fault
    }

    /// Whether a reply that is no refusal is an answer, rather than a word about where to ask.
    package static func isServed(_ head: ReplyHead) -> Bool { ![301, 302, 303, 307, 308].contains(head.status) }

    package static func faultClass(of head: ReplyHead) -> FaultClass {
        if let told = head.document?.faultClass { return told }
        return switch head.status {
        case ..<400 where head.document != nil: .client
        case 429: .rateLimited
        case 503 where head.retryAfter != nil: .rateLimited
        case 404, 410: .notFound
        case 401, 403, 407, 511: .auth
        case 408, 425: .server
        case 501, 505, 506, 510: .client
        case 400..<500: .client
        case 500..<600: .server
        default: .protocol
        }
    }
}
