import RunnerPlan
import Testing

@Suite("MinHeap")
struct MinHeapTests {
    @Test(arguments: [[], [1], [2, 1], [3, 1, 2], [5, 5, 5], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]])
    func givesElementsInOrder(_ elements: [Int]) {
        var heap = MinHeap()
        for element in elements { heap.insert(element) }
        #expect(heap.first == elements.min())
        var taken: [Int] = []
        while let next = heap.popFirst() { taken.append(next) }
        #expect(taken == elements.sorted())
        #expect(heap.isEmpty)
    }

    @Test func staysInOrderWhenUsedInTurns() {
        var heap = MinHeap()
        var model: [Int] = []
        var state: UInt64 = 42
        for _ in 0..<2_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            if state >> 62 == 0 {
                #expect(heap.popFirst() == model.min())
                if let index = model.indices.min(by: { model[$0] < model[$1] }) { model.remove(at: index) }
            } else {
                heap.insert(Int(state >> 50))
                model.append(Int(state >> 50))
            }
        }
    }
}
