internal import CLibSSL  // sigset_t: whichever module includes its header first owns it.
import Glibc

/// A thread of its own, for blocking calls that must not hold up the cooperative pool.
package struct NativeThread: Sendable {
    private let id: pthread_t

    /// Starts a thread that runs `body` once, with SIGPIPE blocked in it.
    ///
    /// OpenSSL writes without `MSG_NOSIGNAL`, so a client that left would otherwise end the whole test process.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        var id = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let code = pthread_create(&id, nil, threadMain, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemFailure("pthread_create", code: code)
        }
        self.id = id
    }

    /// Waits until the thread has ended; to be called once at most.
    package func join() {
        pthread_join(id, nil)
    }

    /// Lets the thread free itself when it ends; not together with `join`.
    package func detach() {
        pthread_detach(id)
    }
}

private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // The reference was retained for this thread by `NativeThread.init`.
    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
    return nil
}
