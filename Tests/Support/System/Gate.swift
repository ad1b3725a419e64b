internal import CLibSSL
import Glibc

/// A door that opens once: a scripted reply waits at it until the test opens it.
///
/// It is an eventfd, so that a waiting server thread can watch the gate and its connection in one `poll`.
package final class Gate: Sendable {
    let descriptor: Int32

    /// Makes a closed gate.
    package init() throws(SystemFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemFailure("eventfd") }
    }

    deinit {
        close(descriptor)
    }

    /// Opens the gate for everyone who waits at it and for all who come later.
    package func open() {
        // The counter is never read, so the descriptor stays readable for every waiter.
        eventfd_write(descriptor, 1)
    }
}
