import RunnerJob
import Testing

@testable import RunnerTransfer

/// What a ``TransferMachine`` does about bytes that are not what was asked for.
@Suite struct TransferIntegrityTests {
    static let wrong = MachineBench.wrong

    @Test func wrongBytesAreAskedForOncePastCaches() throws {
        var bench = try MachineBench()
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        #expect(bench.orders == ["report", "grant"])
        #expect(bench.goal == RequestGoal(source: 0, bypassesCaches: true))
        #expect(bench.failures == [.init(number: 1, faultClass: .integrity, retryIn: .zero, nextSource: 0)])
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        #expect(bench.fault == Self.wrong)
        #expect(bench.orders == ["report", "delete", "failed"])
    }

    @Test func afterAResumeItStartsFromZeroFirst() throws {
        var bench = try TransferResumeTests.cut()
        bench.attempt(TransferResumeTests.rest, bytes: 600, then: .bodyEnded)
        bench.take(.refuted(Self.wrong))
        #expect(bench.goal == .whole)
        #expect(bench.machine.part == Part())
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        #expect(bench.goal == RequestGoal(source: 0, bypassesCaches: true))
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        #expect(bench.fault == Self.wrong)
    }

    @Test func aPartThatWasSaidToBeWholeIsDoubtedToo() throws {
        var bench = try TransferResumeTests.cut(Sample.head(200, etag: "\"v1\""))
        bench.attempt(Sample.head(416, range: "bytes */400"))
        bench.take(.refuted(Self.wrong))
        #expect(bench.goal == .whole)
    }

    @Test func startingFromZeroDoesNotCost() throws {
        var bench = try MachineBench(
            part: Part(have: 400, total: 1000, validator: Validator(etag: "\"v1\""), source: 0),
            retry: { $0.attempts = 1 })
        bench.attempt(TransferResumeTests.rest, bytes: 600, then: .bodyEnded)
        bench.take(.refuted(Self.wrong))
        #expect(bench.goal == .whole)
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        // A budget of one request leaves none to ask past caches.
        #expect(bench.fault == Self.wrong)
    }

    @Test func theNextMirrorFollows() throws {
        var bench = try MachineBench(sources: 2)
        for bypasses in [true, nil] {
            bench.attemptWhole()
            bench.take(.refuted(Self.wrong))
            #expect(
                bench.goal == (bypasses == nil ? RequestGoal(source: 1) : RequestGoal(source: 0, bypassesCaches: true)))
        }
        bench.attemptWhole()
        bench.take(.verified)
        bench.take(.published)
        #expect(bench.machine.state == .finished)
    }

    @Test func everyMirrorGetsItsOwnSecondChance() throws {
        var bench = try MachineBench(sources: 2)
        for _ in 0..<3 {
            bench.attemptWhole()
            bench.take(.refuted(Self.wrong))
            #expect(bench.fault == nil)
        }
        bench.attemptWhole()
        bench.take(.refuted(Self.wrong))
        #expect(bench.fault == Self.wrong)
        #expect(bench.failures.map(\.nextSource) == [0, 1, 1, nil])
    }

    @Test func whatIsTooLargeIsNotFetchedTwice() throws {
        var bench = try MachineBench(sources: 2)
        bench.attemptWhole()
        bench.take(.refuted(Fault(.tooLarge, .tooLarge(size: 1000, limit: 10))))
        #expect(bench.goal?.source == 1)
    }

    // MARK: - The head tells already

    @Test func anotherSizeIsSeenInTheHead() throws {
        var bench = try MachineBench { $0.size = 2000 }
        bench.attempt(Sample.head(200, length: 1000))
        #expect(bench.orders == ["drop", "report", "grant"])
        #expect(bench.goal?.bypassesCaches == true)
        bench.attempt(Sample.head(200, length: 1000))
        #expect(bench.fault == Fault(.integrity, .sizeDiffers(declared: 1000, wanted: 2000)))
    }

    @Test func aFileThatIsTooLargeIsNotFetched() throws {
        var bench = try MachineBench { $0.maxSize = 999 }
        bench.attempt(Sample.head(200, length: 1000))
        #expect(bench.fault == Fault(.tooLarge, .tooLarge(size: 1000, limit: 999)))
        #expect(bench.failures.count == 1)
        var fitting = try MachineBench { $0.maxSize = 1000 }
        fitting.attempt(Sample.head(200, length: 1000))
        #expect(fitting.orders == ["keep"])
    }

    @Test(
        arguments: [
            ("application/zip", true), ("APPLICATION/ZIP", true), ("application/zip; charset=x", true),
            (" application/zip ;q", true),
            ("application/zipper", false), ("text/html", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func theMediaTypeIsCompared(_ type: String?, fits: Bool) throws {
        var bench = try MachineBench { $0.mediaType = "application/zip" }
        bench.attempt(Sample.head(200, length: 1000) { $0.contentType = type })
        #expect(bench.orders == (fits ? ["keep"] : ["drop", "report", "grant"]))
    }
}
