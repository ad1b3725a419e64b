#if canImport(Glibc)
    import Glibc
#endif

/// A count that threads wait for (sem_overview(7)).
///
/// Where nobody waits, neither side calls the kernel. A condition variable costs one call more for each wait, since glibc
/// takes the lock again as if others were waiting for it.
final class Semaphore: @unchecked Sendable {
    // Sendable by hand: the semaphore is made for several threads, and has to stay at one address.
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Adds one, and wakes whoever waits for it.
    func add() {
        sem_post(semaphore)
    }

    /// Waits until there is one, and takes it.
    func take() {
        while sem_wait(semaphore) != 0 && errno == EINTR {}
    }
}
