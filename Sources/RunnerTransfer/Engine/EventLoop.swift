internal import LibCurl
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The one thread that drives libcurl, and the executor of the actor that lives on it.
///
/// The multi handle and everything that is reached from it belong to this thread; the compiler guards that by actor
/// isolation, and `checkIsolated` at run time. Other threads hand work in with ``post(_:)``.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    // Sendable by hand: `multi`, `clock` and `tick` are touched by the loop's thread alone once `start` was called, `inbox` is
    // guarded by its lock, and the rest never changes.

    private struct Inbox {
        var work: [Work] = []
        var isStopping = false
        var attention = Attention.awake
    }

    private enum Attention {
        /// The thread will look into the inbox before it waits.
        case awake
        /// It waits for the network, or is about to, and has to be woken.
        case waiting
    }

    private enum Work {
        case closure(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private let inbox = Mutex(Inbox())
    private let thread = Mutex<pthread_t?>(nil)
    private let wakeup: MultiWakeup
    let multi: MultiHandle
    let clock = RoundClock()
    private var tick: (@Sendable () -> Duration?)?

    package init() throws(EngineFailure) {
        try EngineFailure.checkVersion()
        do throws(CurlError) {
            multi = try MultiHandle()
        } catch {
            throw EngineFailure(error)
        }
        wakeup = multi.wakeup
    }

    /// Starts the thread.
    ///
    /// - Parameter tick: called on the thread after each round of network work; returns how long the loop may wait.
    package func start(tick: @escaping @Sendable () -> Duration?) {
        self.tick = tick
        let context = Unmanaged.passRetained(self).toOpaque()
        var id = pthread_t()
        let code = pthread_create(
            &id, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                loop.run()
                return nil
            }, context)
        if code == 0 {
            thread.withLock { $0 = id }
        } else {
            Unmanaged<EventLoop>.fromOpaque(context).release()
        }
    }

    /// Has the loop's thread run a closure; they run in the order in which they come.
    package func post(_ closure: @escaping @Sendable () -> Void) {
        add(.closure(closure))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job)))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        // The contract of SerialExecutor is to trap here: a call off the thread is a fault of this program alone.
        precondition(isOnThread, "called outside the network thread")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isOnThread
    }

    private var isOnThread: Bool {
        // The thread's own id is stored by `start` after the thread was made, so the thread may be first; it then
        // takes the loop's own record, which `run` writes.
        loopThread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    private let loopThread = Mutex<pthread_t?>(nil)

    private func add(_ work: Work) {
        let hasToWake = inbox.withLock { inbox in
            inbox.work.append(work)
            guard case .waiting = inbox.attention else { return false }
            inbox.attention = .awake
            return true
        }
        // A wake-up costs three system calls, here and there.
        if hasToWake { wakeup.wake() }
    }

    /// Ends the thread after the work that is in the inbox, and waits for it; call it from another thread.
    package func stop() {
        inbox.withLock { $0.isStopping = true }
        wakeup.wake()
        if let id = thread.withLock({ $0.take() }) { pthread_join(id, nil) }
    }

    private func run() {
        loopThread.withLock { $0 = pthread_self() }
        // OpenSSL writes to connections that the peer has closed already without MSG_NOSIGNAL.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var work: [Work] = []
        while true {
            let isStopping = inbox.withLock { inbox in
                swap(&work, &inbox.work)
                inbox.attention = .awake
                return inbox.isStopping
            }
            for item in work { perform(item) }
            if isStopping, work.isEmpty { break }
            work.removeAll(keepingCapacity: true)
            clock.beginRound()
            try? multi.perform()
            let wait = tick?() ?? .seconds(60)
            let isIdle = inbox.withLock { inbox in
                guard inbox.work.isEmpty, !inbox.isStopping else { return false }
                inbox.attention = .waiting
                return true
            }
            multi.poll(milliseconds: isIdle ? Self.milliseconds(wait) : 0)
        }
        tick = nil
    }

    private func perform(_ work: Work) {
        switch work {
        case .closure(let closure): closure()
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    /// Rounded up, so that a timer is due when the wait is over.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let milliseconds = (duration.seconds * 1000).rounded(.up)
        return Int32(min(max(milliseconds, 0), 60_000))
    }
}
