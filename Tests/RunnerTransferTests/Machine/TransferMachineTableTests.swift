import RunnerJob
import Testing

@testable import RunnerTransfer

/// Every pair of state and event of a ``TransferMachine``.
@Suite struct TransferMachineTableTests {
    /// A machine in the state of this name.
    static func bench(in state: String) throws -> MachineBench {
        var bench = try MachineBench()
        switch state {
        case "waiting": break
        case "transferring": bench.take(.granted)
        case "backingOff": bench.attemptBroken()
        case "verifying": bench.attemptWhole()
        case "publishing", "finished":
            bench.attemptWhole()
            bench.take(.verified)
            if state == "finished" { bench.take(.published) }
        case "failed": bench.take(.gaveUp(MachineBench.reset))
        default: bench.take(.cancelled)
        }
        try #require(bench.machine.state.name == state)
        return bench
    }

    static let states = [
        "waiting", "transferring", "backingOff", "verifying", "publishing", "finished", "failed", "cancelled",
    ]

    static let events: [TransferMachine.Event] = [
        .granted, .request(.broke(MachineBench.reset)), .timerFired, .gaveUp(MachineBench.reset), .verified,
        .refuted(MachineBench.wrong), .published, .cancelled,
    ]

    /// What follows on each pair that has a meaning: the next state and the orders.
    static let table: [String: (next: String, orders: [String])] = [
        "waiting granted": ("transferring", ["send"]),
        "transferring request": ("backingOff", ["report", "sleep"]),
        "backingOff timerFired": ("waiting", ["grant"]),
        "verifying verified": ("publishing", ["publish"]),
        "verifying refuted": ("waiting", ["report", "grant"]),
        "publishing published": ("finished", ["succeeded"]),
    ]

    @Test(arguments: states)
    func everyPairLeadsWhereTheTableSays(_ state: String) throws {
        for event in Self.events {
            var bench = try Self.bench(in: state)
            let before = bench.machine.state
            bench.take(event)
            let pair = "\(state) \(event.name)"
            let after = bench.machine.state.name
            if ["finished", "failed", "cancelled"].contains(state) {
                #expect(bench.machine.state == before, "\(pair)")
                #expect(bench.orders.isEmpty, "\(pair)")
            } else if let row = Self.table[pair] {
                #expect(after == row.next, "\(pair)")
                #expect(bench.orders == row.orders, "\(pair)")
            } else if event.name == "cancelled", ["verifying", "publishing"].contains(state) {
                // The lane is about to put the file in place.
                #expect(bench.machine.state == before, "\(pair)")
                #expect(bench.orders.isEmpty, "\(pair)")
            } else if event.name == "cancelled" {
                #expect(after == "cancelled", "\(pair)")
                #expect(bench.orders.first == "drop" && bench.orders.last == "cancelled", "\(pair)")
            } else if event.name == "gaveUp" {
                #expect(bench.fault == MachineBench.reset, "\(pair)")
                #expect(bench.orders.first == "drop" && bench.orders.last == "failed", "\(pair)")
            } else if event.name == "request" || event.name == "timerFired" {
                // A connection that was let go, or a timer that was called off, may still have had its say.
                #expect(bench.machine.state == before, "\(pair)")
                #expect(bench.orders.isEmpty, "\(pair)")
            } else {
                let what = Fault.Cause.impossible("transfer \(state) got \(event.name)")
                #expect(bench.fault == Fault(.internal, what), "\(pair)")
                #expect(bench.orders.first == "drop" && bench.orders.last == "failed", "\(pair)")
            }
        }
    }

    @Test func itBeginsByAskingForLeave() throws {
        let bench = try MachineBench()
        let effects = bench.machine.begin()
        guard case .requestGrant(let attempt) = effects.first, effects.count == 1 else {
            Issue.record("no request")
            return
        }
        #expect(attempt.goal == RequestGoal(source: 0))
        var begun = bench
        begun.take(.granted)
        #expect(begun.machine.begin().isEmpty)
    }

    @Test func oneWholeReplyIsEnough() throws {
        var bench = try MachineBench()
        bench.take(.granted)
        #expect(bench.orders == ["send"])
        bench.take(.headReceived(Sample.head(200, length: 1000)))
        #expect(bench.orders == ["keep"])
        bench.take(.bytesReceived(1000))
        #expect(bench.orders == [])
        bench.take(.bodyEnded)
        #expect(bench.orders == ["verify"])
        bench.take(.verified)
        bench.take(.published)
        #expect(bench.machine.state == .finished)
        #expect(bench.machine.part.have == 1000)
        #expect(bench.failures == [])
    }

    @Test func anImpossiblePairInARequestEndsTheTransfer() throws {
        var bench = try MachineBench()
        bench.take(.granted)
        bench.take(.hopGranted)
        #expect(bench.fault == Fault(.internal, .impossible("request requesting got hopGranted")))
        #expect(bench.orders == ["drop", "report", "delete", "failed"])
    }

    /// A part is kept when a later run could prove that it still belongs to the file.
    @Test(
        arguments: [("\"v1\"", false, true), (nil, true, true), (nil, false, false), ("W/\"v1\"", false, false)]
            as [(String?, Bool, Bool)])
    func aPartIsKeptWhereItCanBeGoneOnWith(_ etag: String?, isGuarded: Bool, keeps: Bool) throws {
        for event in [TransferMachine.Event.cancelled, .gaveUp(MachineBench.reset)] {
            var bench = try MachineBench { $0.isGuardedByDigest = isGuarded }
            bench.attempt(Sample.head(200, length: 1000, etag: etag), bytes: 400)
            bench.take(event)
            #expect(bench.orders.contains(keeps ? "close" : "delete"))
        }
    }

    @Test func anEmptyPartIsNotKept() throws {
        var bench = try MachineBench()
        bench.attempt(Sample.head(200, length: 1000, etag: "\"v1\""))
        bench.take(.cancelled)
        #expect(bench.orders == ["drop", "delete", "cancelled"])
    }
}
