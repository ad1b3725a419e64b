import RunnerJob
import Testing

@testable import RunnerTransfer

/// What a ``ProbeMachine`` asks next, and what it makes of replies.
@Suite struct ProbeMachineTests {
    static func machine(
        _ url: String = "http://s0.test/f", configure: (inout TransferMachine.Configuration) -> Void = { _ in }
    ) throws -> ProbeMachine {
        var configuration = TransferMachine.Configuration(
            sources: [try Sample.url(url)], policy: RetryPolicy(RetrySettings()), resolve: URLResolution.resolve)
        configure(&configuration)
        return ProbeMachine(configuration, source: 0)
    }

    /// The answers in order; returns the ways that were asked and what came of it.
    static func probe(
        _ machine: ProbeMachine, _ events: [ProbeMachine.Event]
    ) -> (ways: [ProbeMachine.Way], finding: ProbeFinding?) {
        var machine = machine
        var ways = [ProbeMachine.Way.head]
        for event in events {
            switch machine.handle(event) {
            case .ask(let way, _): ways.append(way)
            case .end(let finding): return (ways, finding)
            }
        }
        return (ways, nil)
    }

    static let good = Sample.head(200, length: 1000, etag: "\"v1\"") { $0.acceptRanges = "bytes" }
    static let firstByte = Sample.head(206, length: 1, range: "bytes 0-0/1000", etag: "\"v1\"")

    @Test func aGoodHeadIsEnough() throws {
        let (ways, finding) = Self.probe(try Self.machine(), [.replied(Self.good)])
        #expect(ways == [.head])
        #expect(finding?.size == 1000)
        #expect(finding?.ranges == .given)
        #expect(finding?.validator.etag == "\"v1\"")
        #expect(finding?.fault == nil)
        #expect(finding?.requests == 1)
    }

    /// Heads that are refused or say nothing.
    @Test(arguments: [
        Sample.head(405), Sample.head(501), Sample.head(403), Sample.head(404), Sample.head(400), Sample.head(500),
        Sample.head(200), Sample.head(200, length: 0), Sample.head(204), Sample.head(302),
    ])
    func aHeadThatIsNotBelievedIsFollowedByOneByte(_ head: ReplyHead) throws {
        let (ways, finding) = Self.probe(try Self.machine(), [.replied(head), .replied(Self.firstByte)])
        #expect(ways == [.head, .firstByte])
        #expect(finding?.size == 1000)
        #expect(finding?.ranges == .given)
        #expect(finding?.fault == nil)
        #expect(finding?.requests == 2)
    }

    @Test(arguments: [ReplyHead.ContentLength.invalid("+5"), .conflicting])
    func aLengthThatADownloadRefusesIsTold(_ length: ReplyHead.ContentLength) throws {
        var head = Sample.head(200)
        head.contentLength = length
        let (ways, finding) = Self.probe(try Self.machine(), [.replied(head), .replied(head)])
        #expect(ways == [.head, .firstByte])
        #expect(finding?.fault?.faultClass == .protocol)
    }

    @Test(arguments: [FaultClass.reset, .truncated, .protocol])
    func aServerThatBreaksOnHeadIsAskedForOneByte(_ fault: FaultClass) throws {
        let broken = Fault(fault, .transport(code: 52, text: "empty"))
        #expect(Self.probe(try Self.machine(), [.broke(broken), .replied(Self.firstByte)]).finding?.fault == nil)
        #expect(Self.probe(try Self.machine(), [.broke(broken), .broke(broken)]).finding?.fault == broken)
    }

    @Test(arguments: [FaultClass.dns, .connect, .tls, .timeout, .stall])
    func whatHasNothingToDoWithHeadIsNotAskedAgain(_ fault: FaultClass) throws {
        let broken = Fault(fault, .transport(code: 6, text: "none"))
        let (ways, finding) = Self.probe(try Self.machine(), [.broke(broken)])
        #expect(ways == [.head])
        #expect(finding?.fault == broken)
    }

    @Test(arguments: [(401, FaultClass.auth), (407, .auth), (410, .notFound), (429, .rateLimited), (503, .server)])
    func someRefusalsAreBelieved(_ status: Int, _ fault: FaultClass) throws {
        let (ways, finding) = Self.probe(try Self.machine(), [.replied(Sample.head(status))])
        #expect(ways == [.head])
        #expect(finding?.fault == Fault(fault, .status(status)))
    }

    @Test func theFirstByteHasTheLastWord() throws {
        let missing = [ProbeMachine.Event.replied(Sample.head(404)), .replied(Sample.head(404))]
        #expect(Self.probe(try Self.machine(), missing).finding?.fault == Fault(.notFound, .status(404)))
        let whole = [ProbeMachine.Event.replied(Sample.head(405)), .replied(Sample.head(200, length: 77))]
        let finding = Self.probe(try Self.machine(), whole).finding
        #expect(finding?.size == 77)
        #expect(finding?.ranges == .refused)
        let empty = [
            ProbeMachine.Event.replied(Sample.head(200, length: 0)), .replied(Sample.head(416, range: "bytes */0")),
        ]
        #expect(Self.probe(try Self.machine(), empty).finding?.size == 0)
        #expect(Self.probe(try Self.machine(), empty).finding?.fault == nil)
        let odd = [ProbeMachine.Event.replied(Sample.head(405)), .replied(Sample.head(416))]
        #expect(Self.probe(try Self.machine(), odd).finding?.fault?.faultClass == .protocol)
    }

    @Test(
        arguments: [
            ("bytes", .given), ("none", .refused), (nil, .unknown), ("pages, bytes", .given), ("pages", .unknown),
        ] as [(String?, RangeSupport)])
    func acceptRangesSaysWhetherPiecesAreGiven(_ field: String?, _ ranges: RangeSupport) throws {
        let head = Sample.head(200, length: 1000) { $0.acceptRanges = field }
        #expect(Self.probe(try Self.machine(), [.replied(head)]).finding?.ranges == ranges)
    }

    @Test func redirectsAreFollowedInTheSameWay() throws {
        let moved = Sample.head(302) { $0.location = "http://other.test/x" }
        var (ways, finding) = Self.probe(try Self.machine(), [.replied(moved), .replied(Self.good)])
        #expect(ways == [.head, .head])
        #expect(finding?.url?.url.text == "http://other.test/x")
        #expect(finding?.redirects == 1)
        // A signed target that allows GET alone.
        (ways, finding) = Self.probe(
            try Self.machine(), [.replied(moved), .replied(Sample.head(403)), .replied(Self.firstByte)])
        #expect(ways == [.head, .head, .firstByte])
        #expect(finding?.fault == nil)
        let loop = Array(repeating: ProbeMachine.Event.replied(moved), count: 30)
        finding = Self.probe(try Self.machine(), loop).finding
        #expect(finding?.fault == Fault(.redirect, .tooManyRedirects(20)))
        let downgrade = try Self.machine("https://s0.test/f")
        finding = Self.probe(downgrade, [.replied(moved)]).finding
        #expect(finding?.fault?.faultClass == .redirect)
    }

    @Test func whatTheJobExpectsIsCompared() throws {
        let size = try Self.machine { $0.size = 999 }
        #expect(Self.probe(size, [.replied(Self.good)]).finding?.fault?.faultClass == .integrity)
        let limit = try Self.machine { $0.maxSize = 999 }
        #expect(Self.probe(limit, [.replied(Self.good)]).finding?.fault?.faultClass == .tooLarge)
        let status = try Self.machine { $0.statuses = [404] }
        #expect(Self.probe(status, [.replied(Sample.head(404, length: 5))]).finding?.fault == nil)
    }

    @Test func nothingFollowsTheEnd() throws {
        var machine = try Self.machine()
        _ = machine.handle(.replied(Self.good))
        #expect(machine.state == .ended)
        guard case .end(let finding) = machine.handle(.replied(Self.good)) else {
            Issue.record("it asks again")
            return
        }
        #expect(finding.fault?.faultClass == .internal)
    }
}
