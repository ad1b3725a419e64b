/// A binary heap of numbers that gives the smallest first.
///
/// Not generic: a generic type that another module uses is not specialised, and several times as slow.
package struct MinHeap: Sendable {
    private var elements: [Int] = []

    package init() {}

    package var isEmpty: Bool { elements.isEmpty }
    package var first: Int? { elements.first }

    /// Adds an element; O(log n).
    package mutating func insert(_ element: Int) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the smallest element out; nil when there is none; O(log n).
    package mutating func popFirst() -> Int? {
        guard let last = elements.popLast() else { return nil }
        guard let smallest = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { return smallest }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[parent] else { return smallest }
            elements.swapAt(child, parent)
            parent = child
        }
    }
}
