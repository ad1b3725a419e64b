import RunnerCLI
import RunnerExecution
import TestSupport
import Testing

/// What signals do to a run.
@Suite struct StopTests {
    /// Runs two jobs of which the first waits for signals, and sends them as soon as it runs.
    static func run(
        _ script: ScriptedRun.Script, signals: [TerminationSignal]
    ) async throws -> (status: Int32, test: TestContext) {
        let (stream, continuation) = AsyncStream.makeStream(of: TerminationSignal.self)
        for signal in signals { continuation.yield(signal) }
        let test = try TestContext(script: script, signals: stream)
        try test.folder.write("one.yaml", RunCommandTests.job("a"))
        try test.folder.write("two.yaml", RunCommandTests.job("b"))
        return (await test.run("run", "one.yaml", "two.yaml"), test)
    }

    @Test(arguments: [(.interrupt, 130), (.terminate, 143), (.hangUp, 129)] as [(TerminationSignal, Int32)])
    func theFirstStopsTheRunAndNothingElseBegins(signal: TerminationSignal, status: Int32) async throws {
        let (found, test) = try await Self.run(.untilStopped, signals: [signal])
        #expect(found == status)
        #expect(!test.record.list.contains("run two"))
        #expect(!test.record.list.contains { $0.hasPrefix("end") })
    }

    @Test func theSecondEndsTheProgramWithTheStatusOfTheFirst() async throws {
        let (_, test) = try await Self.run(.untilEnd, signals: [.terminate, .interrupt])
        #expect(test.record.list.contains("end 143"))
    }

    static func target(_ record: ScriptedRun.Record) -> StopSwitch.Target {
        StopSwitch.Target(
            run: ScriptedRun(Events.plan([:]), .untilStopped, record), tell: { _ in record.add("told") },
            abandon: { record.add("abandoned") })
    }

    @Test func aRunThatBeginsAfterASignalIsStoppedRightAway() {
        let record = ScriptedRun.Record()
        let stop = StopSwitch { _ in }
        stop.take(.interrupt)
        stop.attach(Self.target(record))
        #expect(record.list == ["stop 130"])
        #expect(stop.signal == .interrupt)
    }

    @Test func aRunThatHasEndedIsLeftAlone() {
        let record = ScriptedRun.Record()
        let stop = StopSwitch { record.add("end \($0.rawValue)") }
        stop.attach(Self.target(record))
        stop.detach()
        stop.take(.terminate)
        stop.take(.interrupt)
        #expect(record.list == ["end 143"])
    }

    @Test func theFirstIsToldAndTheSecondLeavesScreenAndReportInOrder() {
        let record = ScriptedRun.Record()
        let stop = StopSwitch { record.add("end \($0.rawValue)") }
        stop.attach(Self.target(record))
        stop.take(.interrupt)
        #expect(record.list == ["told", "stop 130"])
        stop.take(.terminate)
        #expect(record.list == ["told", "stop 130", "abandoned", "end 130"])
    }
}
