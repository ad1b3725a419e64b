import Testing

@testable import RunnerExecution

/// Turns, caps and paces of a probe's questions.
@Suite struct ProbeQueueTests {
    typealias Queue = ProbeQueue<String, Int>

    static func queue(_ concurrency: Int, cap: Int, interval: Duration = .zero) -> Queue {
        Queue(concurrency: concurrency) { _ in Queue.Rule(cap: cap, interval: interval) }
    }

    /// Takes all that may begin.
    static func taken(_ queue: inout Queue, at now: Duration = .zero) -> [Int] {
        var items: [Int] = []
        while let item = queue.next(at: now) { items.append(item) }
        return items
    }

    @Test func bothCapsHold() {
        var queue = Self.queue(3, cap: 2)
        for item in 0..<4 { queue.add(item, for: "a") }
        for item in 4..<6 { queue.add(item, for: "b") }
        #expect(Self.taken(&queue) == [0, 4, 1])
        queue.finished("a")
        #expect(Self.taken(&queue) == [5])
        queue.finished("b")
        #expect(Self.taken(&queue) == [2])
        queue.finished("b")
        #expect(Self.taken(&queue) == [])
        queue.finished("a")
        #expect(Self.taken(&queue) == [3])
        #expect(!queue.isDone)
        queue.finished("a")
        queue.finished("a")
        #expect(queue.isDone)
        #expect(Self.taken(&queue) == [])
    }

    @Test func whatIsAddedLaterHasItsTurn() {
        var queue = Self.queue(8, cap: 1)
        queue.add(1, for: "a")
        #expect(Self.taken(&queue) == [1])
        queue.add(2, for: "a")
        #expect(Self.taken(&queue) == [])
        queue.add(3, for: "b")
        #expect(Self.taken(&queue) == [3])
        queue.finished("a")
        #expect(Self.taken(&queue) == [2])
    }

    @Test func capsBelowOneAreTakenForOne() {
        var queue = Self.queue(0, cap: 0)
        queue.add(1, for: "a")
        queue.add(2, for: "a")
        #expect(Self.taken(&queue) == [1])
    }

    @Test func aPaceHoldsBackItsOwnKeyAlone() {
        var queue = Queue(concurrency: 8) { key in
            Queue.Rule(cap: 4, interval: key == "slow" ? .seconds(2) : .zero)
        }
        for item in 0..<3 { queue.add(item, for: "slow") }
        for item in 10..<12 { queue.add(item, for: "fast") }
        #expect(Self.taken(&queue) == [0, 10, 11])
        #expect(queue.nextDue == .seconds(2))
        queue.finished("slow")
        #expect(!queue.isDone)
        #expect(Self.taken(&queue, at: .seconds(1)) == [])
        #expect(Self.taken(&queue, at: .seconds(2)) == [1])
        #expect(Self.taken(&queue, at: .seconds(5)) == [2])
        #expect(queue.nextDue == nil)
    }
}
