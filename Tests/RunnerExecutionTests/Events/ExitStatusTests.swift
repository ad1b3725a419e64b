import RunnerExecution
import RunnerJob
import Testing

/// Swift Testing has an `ExitStatus` too.
private typealias Status = RunnerExecution.ExitStatus

@Suite("Exit status and tally of a run")
struct ExitStatusTests {
    /// Weakest first, as the command-line reference ranks them.
    private static let ranking: [[Status]] = [
        [.success], [.optionalFailed], [.failed], [.differs], [.cannotGoOn],
        [.interrupted, .terminated, .hungUp], [.usage],
    ]

    @Test func numbersArePinned() {
        #expect(Self.ranking.joined().map(\.rawValue) == [0, 4, 1, 5, 3, 130, 143, 129, 2])
    }

    @Test func theStrongestWins() {
        for (weak, weaker) in Self.ranking.enumerated() {
            for stronger in Self.ranking[(weak + 1)...].joined() {
                for status in weaker {
                    #expect(Status.strongest(of: [status, stronger]) == stronger)
                    #expect(Status.strongest(of: [stronger, status]) == stronger)
                }
            }
        }
        #expect(Status.strongest(of: []) == .success)
        #expect(Status.strongest(of: [.terminated, .interrupted]) == .terminated)
    }

    struct Case: Sendable {
        var tasks: [(TaskFinished.Outcome, optional: Bool)]
        var stop: RunStop?
        var outcome: RunFinished.Outcome
        var status: Int32
    }

    @Test(arguments: [
        Case(tasks: [], outcome: .succeeded, status: 0),
        Case(tasks: [(.succeeded, false), (.upToDate, true)], outcome: .succeeded, status: 0),
        Case(tasks: [(.failed, false), (.failed, true)], outcome: .failed, status: 1),
        Case(tasks: [(.failed, true), (.succeeded, false)], outcome: .partial, status: 4),
        Case(tasks: [(.failed, true), (.blocked, true)], outcome: .partial, status: 4),
        Case(tasks: [(.failed, true), (.blocked, false)], outcome: .failed, status: 1),
        Case(tasks: [(.failed, false), (.skipped, false)], outcome: .failed, status: 1),
        Case(
            tasks: [(.cancelled, false), (.failed, false)], stop: .signal(.interrupted), outcome: .cancelled,
            status: 130),
        Case(tasks: [(.failed, false), (.skipped, false)], stop: .parked, outcome: .parked, status: 3),
    ])
    func statusFollowsFromTheTasks(_ test: Case) {
        var tally = RunTally()
        for (outcome, optional) in test.tasks {
            tally.add(
                TaskFinished(
                    task: "a", outcome: outcome, isOptional: optional, place: Place(line: 1, column: 1), to: "a",
                    bytes: 10, transferred: 3))
        }
        let finished = tally.runFinished(stop: test.stop, duration: .seconds(2))
        #expect(finished.outcome == test.outcome)
        #expect(finished.exitStatus == test.status)
        #expect(finished.transferred == Int64(3 * test.tasks.count))
        let inPlace = test.tasks.filter { $0.0 == .succeeded || $0.0 == .upToDate }.count
        #expect(finished.bytes == Int64(10 * inPlace))
        #expect(finished.counts.values.reduce(0, +) == test.tasks.count)
    }

    @Test func sizesThatAServerMadeUpDoNotOverflow() {
        var tally = RunTally()
        for _ in 0..<3 {
            tally.add(
                TaskFinished(
                    task: "a", outcome: .succeeded, isOptional: false, place: Place(line: 1, column: 1), to: "a",
                    bytes: .max, transferred: .max))
        }
        #expect(tally.bytes == .max && tally.transferred == .max)
    }
}
