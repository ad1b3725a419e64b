import Testing

@testable import RunnerExecution

@Suite("Scheduler")
struct SchedulerTests {
    /// A scheduler over a graph whose order is the order of the indices, unless another is given.
    private func scheduler(
        _ needs: [[Int]], order: [Int]? = nil, optional: Set<Int> = [], slots: Int = 8, lanes: [Int?] = [],
        perLane: Int = .max, failureLimit: Int? = nil
    ) -> Scheduler {
        Scheduler(
            needs: needs, order: order ?? Array(needs.indices), isOptional: needs.indices.map(optional.contains),
            concurrency: slots, lanes: lanes, perLane: perLane, failureLimit: failureLimit)
    }

    /// Everything that may begin now.
    private func steps(_ scheduler: inout Scheduler) -> [Scheduler.Step] {
        var steps: [Scheduler.Step] = []
        while let step = scheduler.next() { steps.append(step) }
        return steps
    }

    @Test func startsInThePlansOrderUnderTheCap() {
        var scheduler = scheduler([[], [], [], []], order: [2, 0, 3, 1], slots: 2)
        #expect(steps(&scheduler) == [.start(2), .start(0)])
        #expect(scheduler.running == 2)
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(3)])
        #expect(scheduler.finished(2, .succeeded) == [])
        #expect(scheduler.finished(3, .failed) == [])
        #expect(steps(&scheduler) == [.start(1)])
        #expect(scheduler.remaining == 1)
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(scheduler.isDone)
    }

    @Test func aTaskStartsWhenTheLastOfItsNeedsHasSucceeded() {
        var scheduler = scheduler([[], [], [0, 1]])
        #expect(steps(&scheduler) == [.start(0), .start(1)])
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(steps(&scheduler) == [])
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(2)])
    }

    @Test func aFailureBlocksWhatNeedsItAndNothingElse() {
        // 0 fails; 1 needs 0; 2 stands alone; 3 needs 1; 4 needs 2.
        var scheduler = scheduler([[], [0], [], [1], [2]])
        #expect(steps(&scheduler) == [.start(0), .start(2)])
        #expect(
            scheduler.finished(0, .failed) == [
                Scheduler.Ended(1, .blocked(by: 0)), Scheduler.Ended(3, .blocked(by: 0)),
            ])
        #expect(scheduler.finished(2, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(4)])
        #expect(scheduler.finished(4, .succeeded) == [])
        #expect(scheduler.isDone)
    }

    @Test func aTaskIsBlockedOnceByTheFirstFailure() {
        var scheduler = scheduler([[], [], [0, 1], [2, 0]])
        _ = steps(&scheduler)
        #expect(scheduler.finished(1, .failed).map(\.cause) == [.blocked(by: 1), .blocked(by: 1)])
        #expect(scheduler.finished(0, .failed) == [])
        #expect(scheduler.isDone)
    }

    @Test(arguments: [
        (Scheduler.Result.cancelled, Scheduler.Ended.Cause.cancelled), (.skipped, .skipped),
    ])
    func whatNeedsAStoppedTaskEndsInTheSameWay(_ result: Scheduler.Result, _ cause: Scheduler.Ended.Cause) {
        var scheduler = scheduler([[], [0], [1]])
        _ = steps(&scheduler)
        #expect(scheduler.finished(0, result) == [Scheduler.Ended(1, cause), Scheduler.Ended(2, cause)])
        #expect(scheduler.isDone)
    }

    @Test func failFastSkipsWhatHasNotStarted() {
        var scheduler = scheduler([[], [], [0], []], slots: 2, failureLimit: 1)
        #expect(steps(&scheduler) == [.start(0), .start(1)])
        #expect(
            scheduler.finished(0, .failed) == [
                Scheduler.Ended(2, .blocked(by: 0)), Scheduler.Ended(3, .skipped),
            ])
        #expect(!scheduler.isDone)
        #expect(scheduler.live == [1])
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(scheduler.isDone)
    }

    @Test func failFastDoesNotLookAtOptionalTasks() {
        var scheduler = scheduler([[], []], optional: [0], slots: 1, failureLimit: 1)
        _ = steps(&scheduler)
        #expect(scheduler.finished(0, .failed) == [])
        #expect(steps(&scheduler) == [.start(1)])
    }

    @Test func stopEndsWhatHasNotStartedAndLeavesTheRest() {
        var scheduler = scheduler([[], [], [0], []], order: [0, 1, 3, 2], slots: 2)
        _ = steps(&scheduler)
        scheduler.yielded(1)
        #expect(
            scheduler.stop(.cancelled) == [Scheduler.Ended(3, .cancelled), Scheduler.Ended(2, .cancelled)])
        #expect(scheduler.live == [0, 1])
        #expect(steps(&scheduler) == [])
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(scheduler.finished(1, .cancelled) == [])
        #expect(scheduler.isDone)
        #expect(scheduler.stop(.cancelled) == [])
    }

    @Test func aSleepingTaskHoldsNoSlotAndResumesInItsTurn() {
        var scheduler = scheduler([[], [], []], slots: 1)
        #expect(steps(&scheduler) == [.start(0)])
        scheduler.yielded(0)
        #expect(scheduler.running == 0)
        #expect(steps(&scheduler) == [.start(1)])
        scheduler.woke(0)
        #expect(steps(&scheduler) == [])
        #expect(scheduler.finished(1, .succeeded) == [])
        // Task 0 stands before task 2 in the plan.
        #expect(steps(&scheduler) == [.resume(0)])
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(2)])
    }

    @Test func aSleepingOrAwakeTaskCanEnd() {
        var scheduler = scheduler([[], [], [0]], slots: 1)
        _ = steps(&scheduler)
        scheduler.yielded(0)
        _ = steps(&scheduler)
        scheduler.woke(0)
        #expect(scheduler.finished(0, .failed) == [Scheduler.Ended(2, .blocked(by: 0))])
        #expect(scheduler.running == 1)
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(steps(&scheduler) == [])
        #expect(scheduler.isDone)
    }

    @Test func aFullLaneLetsOtherLanesThrough() {
        var scheduler = scheduler([[], [], [], [], []], slots: 3, lanes: [7, 7, 7, 9, nil], perLane: 1)
        #expect(steps(&scheduler) == [.start(0), .start(3), .start(4)])
        #expect(scheduler.finished(3, .succeeded) == [])
        #expect(steps(&scheduler) == [])
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(1)])
        scheduler.yielded(1)
        #expect(steps(&scheduler) == [.start(2)])
    }

    @Test func aTaskThatEndsWhileItsLaneIsFullLetsTheNextOneIn() {
        var scheduler = scheduler([[], [], []], slots: 3, lanes: [1, 1, 1], perLane: 1)
        #expect(steps(&scheduler) == [.start(0)])
        scheduler.yielded(0)
        #expect(steps(&scheduler) == [.start(1)])
        scheduler.woke(0)
        #expect(steps(&scheduler) == [])
        // Task 0 is held back by the lane, and so is task 2; task 0 ends there.
        #expect(scheduler.finished(0, .cancelled) == [])
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(2)])
    }

    @Test func callsThatDoNotFitAreIgnored() {
        var scheduler = scheduler([[], [0]])
        #expect(scheduler.finished(0, .failed) == [])
        #expect(scheduler.finished(99, .failed) == [])
        #expect(scheduler.finished(-1, .failed) == [])
        scheduler.yielded(0)
        scheduler.woke(0)
        #expect(steps(&scheduler) == [.start(0)])
        scheduler.woke(0)
        #expect(steps(&scheduler) == [])
        #expect(scheduler.finished(0, .succeeded) == [])
        #expect(scheduler.finished(0, .failed) == [])
        #expect(steps(&scheduler) == [.start(1)])
    }

    @Test func capsBelowOneCountAsOne() {
        var scheduler = scheduler([[], []], slots: 0, lanes: [0, 0], perLane: -1)
        #expect(steps(&scheduler) == [.start(0)])
    }

    @Test func noTasksAreDoneAtOnce() {
        var scheduler = scheduler([])
        #expect(scheduler.isDone)
        #expect(scheduler.next() == nil)
    }

    @Test func anExemptLaneStaysOpen() {
        var scheduler = scheduler([[], [], []], lanes: [0, -1, -1])
        scheduler.setCap(1, of: -1)
        scheduler.exempt(-1)
        scheduler.close()
        #expect(steps(&scheduler) == [.start(1)])
        #expect(scheduler.finished(1, .succeeded) == [])
        #expect(steps(&scheduler) == [.start(2)])
        scheduler.open()
        #expect(steps(&scheduler) == [.start(0)])
    }
}
