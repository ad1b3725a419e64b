import RunnerJob
import Testing

@testable import RunnerTransfer

/// Attempts, waits and mirrors of a ``TransferMachine``.
@Suite struct TransferBudgetTests {
    typealias Failure = MachineBench.Failure

    static func busy(_ seconds: Int64) -> ReplyHead {
        Sample.head(503) { $0.retryAfter = .seconds(seconds) }
    }

    @Test func attemptsAreLimited() throws {
        var bench = try MachineBench()
        for _ in 0..<2 {
            bench.attemptBroken()
            bench.take(.timerFired)
        }
        bench.attemptBroken()
        #expect(bench.fault == MachineBench.reset)
        #expect(
            bench.failures == [
                Failure(number: 1, faultClass: .reset, retryIn: .seconds(1), nextSource: 0),
                Failure(number: 2, faultClass: .reset, retryIn: .seconds(2), nextSource: 0),
                Failure(number: 3, faultClass: .reset, retryIn: nil, nextSource: nil),
            ])
    }

    @Test(arguments: [Int.min, 0, 1])
    func oneAttemptIsTheLeast(_ attempts: Int) throws {
        var bench = try MachineBench(retry: { $0.attempts = attempts })
        bench.attemptBroken()
        #expect(bench.fault == MachineBench.reset)
    }

    @Test(arguments: FaultClass.allCases.filter { !RetryPolicy.isTransient($0) })
    func whatDoesNotPassIsNotAskedAgain(_ faultClass: FaultClass) throws {
        var bench = try MachineBench()
        bench.attemptBroken(Fault(faultClass, .status(400)))
        #expect(bench.fault?.faultClass == faultClass)
        #expect(bench.failures.count == 1)
    }

    @Test func theListOfClassesDecides() throws {
        var bench = try MachineBench(retry: { $0.on = [.notFound] })
        bench.attempt(Sample.head(404))
        #expect(bench.orders == ["drop", "report", "sleep"])
        bench.take(.timerFired)
        bench.attemptBroken()
        #expect(bench.fault == MachineBench.reset)
    }

    // MARK: - Progress

    @Test func progressEarnsTheAttemptsBack() throws {
        var bench = try MachineBench()
        bench.attempt(TransferResumeTests.tagged, bytes: 100, then: .broke(MachineBench.reset))
        for have in 1...8 {
            bench.take(.timerFired)
            let start = Int64(have) * 100
            bench.attempt(
                Sample.head(206, length: 1000 - start, range: "bytes \(start)-999/1000"), bytes: 100,
                then: .broke(MachineBench.reset))
            #expect(bench.sleep == .seconds(1))
        }
        #expect(bench.fault == nil)
        #expect(bench.machine.part.have == 900)
    }

    /// Without a validator each attempt starts at zero; one that is cut at the same place each time is no progress.
    @Test func theSameBytesAgainAreNoProgress() throws {
        var bench = try MachineBench()
        var attempts = 0
        while bench.fault == nil, attempts < 100 {
            attempts += 1
            bench.attempt(Sample.head(200, length: 1000), bytes: 700, then: .broke(MachineBench.reset))
            bench.take(.timerFired)
        }
        // The first one got further than any before it and did not count.
        #expect(attempts == 4)
    }

    @Test func progressEarnsBackTheAttemptsOfEveryMirror() throws {
        var bench = try MachineBench(sources: 2) { $0.isGuardedByDigest = true }
        for _ in 0..<2 {
            bench.attemptBroken()
            bench.attemptBroken()
            bench.take(.timerFired)
        }
        #expect(bench.machine.sources.map(\.attempts) == [2, 2])
        bench.attempt(Sample.head(200, length: 1000), bytes: 100, then: .broke(MachineBench.reset))
        #expect(bench.machine.sources.map(\.attempts) == [0, 0])
    }

    @Test func bytesThatWereWrongAreNoMeasureOfProgress() throws {
        var bench = try MachineBench()
        bench.attempt(TransferResumeTests.tagged, bytes: 400, then: .broke(MachineBench.reset))
        bench.take(.timerFired)
        bench.attempt(TransferResumeTests.rest, bytes: 600, then: .bodyEnded)
        bench.take(.refuted(MachineBench.wrong))
        // From zero again: what is reached now is new, though it lies below byte 400.
        for count in [100, 100, 100, 50] {
            let have = bench.machine.part.have
            let head =
                have == 0
                ? TransferResumeTests.tagged : Sample.head(206, range: "bytes \(have)-999/1000", etag: "\"v1\"")
            bench.attempt(head, bytes: count, then: .broke(MachineBench.reset))
            bench.take(.timerFired)
        }
        #expect(bench.fault == nil)
        #expect(bench.machine.part.have == 350)
    }

    // MARK: - Mirrors

    @Test func allMirrorsAreTriedBeforeASleep() throws {
        var bench = try MachineBench(sources: 3)
        for source in [1, 2] {
            bench.attemptBroken()
            #expect(bench.orders == ["report", "grant"])
            #expect(bench.goal?.source == source)
            #expect(
                bench.failures.last == Failure(number: source, faultClass: .reset, retryIn: .zero, nextSource: source))
        }
        bench.attemptBroken()
        #expect(bench.sleep == .seconds(1))
        bench.take(.timerFired)
        #expect(bench.goal?.source == 0)
    }

    @Test func aSourceWithoutHopeIsNotAskedAgain() throws {
        var bench = try MachineBench(sources: 2)
        bench.attempt(Sample.head(404))
        #expect(bench.goal?.source == 1)
        bench.attemptBroken()
        #expect(bench.sleep == .seconds(1))
        bench.take(.timerFired)
        #expect(bench.goal?.source == 1)
        bench.attempt(Sample.head(404))
        #expect(bench.fault == Fault(.notFound, .status(404)))
        #expect(bench.machine.sources.map(\.lastFault?.faultClass) == [.notFound, .notFound])
    }

    @Test(arguments: [FaultClass.disk, .storage, .internal])
    func aFaultOfThisMachineIsNotTheMirrors(_ faultClass: FaultClass) throws {
        var bench = try MachineBench(sources: 2)
        bench.attemptBroken(Fault(faultClass, .impossible("x")))
        #expect(bench.fault?.faultClass == faultClass)
    }

    // MARK: - Retry-After

    @Test func retryAfterIsAFloor() throws {
        var bench = try MachineBench()
        bench.attempt(Self.busy(30))
        #expect(bench.sleep == .seconds(30))
    }

    @Test func ourOwnWaitIsAFloorToo() throws {
        var bench = try MachineBench(retry: { $0.first = .seconds(40) })
        bench.attempt(Self.busy(30))
        #expect(bench.sleep == .seconds(40))
    }

    @Test func aMirrorDoesNotWaitForTheOther() throws {
        var bench = try MachineBench(sources: 2)
        bench.attempt(Self.busy(30))
        #expect(bench.goal?.source == 1)
        bench.now = .seconds(5)
        bench.attemptBroken()
        #expect(bench.sleep == .seconds(1))
        bench.now = .seconds(6)
        bench.take(.timerFired)
        #expect(bench.goal?.source == 1)
        // The first one is still closed; when the second sleeps too, the shorter of both waits counts.
        bench.attemptBroken()
        #expect(bench.sleep == .seconds(2))
        bench.now = .seconds(30)
        bench.take(.timerFired)
        bench.attemptBroken()
        #expect(bench.goal?.source == 0)
    }

    @Test func aWaitBeyondMaxWaitIsNotMade() throws {
        var bench = try MachineBench()
        bench.attempt(Self.busy(7200))
        let cause = Fault.Cause.waitTooLong(status: 503, .seconds(7200), allowed: .seconds(3600))
        #expect(bench.fault?.cause == cause)
        #expect(bench.fault?.faultClass == .rateLimited)
        #expect(bench.failures == [Failure(number: 1, faultClass: .rateLimited, retryIn: nil, nextSource: nil)])
    }

    @Test func aWaitBeyondMaxWaitLeavesTheMirrors() throws {
        var bench = try MachineBench(sources: 2)
        bench.attempt(Self.busy(7200))
        #expect(bench.goal?.source == 1)
        bench.attemptWhole()
        #expect(bench.orders == ["verify"])
    }

    @Test func maxWaitItselfIsAllowed() throws {
        var bench = try MachineBench()
        bench.attempt(Self.busy(3600))
        #expect(bench.sleep == .seconds(3600))
    }

    @Test func theDeadlineEndsItAtOnce() throws {
        var bench = try MachineBench(retry: { $0.deadline = .seconds(3) })
        bench.now = .seconds(1)
        bench.attempt(Self.busy(10))
        #expect(bench.fault?.cause == .waitTooLong(status: 503, .seconds(10), allowed: .seconds(2), by: .deadline))
        var silent = try MachineBench(retry: { $0.deadline = .seconds(3) })
        silent.now = .milliseconds(2_500)
        silent.attemptBroken()
        #expect(silent.fault == Fault(.reset, .deadline(.seconds(3))))
        #expect(silent.sleep == nil)
    }

    /// The limit on the whole would end the task in the midst of the wait.
    @Test func aWaitBeyondTheTotalEndsItAtOnce() throws {
        var bench = try MachineBench(configure: { $0.total = .seconds(8) })
        bench.now = .seconds(1)
        bench.attempt(Self.busy(10))
        #expect(bench.fault?.cause == .waitTooLong(status: 503, .seconds(10), allowed: .seconds(7), by: .total))
        var mirrored = try MachineBench(sources: 2, configure: { $0.total = .seconds(8) })
        mirrored.attempt(Self.busy(10))
        #expect(mirrored.goal?.source == 1)
        var allowed = try MachineBench(configure: { $0.total = .seconds(11) })
        allowed.now = .seconds(1)
        allowed.attempt(Self.busy(10))
        #expect(allowed.sleep == .seconds(10))
    }

    /// The same where another task, or an earlier run, was asked to wait.
    @Test func aHeldOriginBeyondTheTotalIsLeft() throws {
        var bench = try MachineBench(configure: { $0.total = .seconds(8) })
        bench.now = .seconds(1)
        let origin = try #require(bench.machine.awaitedOrigin)
        let fault = Fault(.rateLimited, .askedEarlier)
        let short = Refusal(origin: origin, wait: .seconds(7), openings: 0, fault: fault)
        let long = Refusal(origin: origin, wait: .seconds(8), openings: 0, fault: fault)
        #expect(!bench.machine.leaves(short, at: bench.now))
        #expect(bench.machine.leaves(long, at: bench.now))
        bench.take(.refused(long))
        #expect(bench.fault?.cause == .waitTooLong(status: nil, .seconds(8), allowed: .seconds(7), by: .total))
    }

    @Test func theDeadlineItselfIsAllowed() throws {
        var bench = try MachineBench(retry: { $0.deadline = .seconds(3) })
        bench.now = .seconds(2)
        bench.attemptBroken()
        #expect(bench.sleep == .seconds(1))
    }
}
