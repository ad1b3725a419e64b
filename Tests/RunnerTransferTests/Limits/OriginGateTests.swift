import Testing

@testable import RunnerTransfer

@Suite struct OriginGateTests {
    @Test func isOpenUntilItHasAReasonNotToBe() {
        var gate = OriginGate()
        for second in 0..<10 {
            #expect(gate.opensAt <= .seconds(second))
            gate.started(at: .seconds(second))
            gate.answered(nil, inFlight: 3, at: .seconds(second))
        }
        #expect(gate.served == 10)
        #expect(!gate.isProbing)
    }

    @Test func keepsThePaceThatTheJobAsksFor() {
        var gate = OriginGate(interval: .milliseconds(200))
        gate.started(at: .seconds(1))
        #expect(gate.opensAt == .milliseconds(1200))
        gate.started(at: .milliseconds(1200))
        #expect(gate.opensAt == .milliseconds(1400))
        // Time that went by without a request is not made up for.
        gate.started(at: .seconds(9))
        #expect(gate.opensAt == .milliseconds(9200))
        #expect(gate.hold(at: .seconds(9)) == .zero)
    }

    @Test func isLeftAloneForAsLongAsItAsked() {
        var gate = OriginGate()
        gate.started(at: .seconds(1))
        gate.refused(for: .seconds(30), learnsPace: false, at: .seconds(2))
        #expect(gate.opensAt == .seconds(32))
        #expect(gate.hold(at: .seconds(12)) == .seconds(20))
        gate.refused(for: .seconds(1), learnsPace: false, at: .seconds(3))
        #expect(gate.opensAt == .seconds(32))
        gate.hold(for: .seconds(60), at: .seconds(3))
        #expect(gate.opensAt == .seconds(63))
        #expect(gate.wish(at: .seconds(13)) == .seconds(50))
    }

    @Test func learnsItsPaceFromRefusals() {
        var gate = OriginGate()
        for _ in 0..<5 {
            gate.started(at: .zero)
            gate.answered(nil, inFlight: 0, at: .milliseconds(100))
        }
        gate.started(at: .milliseconds(100))
        gate.refused(for: .seconds(1), learnsPace: true, at: .milliseconds(100))
        #expect(gate.opensAt == .milliseconds(1100))
        gate.started(at: .milliseconds(1100))
        // Five in 1.1 s, and a tenth of caution.
        #expect(gate.opensAt - .milliseconds(1100) > .milliseconds(240))
        #expect(gate.opensAt - .milliseconds(1100) < .milliseconds(245))
        let interval = gate.opensAt
        // Another that was under way changes nothing.
        gate.refused(for: .milliseconds(100), learnsPace: true, at: .milliseconds(101))
        #expect(gate.opensAt == interval)
    }

    @Test func growsFasterWhenAllGoesWell() {
        var gate = OriginGate()
        gate.started(at: .zero)
        gate.refused(for: .seconds(1), learnsPace: true, at: .zero)
        var last = Duration.zero
        var now = gate.opensAt
        for _ in 0..<200 {
            gate.started(at: now)
            last = gate.opensAt - now
            now = max(now, gate.opensAt)
            gate.answered(nil, inFlight: 0, at: now)
        }
        #expect(last < .milliseconds(200))
    }

    @Test func spreadsTheRequestsThatAreLeft() {
        var gate = OriginGate()
        gate.started(at: .zero)
        gate.answered(RateSignal(remaining: 50, reset: .seconds(30)), inFlight: 0, at: .zero)
        #expect(gate.opensAt == .zero)
        gate.answered(RateSignal(remaining: 5, reset: .seconds(30)), inFlight: 2, at: .zero)
        // Three for sure, and the next span.
        #expect(gate.opensAt == .milliseconds(7500))
        gate.started(at: .milliseconds(7500))
        #expect(gate.opensAt == .seconds(15))
        gate.answered(RateSignal(remaining: 0, reset: .seconds(20)), inFlight: 0, at: .seconds(8))
        #expect(gate.opensAt == .seconds(28))
        gate.started(at: .seconds(28))
        gate.answered(RateSignal(remaining: 50, reset: .seconds(30)), inFlight: 0, at: .seconds(28))
        gate.started(at: .seconds(48))
        #expect(gate.opensAt <= .seconds(48))
    }

    @Test func countsAsFewWhatIsAFifthOfTheQuota() {
        var gate = OriginGate()
        gate.answered(RateSignal(remaining: 900, reset: .seconds(1000), quota: 5000), inFlight: 0, at: .zero)
        #expect(gate.opensAt > .zero)
        var far = OriginGate()
        far.answered(RateSignal(remaining: 0, reset: .seconds(86_400)), inFlight: 0, at: .zero)
        #expect(far.opensAt == .zero)
    }

    @Test func isDownAfterFiveFailuresInARow() {
        var gate = OriginGate()
        for _ in 0..<4 { #expect(gate.failed(at: .seconds(1)) == false) }
        gate.answered(nil, inFlight: 0, at: .seconds(1))
        for _ in 0..<4 { #expect(gate.failed(at: .seconds(2)) == false) }
        #expect(gate.failed(at: .seconds(3)) == true)
        #expect(gate.opensAt == .seconds(33))
        #expect(gate.isProbing)
        #expect(gate.openings == 1)
        // What began before changes nothing.
        #expect(gate.failed(at: .seconds(4)) == false)
        #expect(gate.opensAt == .seconds(33))
    }

    @Test func allThatOneConnectionTakesWithItIsOneFailure() {
        var gate = OriginGate()
        for port in 1...4 {
            for _ in 0..<8 { #expect(gate.failed(at: .seconds(1), on: port) == false) }
        }
        #expect(gate.failed(at: .seconds(1), on: 5) == true)
    }

    @Test func isTriedByOneRequestAtATime() {
        var gate = OriginGate()
        for _ in 0..<5 { _ = gate.failed(at: .zero) }
        gate.started(at: .seconds(30))
        #expect(gate.isProbing)
        #expect(gate.failed(at: .seconds(31)) == true)
        #expect(gate.openings == 2)
        #expect(gate.opensAt == .seconds(61))
        gate.started(at: .seconds(61))
        gate.answered(nil, inFlight: 0, at: .seconds(62))
        #expect(!gate.isProbing)
        #expect(gate.openings == 0)
        #expect(gate.opensAt <= .seconds(62))
    }
}
