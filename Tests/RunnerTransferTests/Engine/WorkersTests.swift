import RunnerTransfer
import Synchronization
import TestSupport
import Testing

@Suite struct WorkersTests {
    @Test(arguments: [-1, 0, 1, 4])
    func theyCanBeStoppedWithoutWork(_ count: Int) {
        for _ in 0..<10 { Workers(count: count).stop() }
    }

    @Test func stoppingTwiceIsNoHarm() {
        let workers = Workers(count: 2)
        workers.stop()
        workers.stop()
    }

    @Test(arguments: [1, 2, 4])
    func aLaneKeepsItsOrder(_ count: Int) {
        let workers = Workers(count: count)
        let logs = (0..<10).map { _ in EventLog<Int>() }
        let lanes = logs.map { _ in Lane(on: workers) }
        for number in 0..<300 {
            for (lane, log) in zip(lanes, logs) { lane.submit { log.append(number) } }
        }
        workers.stop()
        for log in logs { #expect(log.elements == Array(0..<300)) }
    }

    /// No two pieces of one lane run at once, whoever submits them.
    @Test func aLaneIsOnePieceAtATime() async {
        let workers = Workers(count: 4)
        let lane = Lane(on: workers)
        let meter = Meter()
        let done = EventLog<Void>()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        lane.submit {
                            meter.enter()
                            meter.leave()
                            done.append(())
                        }
                    }
                }
            }
        }
        #expect(await done.wait(forCount: 800).count == 800)
        #expect(meter.highest == 1)
        workers.stop()
    }

    @Test func workOfWorkIsDoneBeforeTheEnd() {
        let workers = Workers(count: 2)
        let log = Mutex<[Int]>([])
        let one = Lane(on: workers)
        let other = Lane(on: workers)
        one.submit {
            log.withLock { $0.append(1) }
            one.submit { log.withLock { $0.append(2) } }
            other.submit { log.withLock { $0.append(3) } }
        }
        workers.stop()
        #expect(log.withLock { $0.sorted() } == [1, 2, 3])
    }

    @Test func oneBusyLaneDoesNotHoldUpTheOthers() async throws {
        let workers = Workers(count: 2)
        let log = EventLog<Int>()
        let busy = Lane(on: workers)
        let blocked = try BlockingGate()
        busy.submit { blocked.wait() }
        let lane = Lane(on: workers)
        lane.submit { log.append(1) }
        #expect(await log.wait(forCount: 1) == [1])
        blocked.open()
        workers.stop()
    }

    @Test(.timeLimit(.minutes(1))) func onCallABusyLaneDoesNotHoldUpTheOthers() async throws {
        let workers = Workers(count: 2, waking: .onCall)
        let log = EventLog<Int>()
        let blocked = try BlockingGate()
        Lane(on: workers).submit { blocked.wait() }
        Lane(on: workers).submit { log.append(1) }
        while log.elements.isEmpty, !Task.isCancelled {
            _ = workers.wake()
            await Task.yield()
        }
        #expect(log.elements == [1])
        blocked.open()
        workers.stop()
    }

    @Test func whatNobodyWasCalledForIsDoneBeforeTheEnd() {
        let workers = Workers(count: 2, waking: .onCall)
        let log = EventLog<Int>()
        let lanes = (0..<10).map { _ in Lane(on: workers) }
        for (number, lane) in lanes.enumerated() { lane.submit { log.append(number) } }
        workers.stop()
        #expect(log.elements.sorted() == Array(0..<10))
    }

    /// The last reference may be dropped on a worker's own thread.
    @Test func lanesMayBeDroppedInTheirWork() {
        let workers = Workers(count: 2)
        for _ in 0..<200 { Lane(on: workers).submit {} }
        workers.stop()
    }

    /// How many were inside at once, at most.
    private final class Meter: Sendable {
        private let state = Mutex((inside: 0, highest: 0))

        func enter() {
            state.withLock { state in
                state.inside += 1
                state.highest = max(state.highest, state.inside)
            }
        }

        func leave() { state.withLock { $0.inside -= 1 } }

        var highest: Int { state.withLock { $0.highest } }
    }
}
