import RunnerTransfer
import Testing

@Suite struct TimerQueueTests {
    /// All that is due at the end of time, in order.
    static func drain(_ queue: inout TimerQueue<Int>, at now: Duration = .seconds(1 << 40)) -> [Int] {
        var fired: [Int] = []
        while let payload = queue.next(at: now) { fired.append(payload) }
        return fired
    }

    @Test func timersFireInTheOrderOfTheirTime() {
        var queue = TimerQueue<Int>()
        for due in [5, 1, 4, 2, 3] { queue.add(due, due: .seconds(due)) }
        #expect(queue.nextDue() == .seconds(1))
        #expect(queue.next(at: .milliseconds(999)) == nil)
        #expect(Self.drain(&queue, at: .seconds(3)) == [1, 2, 3])
        #expect(Self.drain(&queue) == [4, 5])
        #expect(queue.isEmpty)
        #expect(queue.nextDue() == nil)
    }

    @Test func timersOfOneTimeFireInTheOrderOfTheirAdding() {
        var queue = TimerQueue<Int>()
        for number in 0..<100 { queue.add(number, due: .seconds(1)) }
        #expect(Self.drain(&queue) == Array(0..<100))
    }

    @Test func aTimerCanBeCalledOff() {
        var queue = TimerQueue<Int>()
        let ids = (0..<5).map { queue.add($0, due: .seconds($0)) }
        queue.callOff(ids[3])
        queue.callOff(ids[0])
        #expect(queue.nextDue() == .seconds(1))
        #expect(Self.drain(&queue) == [1, 2, 4])
        #expect(queue.isEmpty)
    }

    @Test func theLastOneCalledOffLeavesNothing() {
        var queue = TimerQueue<Int>()
        let id = queue.add(1, due: .seconds(1))
        queue.callOff(id)
        #expect(queue.isEmpty)
        #expect(queue.nextDue() == nil)
        #expect(queue.next(at: .seconds(9)) == nil)
        queue.add(2, due: .zero)
        #expect(!queue.isEmpty)
        #expect(Self.drain(&queue) == [2])
    }

    /// Compares a long random history with a sorted list.
    @Test(arguments: [UInt64(1), 2, 3])
    func manyTimersBehaveLikeASortedList(_ seed: UInt64) {
        var queue = TimerQueue<Int>()
        var model: [(due: Int, number: Int, id: TimerQueue<Int>.ID)] = []
        var state = seed
        func dice(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for number in 0..<3000 {
            switch dice(4) {
            case 0 where !model.isEmpty:
                queue.callOff(model.remove(at: dice(model.count)).id)
            case 1:
                let now = dice(500)
                let due = model.filter { $0.due <= now }.sorted { ($0.due, $0.number) < ($1.due, $1.number) }
                model.removeAll { $0.due <= now }
                #expect(Self.drain(&queue, at: .seconds(now)) == due.map(\.number))
            default:
                let due = dice(1000)
                model.append((due, number, queue.add(number, due: .seconds(due))))
            }
            #expect(queue.isEmpty == model.isEmpty)
            #expect(queue.nextDue() == model.map(\.due).min().map { .seconds($0) })
        }
    }
}
