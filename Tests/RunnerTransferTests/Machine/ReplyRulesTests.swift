import RunnerJob
import RunnerTransfer
import Testing

/// What a reply to a request for the whole file means.
@Suite struct ReplyRulesTests {
    static func meaning(
        _ head: ReplyHead, _ goal: RequestGoal = .whole, _ statuses: Set<Int> = []
    ) -> ReplyMeaning {
        ReplyRules.meaning(of: head, for: goal, expecting: statuses)
    }

    static func body(_ start: Int64 = 0, skip: Int64 = 0, length: Int64?, total: Int64?) -> ReplyMeaning {
        .body(.init(start: start, skip: skip, length: length, total: total))
    }

    @Test func aPlainReplyIsTheFile() {
        #expect(Self.meaning(Sample.head(200, length: 10)) == Self.body(length: 10, total: 10))
        #expect(Self.meaning(Sample.head(200, length: 0)) == Self.body(length: 0, total: 0))
        #expect(Self.meaning(Sample.head(200)) == Self.body(length: nil, total: nil))
        // The chunks tell the end; a Content-Length beside them does not count (RFC 9112 section 6.3).
        #expect(
            Self.meaning(Sample.head(200, length: 10) { $0.isChunked = true }) == Self.body(length: nil, total: nil))
    }

    @Test(arguments: ["gzip", "br", "x-unknown"])
    func aCodingThatWasNotAskedForIsKeptAsItComes(_ coding: String) {
        let head = Sample.head(200, length: 10) { $0.contentEncoding = coding }
        #expect(Self.meaning(head) == Self.body(length: 10, total: 10))
    }

    @Test func anEndThatIsUnclearIsNotBelieved() {
        for isChunked in [false, true] {
            let head = Sample.head(200) {
                $0.hasUnclearFraming = true
                $0.isChunked = isChunked
            }
            #expect(Self.meaning(head) == .fault(Fault(.protocol, .unclearFraming)))
        }
    }

    @Test func lengthsThatDisagreeAreNotBelieved() {
        let conflicting = Sample.head(200) { $0.contentLength = .conflicting }
        #expect(Self.meaning(conflicting) == .fault(Fault(.protocol, .conflictingLengths)))
        let invalid = Sample.head(200) { $0.contentLength = .invalid("ten") }
        #expect(Self.meaning(invalid) == .fault(Fault(.protocol, .invalidLength("ten"))))
        for length in [ReplyHead.ContentLength.conflicting, .invalid("ten")] {
            let chunked = Sample.head(200) {
                $0.contentLength = length
                $0.isChunked = true
            }
            #expect(Self.meaning(chunked) == Self.body(length: nil, total: nil))
        }
    }

    @Test(arguments: [
        ("bytes 5-9/10", false), ("bytes 0-4/10", false), ("bytes 0-9/10", true), ("bytes 0-9/*", true),
        ("rubbish", true),
    ])
    func aSliceThatSays200IsNotTheFile(_ range: String, isWhole: Bool) {
        let head = Sample.head(200, length: 10, range: range)
        let refused = ReplyMeaning.fault(Fault(.protocol, .unusablePartial(range)))
        #expect(Self.meaning(head) == (isWhole ? Self.body(length: 10, total: 10) : refused))
    }

    @Test func aPartThatWasNotAskedForMustBeTheWhole() {
        #expect(Self.meaning(Sample.head(206, length: 10, range: "bytes 0-9/10")) == Self.body(length: 10, total: 10))
        #expect(Self.meaning(Sample.head(206, range: "bytes 0-9/*")) == Self.body(length: 10, total: 10))
        #expect(
            Self.meaning(Sample.head(206, range: "bytes 0-4/10"))
                == .fault(Fault(.protocol, .unusablePartial("bytes 0-4/10"))))
        #expect(
            Self.meaning(Sample.head(206, range: "bytes 5-9/10"))
                == .fault(Fault(.protocol, .unusablePartial("bytes 5-9/10"))))
        #expect(Self.meaning(Sample.head(206)) == .fault(Fault(.protocol, .unusablePartial("no Content-Range"))))
    }

    /// The largest numbers that a field can hold must not trap.
    @Test(arguments: [
        "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775806/9223372036854775807",
        "bytes 0-9223372036854775806/*",
    ])
    func enormousRangesDoNotOverflow(_ range: String) {
        for goal in [RequestGoal.whole, .rest(), .rest(of: nil, etag: nil)] {
            for status in [200, 206] {
                _ = Self.meaning(Sample.head(status, range: range), goal)
                _ = Self.meaning(Sample.head(status, length: .max, range: range), goal)
            }
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectLeadsOn(_ status: Int) {
        let head = Sample.head(status) { $0.location = "/b" }
        #expect(Self.meaning(head) == .redirect(to: "/b"))
        #expect(Self.meaning(head, .rest()) == .redirect(to: "/b"))
        let nowhere = ReplyMeaning.fault(Fault(.protocol, .redirectWithoutLocation(status)))
        #expect(Self.meaning(Sample.head(status)) == nowhere)
        #expect(Self.meaning(Sample.head(status) { $0.location = "" }) == nowhere)
    }

    @Test(
        arguments: [
            (204, .noContent(204)), (205, .noContent(205)), (304, .notModifiedUnasked), (300, .status(300)),
            (305, .status(305)),
            (201, .status(201)), (203, .status(203)), (226, .status(226)), (600, .status(600)), (999, .status(999)),
        ] as [(Int, Fault.Cause)])
    func noOtherSuccessIsOne(_ status: Int, cause: Fault.Cause) {
        #expect(Self.meaning(Sample.head(status, length: 10)) == .fault(Fault(.protocol, cause)))
        #expect(Self.meaning(Sample.head(status, length: 10), .rest()) == .fault(Fault(.protocol, cause)))
    }

    @Test func aStatusThatTheJobExpectsIsASuccess() {
        #expect(Self.meaning(Sample.head(404, length: 10), .whole, [404]) == Self.body(length: 10, total: 10))
        #expect(Self.meaning(Sample.head(204), .whole, [204]) == Self.body(length: nil, total: nil))
        #expect(Self.meaning(Sample.head(302, length: 1), .whole, [302]) == Self.body(length: 1, total: 1))
        #expect(
            Self.meaning(Sample.head(200, length: 10), .whole, [404])
                == .fault(Fault(.content, .unexpectedStatus(200, wanted: [404]))))
    }

    /// `expect: {status: 200}` speaks of the file; the rest of it comes with 206 all the same.
    @Test func anExpected200DoesNotForbidAResume() {
        let partial = Sample.head(206, length: 500, range: "bytes 500-999/1000", etag: "\"v1\"")
        #expect(Self.meaning(partial, .rest(), [200]) == Self.body(500, length: 500, total: 1000))
        let slice = Sample.head(200, length: 500, range: "bytes 500-999/1000")
        #expect(Self.meaning(slice, .rest(), [200]) == .again(.fromZero))
        #expect(
            Self.meaning(partial, .rest(), [404])
                == .fault(Fault(.content, .unexpectedStatus(206, wanted: [404]))))
    }

    // MARK: - Classes

    @Test(arguments: [400...599])
    func everyStatusHasItsClass(_ statuses: ClosedRange<Int>) {
        let special: [Int: FaultClass] = [
            401: .auth, 403: .auth, 407: .auth, 511: .auth, 404: .notFound, 410: .notFound, 408: .server, 425: .server,
            429: .rateLimited, 501: .client, 505: .client, 506: .client, 510: .client,
        ]
        for status in statuses {
            let wanted = special[status] ?? (status < 500 ? .client : .server)
            #expect(ReplyRules.faultClass(of: Sample.head(status)) == wanted, "\(status)")
        }
    }

    @Test func unavailableWithAWaitIsALimit() {
        let head = Sample.head(503) { $0.retryAfter = .seconds(3) }
        #expect(Self.meaning(head) == .fault(Fault(.rateLimited, .status(503), retryAfter: .seconds(3))))
        #expect(Self.meaning(Sample.head(503)) == .fault(Fault(.server, .status(503))))
        let other = Sample.head(500) { $0.retryAfter = .seconds(3) }
        #expect(Self.meaning(other) == .fault(Fault(.server, .status(500), retryAfter: .seconds(3))))
    }
}
