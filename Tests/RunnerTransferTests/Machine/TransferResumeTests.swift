import RunnerJob
import RunnerPlan
import Testing

@testable import RunnerTransfer

/// What a ``TransferMachine`` asks for when it goes on.
@Suite struct TransferResumeTests {
    static let tagged = Sample.head(200, length: 1000, etag: "\"v1\"")
    static let rest = Sample.head(206, length: 600, range: "bytes 400-999/1000", etag: "\"v1\"")

    /// 400 of 1000 bytes came, then the connection broke; the machine waits for leave to ask again.
    static func cut(
        _ head: ReplyHead = tagged, sources: Int = 1,
        configure: (inout TransferMachine.Configuration) -> Void = { _ in }
    ) throws -> MachineBench {
        var bench = try MachineBench(sources: sources, configure: configure)
        bench.attempt(head, bytes: 400, then: .broke(MachineBench.reset))
        bench.take(.timerFired)
        return bench
    }

    @Test func aCutTransferAsksForTheRest() throws {
        var bench = try Self.cut()
        #expect(bench.goal == .rest(from: 400))
        bench.attempt(Self.rest, bytes: 600, then: .bodyEnded)
        #expect(bench.orders == ["verify"])
        #expect(bench.machine.part.have == 1000)
    }

    @Test func withoutAStrongValidatorItStartsOver() throws {
        let weak = Sample.head(200, length: 1000, etag: "W/\"v1\"")
        #expect(try Self.cut(weak).goal == .whole)
    }

    @Test func aDateIsAValidatorWhenItIsOld() throws {
        let dated = Sample.head(200, length: 1000) {
            $0.lastModified = Sample.modified
            $0.lastModifiedTime = 1000
            $0.dateTime = 2000
        }
        #expect(try Self.cut(dated).goal == .rest(from: 400, etag: nil, lastModified: Sample.modified))
    }

    @Test func underADigestNoValidatorIsNeeded() throws {
        let bench = try Self.cut(Sample.head(200, length: 1000)) { $0.isGuardedByDigest = true }
        #expect(bench.goal == RequestGoal(source: 0, offset: 400, knownTotal: 1000))
    }

    @Test func aPartOfAnEarlierRunIsGoneOnWith() throws {
        let part = Part(have: 400, total: 1000, validator: Validator(etag: "\"v1\""), source: 0)
        var bench = try MachineBench(part: part)
        #expect(bench.goal == .rest(from: 400))
        bench.attempt(Self.rest, bytes: 600, then: .bodyEnded)
        #expect(bench.orders == ["verify"])
    }

    @Test func anotherMirrorGoesOnOnlyUnderADigest() throws {
        var plain = try MachineBench(sources: 2)
        plain.attempt(Self.tagged, bytes: 400, then: .broke(MachineBench.reset))
        #expect(plain.goal == RequestGoal(source: 1))
        var guarded = try MachineBench(sources: 2) {
            $0.isGuardedByDigest = true
            $0.size = 1000
        }
        guarded.attempt(Self.tagged, bytes: 400, then: .broke(MachineBench.reset))
        #expect(guarded.goal == RequestGoal(source: 1, offset: 400, knownTotal: 1000))
    }

    @Test func aMirrorFromZeroReplacesThePart() throws {
        var bench = try MachineBench(sources: 2)
        bench.attempt(Self.tagged, bytes: 400, then: .broke(MachineBench.reset))
        bench.attempt(Sample.head(200, length: 1000, etag: "\"m\""), bytes: 100, then: .broke(MachineBench.reset))
        #expect(bench.machine.part.have == 100)
        #expect(bench.machine.part.source == 1)
        #expect(bench.machine.part.validator == Validator(etag: "\"m\""))
    }

    @Test func anotherVersionIsReadFromZeroInTheSameReply() throws {
        var bench = try Self.cut()
        bench.attempt(Sample.head(200, length: 2000, etag: "\"v2\""))
        #expect(bench.orders == ["drop", "grant"])
        #expect(bench.goal == .whole)
        bench.attempt(Sample.head(200, length: 1000, etag: "\"v2\""), bytes: 1000, then: .bodyEnded)
        #expect(bench.orders == ["verify"])
        #expect(bench.machine.part.validator.etag == "\"v2\"")
    }

    @Test func aShortPartIsFollowedByTheNext() throws {
        var bench = try Self.cut()
        bench.attempt(Sample.head(206, length: 200, range: "bytes 400-599/1000"), bytes: 200, then: .bodyEnded)
        #expect(bench.failures.last?.faultClass == .truncated)
        bench.take(.timerFired)
        #expect(bench.goal == .rest(from: 600))
    }

    @Test func overlappingBytesAreCountedOnce() throws {
        var bench = try Self.cut()
        bench.attempt(Sample.head(206, range: "bytes 350-999/1000"), bytes: 20)
        #expect(bench.machine.part.have == 400)
        bench.take(.bytesReceived(40))
        #expect(bench.machine.part.have == 410)
        bench.take(.bytesReceived(590))
        bench.take(.bodyEnded)
        #expect(bench.orders == ["verify"])
        #expect(bench.machine.part.have == 1000)
    }

    @Test func theEndThatWasReachedAlreadyIsVerified() throws {
        var bench = try Self.cut(Sample.head(200, etag: "\"v1\""))
        bench.attempt(Sample.head(416, range: "bytes */400"))
        #expect(bench.orders == ["drop", "verify"])
        #expect(bench.machine.part.total == 400)
    }

    // MARK: - Asking anew

    @Test func aUselessReplyCostsNoAttempt() throws {
        var bench = try Self.cut()
        let before = bench.machine.sources[0].attempts
        bench.attempt(Sample.head(416))
        #expect(bench.orders == ["drop", "grant"])
        #expect(bench.goal == .whole)
        #expect(bench.machine.sources[0].attempts == before)
        #expect(bench.failures.count == 1)
    }

    @Test func theDateIsTriedWhenTheTagIsIgnored() throws {
        let part = Part(
            have: 2 << 20, total: 4 << 20, validator: Validator(etag: "\"v1\"", lastModified: Sample.modified),
            source: 0)
        var bench = try MachineBench(part: part)
        let whole = Sample.head(200, length: 4 << 20, etag: "\"v1\"")
        bench.attempt(whole)
        #expect(bench.goal?.ifRange == Sample.modified)
        #expect(bench.goal?.offset == 2 << 20)
        bench.attempt(whole)
        #expect(bench.orders == ["keep"])
        #expect(bench.machine.part.have == 0)
    }

    /// A server whose every reply to the rest is of no use does not keep the machine busy for ever.
    @Test func askingAnewEnds() throws {
        var bench = try Self.cut()
        var requests = 0
        while bench.fault == nil, requests < 100 {
            requests += 1
            bench.attempt(Sample.head(416))
            if bench.machine.state.name == "backingOff" { bench.take(.timerFired) }
        }
        #expect(bench.fault?.faultClass == .client)
        #expect(requests < 10)
    }

    // MARK: - Servers that answer Range with an error

    /// An error in answer to the request for the rest says nothing of the whole file.
    @Test(arguments: [400, 403, 405, 412, 501, 505, 203, 204, 304])
    func anErrorForTheRestIsFollowedByARequestForTheWhole(_ status: Int) throws {
        var bench = try Self.cut()
        bench.attempt(Sample.head(status))
        #expect(bench.failures.last?.retryIn == .zero)
        #expect(bench.goal == .whole)
        #expect(bench.machine.part.have == 400)
        bench.attempt(Self.tagged, bytes: 700, then: .broke(MachineBench.reset))
        bench.take(.timerFired)
        #expect(bench.goal == .whole)
    }

    @Test(arguments: [401, 404, 407, 410, 451, 511])
    func anErrorOfTheFileOrTheAskerIsFinal(_ status: Int) throws {
        var bench = try Self.cut()
        bench.attempt(Sample.head(status))
        #expect(bench.fault?.cause == .status(status))
    }

    /// An error of the server may pass, and the part with it be of use.
    @Test func anErrorOfTheServerIsTriedAgainFirst() throws {
        var bench = try Self.cut()
        for _ in 0..<2 {
            bench.attempt(Sample.head(500))
            bench.take(.timerFired)
            #expect(bench.goal == .rest(from: 400))
        }
        bench.attempt(Sample.head(500))
        #expect(bench.goal == .whole)
        bench.attempt(Sample.head(500))
        #expect(bench.fault?.cause == .status(500))
    }

    @Test func theWholeIsAskedForOnceForEachSource() throws {
        var bench = try Self.cut(sources: 2) { $0.isGuardedByDigest = true }
        var goals: [Int64] = []
        while bench.fault == nil, goals.count < 20 {
            goals.append(bench.goal?.offset ?? -1)
            bench.attempt(Sample.head(403))
            if bench.machine.state.name == "backingOff" { bench.take(.timerFired) }
        }
        #expect(goals == [400, 0, 400, 0])
    }

    // MARK: - Servers that answer conditions with an error

    private func revalidation() throws -> MachineBench {
        try MachineBench { $0.revalidation = RevalidationValidators(source: 0, etag: "\"v1\"") }
    }

    @Test(arguments: [400, 412, 501])
    func anErrorForAConditionIsFollowedByAPlainRequest(_ status: Int) throws {
        var bench = try revalidation()
        #expect(bench.goal?.condition != nil)
        bench.attempt(Sample.head(status))
        #expect(bench.failures.last?.retryIn == .zero)
        #expect(bench.goal == .whole)
        bench.attempt(Sample.head(status))
        #expect(bench.fault?.cause == .status(status))
    }

    /// That a file may not be had is more likely than that it may be had without asking for changes.
    @Test(arguments: [401, 403, 404, 410])
    func anErrorOfTheFileEndsARevalidation(_ status: Int) throws {
        var bench = try revalidation()
        bench.attempt(Sample.head(status))
        #expect(bench.fault?.cause == .status(status))
    }
}
