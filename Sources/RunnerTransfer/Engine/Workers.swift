import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A few threads for work that may block: disk and digests.
package final class Workers: Sendable {
    /// When a thread that is idle is woken.
    package enum Waking: Sendable {
        /// As soon as there is work.
        case atOnce
        /// By ``wake()``, which the owner calls when it has handed in what it has for the moment.
        ///
        /// For work most of which takes less time than it takes to wake a thread.
        case onCall
    }

    private struct State {
        var queue: [Lane] = []
        var phase = Phase.working
        /// Threads that wait for ``available``.
        var idle = 0
        var threads: [pthread_t] = []
    }

    private enum Phase {
        case working
        /// Threads end when the queue is empty.
        case stopping
        /// As ``working``, but nobody will wait for the threads.
        case abandoned
    }

    private let state = Mutex(State())
    private let waking: Waking
    /// Has one unit for each idle thread that was told to go on.
    private let available = Semaphore()

    /// - Parameter count: number of threads, at least 1.
    package init(count: Int, waking: Waking = .atOnce) {
        self.waking = waking
        for _ in 0..<max(1, count) {
            var id = pthread_t()
            let context = Unmanaged.passRetained(self).toOpaque()
            let code = pthread_create(
                &id, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Workers>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context)
            if code == 0 {
                state.withLock { $0.threads.append(id) }
            } else {
                Unmanaged<Workers>.fromOpaque(context).release()
            }
        }
    }

    /// Ends the threads after the work that was handed in, and waits for them.
    package func stop() {
        let (threads, waits) = state.withLock { state in
            var waits = true
            if case .abandoned = state.phase { waits = false }
            state.phase = .stopping
            for _ in 0..<state.idle { available.add() }
            state.idle = 0
            defer { state.threads = [] }
            return (state.threads, waits)
        }
        for thread in threads { if waits { pthread_join(thread, nil) } else { pthread_detach(thread) } }
    }

    /// Has ``stop()`` wait for no thread: nobody needs what one of them is still at, and it cannot be interrupted.
    package func abandon() {
        state.withLock { $0.phase = .abandoned }
    }

    /// Wakes one thread where there is work that no other has come to.
    ///
    /// - Returns: whether another call is wanted soon, should the threads that are awake not have come to the rest.
    package func wake() -> Bool {
        state.withLock { state in
            wakeOne(&state)
            return state.idle > 0 && state.queue.count > 1
        }
    }

    func schedule(_ lane: Lane) {
        state.withLock { state in
            state.queue.append(lane)
            if case .atOnce = waking { wakeOne(&state) }
        }
    }

    private func wakeOne(_ state: inout State) {
        guard state.idle > 0, !state.queue.isEmpty else { return }
        state.idle -= 1
        available.add()
    }

    private enum Next {
        case run(Lane)
        case wait
        case end
    }

    private func run() {
        while true {
            switch state.withLock({ next(&$0) }) {
            case .run(let lane):
                if lane.runSome() { state.withLock { $0.queue.append(lane) } }
            case .wait: available.take()
            case .end: return
            }
        }
    }

    private func next(_ state: inout State) -> Next {
        if !state.queue.isEmpty { return .run(state.queue.removeFirst()) }
        if case .stopping = state.phase { return .end }
        state.idle += 1
        return .wait
    }
}

/// Work that is done in order, one piece at a time, by whichever worker is free.
package final class Lane: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let workers: Workers

    package init(on workers: Workers) {
        self.workers = workers
    }

    /// - Parameter isLong: whether it takes longer than to wake a thread for it.
    package func submit(isLong: Bool = false, _ work: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            state.work.append(work)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { workers.schedule(self) }
        if isLong { _ = workers.wake() }
    }

    /// Runs what is there now; returns whether more has come meanwhile.
    fileprivate func runSome() -> Bool {
        var work: [@Sendable () -> Void] = []
        state.withLock { swap(&work, &$0.work) }
        for item in work { item() }
        return state.withLock { state in
            state.isScheduled = !state.work.isEmpty
            return state.isScheduled
        }
    }
}
