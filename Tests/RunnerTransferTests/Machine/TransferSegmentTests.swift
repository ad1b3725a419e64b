import RunnerJob
import Testing

@testable import RunnerTransfer

/// A ``TransferMachine`` whose file several connections share.
@Suite struct TransferSegmentTests {
    static let mebibyte: Int64 = 1 << 20
    static let total = 16 * mebibyte

    /// One mebibyte of sixteen is there, and the rest comes in.
    static func receiving(
        sources: Int = 1, etag: String? = "\"v1\"", isGuarded: Bool = false
    ) throws -> MachineBench {
        var bench = try MachineBench(sources: sources) { $0.isGuardedByDigest = isGuarded }
        bench.attempt(Sample.head(200, length: total, etag: etag), bytes: Int(mebibyte))
        return bench
    }

    /// The same, and a segment whose reply has not begun.
    static func shared(sources: Int = 1, isGuarded: Bool = false) throws -> (bench: MachineBench, id: SegmentID) {
        var bench = try receiving(sources: sources, isGuarded: isGuarded)
        let chance = try #require(bench.machine.segmentChance)
        bench.take(.segmentOffered(source: chance.source))
        return (bench, try #require(bench.segment).id)
    }

    /// The reply that a segment of this goal should get.
    static func piece(_ goal: RequestGoal, etag: String? = "\"v1\"") -> ReplyHead {
        let end = goal.end ?? total
        return Sample.head(
            206, length: end - goal.offset, range: "bytes \(goal.offset)-\(end - 1)/\(total)", etag: etag)
    }

    @Test func aSegmentTakesTheSecondHalfOfWhatIsMissing() throws {
        var bench = try Self.receiving()
        #expect(bench.machine.segmentChance?.largest == 15 * Self.mebibyte)
        bench.take(.segmentOffered(source: 0))
        let goal = try #require(bench.segment).goal
        #expect(goal.offset == 17 * Self.mebibyte / 2)
        #expect(goal.end == Self.total)
        #expect(goal.ifRange == "\"v1\"")
        #expect(bench.machine.mainLimit == goal.offset)
        #expect(bench.machine.connections == 2)
    }

    @Test(
        arguments: [("\"v1\"", false, true), (nil, true, true), (nil, false, false), ("W/\"v1\"", false, false)]
            as [(String?, Bool, Bool)])
    func onlyWhatCanBeProvedToBelongTogetherIsShared(_ etag: String?, isGuarded: Bool, mayShare: Bool) throws {
        let bench = try Self.receiving(etag: etag, isGuarded: isGuarded)
        #expect((bench.machine.segmentChance != nil) == mayShare)
    }

    @Test(
        arguments: [(nil, "https", false), ("none", "https", false), ("bytes", "https", true), (nil, "ftp", true)]
            as [(String?, String, Bool)])
    func onlyWhoGivesPiecesIsAskedForThem(_ ranges: String?, _ scheme: String, mayShare: Bool) throws {
        var bench = try MachineBench(scheme: scheme)
        bench.attempt(
            Sample.head(200, length: Self.total, etag: "\"v1\"") { $0.acceptRanges = ranges }, bytes: Int(Self.mebibyte)
        )
        #expect((bench.machine.segmentChance != nil) == mayShare)
    }

    @Test func aRedirectedSegmentAsksForLeaveAtItsTarget() throws {
        var (bench, id) = try Self.shared()
        bench.take(.segment(id, .headReceived(Sample.head(302) { $0.location = "http://b.example/x" })))
        #expect(bench.orders == ["redirect segment"])
        bench.take(.segment(id, .hopGranted))
        #expect(bench.orders == ["send segment"])
        #expect(bench.machine.connections == 2)
    }

    @Test func aSegmentThatMayNotFollowItsRedirectGivesItsPieceBack() throws {
        var (bench, id) = try Self.shared()
        bench.take(.segment(id, .headReceived(Sample.head(302) { $0.location = "http://b.example/x" })))
        bench.take(.segmentRefused(id))
        #expect(bench.orders == ["end segment"])
        #expect(bench.machine.mainLimit == Self.total)
        // It was no failure of the source's.
        for _ in 0..<4 { #expect(bench.machine.segmentChance != nil) }
        bench.take(.segmentRefused(id))
        #expect(bench.orders == [])
    }

    @Test func aFileOfUnknownSizeIsNotShared() throws {
        var bench = try MachineBench()
        bench.attempt(Sample.head(200, etag: "\"v1\""), bytes: 1000)
        #expect(bench.machine.segmentChance == nil)
        bench.take(.segmentOffered(source: 0))
        #expect(bench.orders == [])
    }

    @Test func aPieceThatIsTooSmallIsNotHalved() throws {
        var bench = try MachineBench()
        let size = 2 * SegmentPolicy.smallestPiece
        bench.attempt(Sample.head(200, length: size, etag: "\"v1\""), bytes: 1)
        bench.take(.segmentOffered(source: 0))
        #expect(bench.orders == [])
    }

    /// The main stream has reached the segment's piece: it helps with what the segment has not fetched yet.
    @Test func theMainStreamHelpsTheSlowestAndAsksForNothingTwice() throws {
        var (bench, id) = try Self.shared()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        #expect(bench.orders == ["keep segment"])
        bench.take(.segment(id, .bytesReceived(Int(4 * Self.mebibyte))))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.orders == ["drop", "grant"])
        let next = try #require(bench.goal)
        let there = goal.offset + 4 * Self.mebibyte
        #expect(next.offset == there + (Self.total - there + 1) / 2)
        #expect(next.end == Self.total)
        #expect(bench.machine.limit(of: id) == next.offset)
    }

    @Test func theMainStreamWaitsForTheLastPiece() throws {
        var (bench, id) = try Self.shared()
        let goal = try #require(bench.segment).goal
        let rest = 1000
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.segment(id, .bytesReceived(Int(Self.total - goal.offset) - rest)))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.orders == ["drop"])
        #expect(bench.machine.state.name == "gathering")
        bench.take(.segment(id, .bytesReceived(rest)))
        #expect(bench.orders == ["end segment", "verify"])
    }

    /// A mirror does not say how long the file is, and nobody else is at work any more.
    @Test func aPieceOfAFileWhoseLengthGotLostIsNotTheLast() throws {
        var (bench, id) = try Self.shared(sources: 2, isGuarded: true)
        let goal = try #require(bench.segment).goal
        bench.take(.broke(MachineBench.reset))
        bench.take(.timerFired)
        let piece = "bytes \(Self.mebibyte)-\(goal.offset - 1)/*"
        bench.attempt(Sample.head(206, length: goal.offset - Self.mebibyte, range: piece))
        bench.take(.segment(id, .broke(MachineBench.reset)))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.orders == ["drop", "grant"])
        #expect(bench.goal?.offset == goal.offset)
        #expect(bench.goal?.end == nil)
    }

    @Test func aWholeFileInPlaceOfAPieceIsTakenToItsEnd() throws {
        var (bench, _) = try Self.shared()
        bench.take(.broke(MachineBench.reset))
        bench.take(.timerFired)
        #expect(bench.goal?.end != nil)
        bench.attempt(Sample.head(200, length: Self.total, etag: "\"v2\""))
        #expect(bench.machine.mainLimit == Self.total)
    }

    /// Its source sends the whole file for every piece, which a mirror gives: to help would be to begin anew.
    @Test func aMainStreamThatGetsNoPiecesLeavesThemToTheMirror() throws {
        var (bench, id) = try Self.sharedByMirror()
        let goal = try #require(bench.segment).goal
        #expect(goal.source == 1)
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.orders == ["drop"])
        #expect(bench.machine.state.name == "gathering")
        bench.take(.segment(id, .bytesReceived(Int(Self.total - goal.offset))))
        #expect(bench.orders == ["end segment", "verify"])
    }

    /// The mirror did not bring its piece, so that the file begins anew: this is not to go on for ever.
    @Test func piecesAreThrownAwayOnce() throws {
        var (bench, id) = try Self.sharedByMirror()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        bench.take(.segment(id, .broke(MachineBench.reset)))
        #expect(bench.goal?.offset == goal.offset)
        bench.attempt(Self.withoutPieces, bytes: Int(Self.mebibyte))
        #expect(bench.machine.part.have == Self.mebibyte)
        #expect(bench.machine.segmentChance == nil)
    }

    private static let withoutPieces = Sample.head(200, length: total, etag: "\"v1\"") { $0.acceptRanges = nil }

    /// One mebibyte is there, from a server that gives no pieces, and a mirror is asked for one.
    private static func sharedByMirror() throws -> (bench: MachineBench, id: SegmentID) {
        var bench = try MachineBench(sources: 2) { $0.isGuardedByDigest = true }
        bench.attempt(withoutPieces, bytes: Int(mebibyte))
        bench.take(.segmentOffered(source: try #require(bench.machine.segmentChance).source))
        return (bench, try #require(bench.segment).id)
    }

    @Test func aSegmentThatEndsEarlyGivesItsPieceBack() throws {
        var (bench, id) = try Self.shared()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.segment(id, .bytesReceived(1000)))
        bench.take(.segment(id, .broke(MachineBench.reset)))
        #expect(bench.orders == ["report segment", "end segment"])
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.goal?.offset == goal.offset + 1000)
        #expect(bench.goal?.end == Self.total)
    }

    @Test func aPieceThatIsLostWhileTheMainStreamWaitsIsItsNext() throws {
        var (bench, id) = try Self.shared()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.segment(id, .bytesReceived(Int(Self.total - goal.offset) - 1000)))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        bench.take(.segment(id, .broke(MachineBench.reset)))
        #expect(bench.orders == ["report segment", "end segment", "grant"])
        #expect(bench.goal?.offset == Self.total - 1000)
    }

    /// Replies that show that the server does not take to pieces: it is not asked for any more of them.
    @Test(arguments: [
        Sample.head(200, length: total, etag: "\"v1\""), Sample.head(206, length: 1000, etag: "\"v1\""),
        Sample.head(429) { $0.retryAfter = .seconds(7) }, Sample.head(404), Sample.head(416),
        Sample.head(206, length: 1000, range: "bytes 0-999/\(total)", etag: "\"v1\""),
        piece(RequestGoal(source: 0, offset: 17 * mebibyte / 2), etag: "\"v2\""),
    ])
    func aServerThatDoesNotTakeToPiecesIsLeftAlone(_ head: ReplyHead) throws {
        var (bench, id) = try Self.shared()
        bench.take(.segment(id, .headReceived(head)))
        #expect(bench.orders == ["report segment", "end segment"])
        #expect(bench.machine.segmentChance == nil)
        #expect(bench.machine.state.name == "transferring")
        #expect(bench.machine.mainLimit == Self.total)
        bench.take(.bytesReceived(Int(15 * Self.mebibyte)))
        bench.take(.bodyEnded)
        #expect(bench.orders == ["verify"])
    }

    @Test func threeFailuresInARowAreEnough() throws {
        var bench = try Self.receiving()
        for _ in 0..<SegmentHistory.mostFailures {
            #expect(bench.machine.segmentChance != nil)
            bench.take(.segmentOffered(source: 0))
            bench.take(.segment(try #require(bench.segment).id, .broke(MachineBench.reset)))
        }
        #expect(bench.machine.segmentChance == nil)
    }

    @Test func aMirrorThatRefusesLeavesTheOthersTheirShare() throws {
        var (bench, id) = try Self.shared(sources: 2, isGuarded: true)
        let goal = try #require(bench.segment).goal
        #expect(goal.ifRange == (goal.source == 0 ? "\"v1\"" : nil))
        bench.take(.segment(id, .headReceived(Sample.head(404))))
        #expect(bench.machine.segmentChance?.source == 1 - goal.source)
    }

    @Test func withoutADigestMirrorsDoNotShare() throws {
        var bench = try Self.receiving(sources: 2)
        for _ in 0..<3 {
            #expect(bench.machine.segmentChance?.source == 0)
            bench.take(.segmentOffered(source: 0))
        }
    }

    @Test func aNewAttemptLeavesASegmentItsPiece() throws {
        var (bench, id) = try Self.shared()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.segment(id, .bytesReceived(Int(Self.mebibyte))))
        bench.take(.broke(MachineBench.reset))
        bench.take(.timerFired)
        #expect(bench.goal?.offset == Self.mebibyte)
        #expect(bench.goal?.end == goal.offset)
    }

    /// The main stream has the end of the file, but its reply broke before it was over; segments have what is between.
    static func brokenAtTheEnd() throws -> MachineBench {
        var (bench, id) = try shared()
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(piece(goal))))
        bench.take(.bytesReceived(Int(goal.offset - mebibyte)))
        let last = try #require(bench.goal)
        bench.attempt(piece(last), bytes: Int(total - last.offset))
        bench.take(.broke(MachineBench.reset))
        bench.take(.timerFired)
        bench.take(.segment(id, .bytesReceived(Int(last.offset - goal.offset))))
        try #require(bench.machine.state.name == "waiting")
        return bench
    }

    @Test func whatSegmentsFinishWhileItSleepsIsVerifiedWithoutAnotherRequest() throws {
        var bench = try Self.brokenAtTheEnd()
        #expect(bench.orders == ["end segment"])
        bench.take(.granted)
        #expect(bench.orders == ["verify"])
    }

    /// The gap of an earlier run is asked for alone, not what lies behind it as well.
    @Test func aGapIsAskedForAlone() throws {
        let part = Part(
            present: ByteRanges([0..<1000, 2000..<3000]), total: 4000, validator: Validator(etag: "\"v1\""), source: 0)
        var bench = try MachineBench(part: part)
        #expect(bench.goal?.offset == 1000)
        #expect(bench.goal?.end == 2000)
        bench.attempt(Sample.head(206, length: 1000, range: "bytes 1000-1999/4000", etag: "\"v1\""), bytes: 1000)
        #expect(bench.orders == ["drop", "grant"])
        #expect(bench.goal?.offset == 3000)
    }

    @Test func aBodyFromTheFirstByteEndsAllSegments() throws {
        var (bench, id) = try Self.shared()
        bench.take(.broke(MachineBench.reset))
        bench.take(.timerFired)
        bench.take(.granted)
        bench.take(.headReceived(Sample.head(200, length: Self.total, etag: "\"v2\"")))
        #expect(bench.orders == ["end segment", "keep"])
        #expect(bench.machine.part.have == 0)
        bench.take(.segment(id, .bytesReceived(1000)))
        #expect(bench.machine.part.have == 0)
    }

    @Test(arguments: [TransferMachine.Event.cancelled, .gaveUp(MachineBench.reset)])
    func anEndEndsAllSegmentsAndKeepsThePart(_ event: TransferMachine.Event) throws {
        var (bench, _) = try Self.shared()
        bench.take(event)
        #expect(bench.orders.prefix(3) == ["drop", "end segment", "close"])
        #expect(bench.machine.connections == 0)
    }

    @Test func joinedBytesThatAreWrongAreFetchedByOneConnection() throws {
        var (bench, id) = try Self.shared(isGuarded: true)
        let goal = try #require(bench.segment).goal
        bench.take(.segment(id, .headReceived(Self.piece(goal))))
        bench.take(.segment(id, .bytesReceived(Int(Self.total - goal.offset))))
        bench.take(.bytesReceived(Int(goal.offset - Self.mebibyte)))
        #expect(bench.orders.last == "verify")
        bench.take(.refuted(MachineBench.wrong))
        #expect(bench.goal == RequestGoal(source: 0))
        bench.attempt(Sample.head(200, length: Self.total, etag: "\"v1\""), bytes: 1000)
        #expect(bench.machine.segmentChance == nil)
    }

    /// A part of an earlier run with a gap, and a mirror whose file ends there.
    @Test func aFileThatEndsAtAGapIsAnother() throws {
        let part = Part(
            present: ByteRanges([0..<1000, 2000..<3000]), total: nil, validator: Validator(), source: nil)
        var bench = try MachineBench(part: part) { $0.isGuardedByDigest = true }
        #expect(bench.goal?.offset == 1000)
        bench.attempt(Sample.head(416, range: "bytes */1000"))
        #expect(bench.orders == ["drop", "grant"])
        #expect(bench.goal == RequestGoal(source: 0))
        var gone = try MachineBench(
            part: Part(present: ByteRanges([0..<1000]), total: 3000, validator: Validator(etag: "\"v1\""), source: 0))
        gone.attempt(Sample.head(416, range: "bytes */1000"))
        #expect(gone.orders == ["drop", "grant"])
        #expect(gone.goal == RequestGoal(source: 0))
    }
}
