import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerTransfer

/// docs/transfer.md draws the machines as they are.
@Suite struct TransferDocumentTests {
    static let document = Repository.text("docs/transfer.md")

    /// The arrows `a --> b: event` of the nth drawing.
    static func drawing(_ number: Int) throws -> Set<String> {
        let blocks = document.components(between: "```mermaid\n", and: "```")
        try #require(blocks.count == 2)
        let lines = blocks[number].split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
        return Set(lines.filter { $0.contains(" --> ") && !$0.contains("[*]") })
    }

    // MARK: - What machines do

    static let size: Int64 = 16 << 20
    static let tagged = Sample.head(200, length: size, etag: "\"v1\"")

    /// Machines in every state, and with every kind of past that makes a difference.
    static func benches() throws -> [MachineBench] {
        var benches: [MachineBench] = []
        func add(sources: Int = 1, attempts: Int = 3, _ events: [TransferMachine.Event]) throws {
            var bench = try MachineBench(sources: sources) {
                $0.isGuardedByDigest = true
            } retry: {
                $0.attempts = attempts
            }
            for event in events { bench.take(event) }
            benches.append(bench)
        }
        let whole: [TransferMachine.Event] = [
            .granted, .request(.headReceived(Sample.head(200, length: 10))), .request(.bytesReceived(10)),
            .request(.bodyEnded),
        ]
        let reset = TransferMachine.Event.request(.broke(MachineBench.reset))
        for attempts in [1, 3] {
            for sources in [1, 2] {
                try add(sources: sources, attempts: attempts, [])
                try add(sources: sources, attempts: attempts, [.granted])
                try add(sources: sources, attempts: attempts, Array(whole.prefix(3)))
                try add(sources: sources, attempts: attempts, whole)
                try add(sources: sources, attempts: attempts, whole + [.refuted(MachineBench.wrong)] + whole)
            }
        }
        try add([.granted, reset])
        try add(whole + [.verified])
        try add([
            .granted, .request(.headReceived(Sample.head(200, length: 1000))), .request(.bytesReceived(10)), reset,
            .timerFired, .granted,
        ])
        return try benches + shared()
    }

    /// Machines with a segment.
    private static func shared() throws -> [MachineBench] {
        var (bench, id) = try TransferSegmentTests.shared()
        let goal = try #require(bench.segment).goal
        var benches = [bench]
        bench.take(.segment(id, .headReceived(TransferSegmentTests.piece(goal))))
        benches.append(bench)
        // All but the last bytes of both.
        bench.take(.segment(id, .bytesReceived(Int(size - goal.offset) - 1000)))
        bench.take(.bytesReceived(Int(goal.offset) - (1 << 20) - 1000))
        benches.append(bench)
        var last = bench
        last.take(.segment(id, .bytesReceived(1000)))
        benches.append(last)
        // The main stream fails and segments finish everything else; its own last bytes come, too.
        bench.take(.bytesReceived(1000))
        benches.append(bench)
        var waiting = try TransferSegmentTests.shared().bench
        let piece = SegmentID(number: 1)
        waiting.take(.segment(piece, .headReceived(TransferSegmentTests.piece(goal))))
        waiting.take(.bytesReceived(Int(goal.offset) - (1 << 20)))
        waiting.take(.segment(piece, .bytesReceived(Int(size - goal.offset))))
        return try benches + [waiting, TransferSegmentTests.brokenAtTheEnd()]
    }

    static func refusal(_ seconds: Int) -> Refusal {
        Refusal(
            origin: Origin(scheme: "http", host: "s0.test", port: 80), wait: .seconds(seconds), openings: 0,
            fault: Fault(.rateLimited, .status(429)))
    }

    static let transferEvents: [TransferMachine.Event] = [
        .granted, .suspended, .refused(refusal(7)), .refused(refusal(100_000)), .timerFired,
        .gaveUp(MachineBench.reset), .verified, .refuted(MachineBench.wrong),
        .refuted(Fault(.disk, .noContent(1))), .refuted(MachineBench.reset), .published, .cancelled,
        .request(.headReceived(Sample.head(416, range: "bytes */10"))), .request(.headReceived(Sample.head(416))),
        .request(.headReceived(Sample.head(404))), .request(.headReceived(tagged)), .request(.bytesReceived(1000)),
        .request(.bodyEnded), .request(.broke(MachineBench.reset)),
        .segment(SegmentID(number: 1), .bytesReceived(1000)),
        .segment(SegmentID(number: 1), .broke(MachineBench.reset)), .segmentOffered(source: 0),
    ]

    static func transitions() throws -> Set<String> {
        var found: Set<String> = []
        for bench in try benches() {
            for event in transferEvents {
                var next = bench
                next.take(event)
                let (from, to) = (bench.machine.state.name, next.machine.state.name)
                if from == to || next.fault?.faultClass == .internal { continue }
                found.insert("\(from) --> \(to): \(event.name)")
            }
        }
        var revalidation = try MachineBench {
            $0.revalidation = RevalidationValidators(source: 0, etag: "\"v1\"")
        }
        revalidation.take(.granted)
        revalidation.take(.headReceived(Sample.head(304)))
        found.insert("transferring --> \(revalidation.machine.state.name): request")
        return found
    }

    @Test func theDrawingOfAFileIsTheMachine() throws {
        let (drawn, found) = (try Self.drawing(0), try Self.transitions())
        #expect(found.subtracting(drawn).sorted() == [], "not drawn")
        #expect(drawn.subtracting(found).sorted() == [], "does not happen")
    }

    @Test func theDrawingOfARequestIsTheMachine() throws {
        let url = try Sample.url("http://s0.test/f")
        let moved = Sample.head(302) { $0.location = "/g" }
        let good = Sample.head(200, length: 10)
        let events: [RequestMachine.Event] = [
            .started(url), .hopGranted, .headReceived(good), .headReceived(moved), .headReceived(Sample.head(404)),
            .headReceived(Sample.head(416)), .bytesReceived(5), .bodyEnded, .broke(MachineBench.reset),
        ]
        let pasts: [[RequestMachine.Event]] = [
            [], [.started(url)], [.started(url), .headReceived(moved)], [.started(url), .headReceived(good)],
            [.started(url), .headReceived(good), .bytesReceived(10)],
        ]
        var found: Set<String> = []
        for past in pasts {
            for goal in [RequestGoal.whole, .rest()] {
                var machine = RequestMachine(goal: goal, statuses: [], redirects: RedirectRules())
                for event in past { _ = machine.handle(event, resolve: URLResolution.resolve) }
                for event in events {
                    var next = machine
                    _ = next.handle(event, resolve: URLResolution.resolve)
                    if case .broken(let fault) = next.state, fault.faultClass == .internal { continue }
                    guard next.state.name != machine.state.name else { continue }
                    found.insert("\(machine.state.name) --> \(next.state.name): \(event.name)")
                }
            }
        }
        let drawn = try Self.drawing(1)
        #expect(found.subtracting(drawn).sorted() == [], "not drawn")
        #expect(drawn.subtracting(found).sorted() == [], "does not happen")
    }

    @Test(arguments: FaultClass.allCases) func theTableOfClassesIsThePolicy(_ fault: FaultClass) throws {
        let row = try #require(Self.document.split(separator: "\n").first { $0.hasPrefix("| `\(fault.rawValue)` |") })
        let cells = row.split(separator: "|").map { $0.filter { $0 != " " } }
        #expect(cells.last == (RetryPolicy.isTransient(fault) ? "yes" : "no"))
    }
}

extension String {
    /// The texts between each pair of marks.
    fileprivate func components(between start: String, and end: String) -> [String] {
        var rest = self[...]
        var found: [String] = []
        while let open = rest.firstRange(of: start), let close = rest[open.upperBound...].firstRange(of: end) {
            found.append(String(rest[open.upperBound..<close.lowerBound]))
            rest = rest[close.upperBound...]
        }
        return found
    }
}
