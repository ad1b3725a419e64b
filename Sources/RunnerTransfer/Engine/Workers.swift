import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// A few threads for work that may block: disk and digests.
package final class Workers: @unchecked Sendable {
    // Sendable by hand: `queue` and `isStopping` are guarded by `lock`, the rest never changes after `init`.
    // A condition variable is needed, which the standard library's Mutex does not have.

    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var queue: [Lane] = []
    private var isStopping = false
    private var isAbandoned = false
    private var idle = 0
    private var threads: [pthread_t] = []

    /// - Parameter count: number of threads, at least 1.
    package init(count: Int) {
        lock = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        pthread_cond_init(condition, nil)
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
                threads.append(id)
            } else {
                Unmanaged<Workers>.fromOpaque(context).release()
            }
        }
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    /// Ends the threads after the work that was handed in, and waits for them.
    package func stop() {
        pthread_mutex_lock(lock)
        isStopping = true
        let waits = !isAbandoned
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(lock)
        for thread in threads { if waits { pthread_join(thread, nil) } else { pthread_detach(thread) } }
        threads = []
    }

    /// Has ``stop()`` wait for no thread: nobody needs what one of them is still at, and it cannot be interrupted.
    package func abandon() {
        pthread_mutex_lock(lock)
        isAbandoned = true
        pthread_mutex_unlock(lock)
    }

    func schedule(_ lane: Lane) {
        pthread_mutex_lock(lock)
        queue.append(lane)
        if idle > 0 { pthread_cond_signal(condition) }
        pthread_mutex_unlock(lock)
    }

    private func run() {
        pthread_mutex_lock(lock)
        while true {
            if !queue.isEmpty {
                let lane = queue.removeFirst()
                pthread_mutex_unlock(lock)
                let hasMore = lane.runSome()
                pthread_mutex_lock(lock)
                if hasMore { queue.append(lane) }
            } else if isStopping {
                break
            } else {
                idle += 1
                pthread_cond_wait(condition, lock)
                idle -= 1
            }
        }
        pthread_mutex_unlock(lock)
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

    package func submit(_ work: @escaping @Sendable () -> Void) {
        let isNew = state.withLock { state in
            state.work.append(work)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { workers.schedule(self) }
    }

    /// Runs what is there now; returns whether more has come meanwhile.
    fileprivate func runSome() -> Bool {
        let work = state.withLock { state in
            let work = state.work
            state.work.removeAll(keepingCapacity: true)
            return work
        }
        for item in work { item() }
        return state.withLock { state in
            state.isScheduled = !state.work.isEmpty
            return state.isScheduled
        }
    }
}
