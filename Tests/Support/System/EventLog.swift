import Synchronization

/// A growing list that can be waited on: writers append from any thread, tests wait for a condition.
package final class EventLog<Element: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        let condition: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<[Element], Never>
    }

    private struct State {
        var elements: [Element] = []
        var waiters: [Waiter] = []
        var nextID = 0
    }

    private let state = Mutex(State())

    /// Makes an empty log.
    package init() {}

    /// What has been appended so far, in order.
    package var elements: [Element] {
        state.withLock { $0.elements }
    }

    /// Appends one element and wakes the waiters whose condition now holds.
    package func append(_ element: Element) {
        change { $0.append(element) }
    }

    /// Changes the elements in place, then wakes the waiters whose condition now holds.
    package func change(_ body: (inout [Element]) -> Void) {
        let (ready, elements) = state.withLock { state in
            body(&state.elements)
            let elements = state.elements
            let ready = state.waiters.filter { $0.condition(elements) }
            state.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return (ready, elements)
        }
        for waiter in ready {
            waiter.continuation.resume(returning: elements)
        }
    }

    /// Waits until the condition holds or the time is over, and returns the elements of that moment.
    ///
    /// The caller looks at what it got: when the time is over the condition does not hold.
    package func wait(
        for time: Duration = .seconds(60),
        until condition: @escaping @Sendable ([Element]) -> Bool
    ) async -> [Element] {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let timer = Task { [weak self] in
            try await Task.sleep(for: time)
            self?.giveUp(id)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { continuation in
            let elements: [Element]? = state.withLock { state in
                if condition(state.elements) { return state.elements }
                state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                return nil
            }
            if let elements { continuation.resume(returning: elements) }
        }
    }

    /// Waits until at least so many elements are there or the time is over.
    package func wait(forCount count: Int, for time: Duration = .seconds(60)) async -> [Element] {
        await wait(for: time) { $0.count >= count }
    }

    private func giveUp(_ id: Int) {
        let (waiter, elements) = state.withLock { state -> (Waiter?, [Element]) in
            let waiter = state.waiters.first { $0.id == id }
            state.waiters.removeAll { $0.id == id }
            return (waiter, state.elements)
        }
        waiter?.continuation.resume(returning: elements)
    }
}
