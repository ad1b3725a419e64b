import RunnerExecution
import RunnerReport
import Testing

/// A report that was written is read again.
@Suite struct RecordedRunTests {
    private func report(_ events: [RunEvent]) -> [UInt8] {
        var encoder = ReportEncoder(run: "run-1")
        return events.flatMap { encoder.line($0) }
    }

    private var failed: TaskFinished {
        finished("b", .failed, line: 7, to: "out/b", attempts: 3, failure: Samples.failure)
    }

    @Test func tasksAndEndAreReadAgain() throws {
        var done = finished("a", .succeeded, transferred: 5)
        done.bytes = 5
        var tally = RunTally()
        for task in [done, failed] { tally.add(task) }
        let events = [
            event(.runStarted(Samples.started)), event(.taskFinished(done)), event(.taskFinished(failed)),
            event(.warning(RunWarning("careful"))), event(.runFinished(tally.runFinished(duration: .seconds(1)))),
        ]
        let run = try #require(RecordedRun.runs(in: report(events)).first)
        #expect(run.run == "run-1" && run.job == "nightly" && run.taskCount == 3)
        #expect(run.isFinished && run.outcome == "failed" && run.exitStatus == 1)
        #expect(run.warnings == ["careful"])
        #expect(run.tasks.map(\.id) == ["a", "b"])
        #expect(run.task("a")?.isDone == true && run.task("a")?.bytes == 5)
        let b = try #require(run.task("b"))
        #expect(b.line == 7 && b.to == "out/b" && b.attempts == 3 && !b.isDone)
        #expect(b.failure?.faultClass == "rate_limited" && b.failure?.code == "http_503")
    }

    @Test func aTornReportIsReadAsFarAsItGoes() throws {
        let whole = report([event(.runStarted(Samples.started)), event(.taskFinished(failed))])
        let run = try #require(RecordedRun.runs(in: Array(whole.dropLast(9))).first)
        #expect(!run.isFinished && run.tasks.isEmpty)
        #expect(RecordedRun.runs(in: []).isEmpty)
        #expect(RecordedRun.runs(in: Array("rubbish\n{}\n".utf8)).isEmpty)
    }

    @Test func severalRunsAreToldApart() {
        var other = ReportEncoder(run: "run-2")
        let bytes =
            report([event(.runStarted(Samples.started)), event(.taskFinished(failed))])
            + other.line(event(.runStarted(Samples.started)))
        #expect(RecordedRun.runs(in: bytes).map(\.run) == ["run-1", "run-2"])
        #expect(RecordedRun.runs(in: bytes).map(\.tasks.count) == [1, 0])
    }

    @Test func twoRunsAreCompared() throws {
        func run(_ tasks: [TaskFinished]) throws -> RecordedRun {
            let events = [event(.runStarted(Samples.started))] + tasks.map { event(.taskFinished($0)) }
            return try #require(RecordedRun.runs(in: report(events)).first)
        }
        var small = finished("same", .succeeded)
        small.bytes = 3
        var large = finished("size", .succeeded)
        large.bytes = 4
        var larger = large
        larger.bytes = 5
        let before = try run([small, large, failed, finished("gone", .succeeded)])
        let after = try run([
            finished("same", .upToDate), larger, finished("b", .succeeded, to: "out/b"), finished("new", .succeeded),
        ])
        let comparison = RunComparison(before, after)
        #expect(comparison.same == 1)
        #expect(comparison.changes.map(\.id) == ["size", "b", "gone", "new"])
        #expect(comparison.changes.map { $0.after == nil } == [false, false, true, false])
    }
}
