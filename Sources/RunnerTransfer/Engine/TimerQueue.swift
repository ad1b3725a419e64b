/// Timers in order of their time; pure.
package struct TimerQueue<Payload> {
    /// Names a timer, to call it off.
    package struct ID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        var due: Duration
        var number: UInt64
        var payload: Payload
    }

    /// A binary heap: each entry is due no later than its children at 2i+1 and 2i+2.
    private var heap: [Entry] = []
    private var calledOff: Set<UInt64> = []
    private var counter: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { heap.count == calledOff.count }

    /// Time of the first timer; nil when there is none.
    package mutating func nextDue() -> Duration? {
        dropCalledOff()
        return heap.first?.due
    }

    @discardableResult
    package mutating func add(_ payload: Payload, due: Duration) -> ID {
        counter += 1
        heap.append(Entry(due: due, number: counter, payload: payload))
        siftUp(heap.count - 1)
        return ID(number: counter)
    }

    /// Calls a timer off; one that has fired already must not be named.
    package mutating func callOff(_ id: ID) {
        calledOff.insert(id.number)
        dropCalledOff()
    }

    /// Takes the first timer out if it is due.
    package mutating func next(at now: Duration) -> Payload? {
        dropCalledOff()
        guard let first = heap.first, first.due <= now else { return nil }
        removeFirst()
        return first.payload
    }

    private mutating func dropCalledOff() {
        while let first = heap.first, calledOff.remove(first.number) != nil { removeFirst() }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].due, heap[left].number) < (heap[right].due, heap[right].number)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
