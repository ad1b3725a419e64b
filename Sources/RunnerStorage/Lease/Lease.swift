internal import Glibc
internal import RunnerJob
internal import Synchronization

/// The right to be the only run of a job: a file in the state folder that only one process can make.
///
/// It needs neither flock(2) nor fcntl(2), which some network file systems grant to everyone. It is given back with the
/// last reference at the latest. See ``Takeover`` for what becomes of a lease whose holder is dead.
package final class Lease: Sendable {
    /// How often the holder shall call ``heartbeat()``.
    package static let heartbeatInterval = Duration.seconds(10)
    /// A lease that has not been touched for so long is nobody's.
    package static let staleAfter = Duration.seconds(60)

    private enum State {
        case held(file: Int32)
        case over
    }

    package let holder: LeaseHolder
    private let folder: LeaseFolder
    private let name: String
    private let state: Mutex<State>

    private init(_ holder: LeaseHolder, folder: LeaseFolder, name: String, file: Int32) {
        self.holder = holder
        self.folder = folder
        self.name = name
        state = Mutex(.held(file: file))
    }

    deinit {
        release()
    }

    /// Takes the lease of a job, or says at once who holds it.
    ///
    /// - Parameters:
    ///   - job: the job's identity.
    ///   - now: seconds since 1970, for people.
    ///   - holder: who takes it; for tests.
    package static func acquire(
        in folder: StateFolder, job: String, run: String, now: Int64, as holder: LeaseHolder? = nil
    ) throws(LeaseError) -> Lease {
        let holder = holder ?? LeaseHolder.current(run: run, since: now)
        let folder = LeaseFolder(state: folder)
        let name = try fileName(of: job)
        let takeover = Takeover(folder: folder, name: name, holder: holder)
        // A lease that goes away while it is looked at is tried again; a dead one is moved away first.
        for _ in 0..<100 {
            if let file = try folder.create(name, holder.bytes()) {
                let lease = Lease(holder, folder: folder, name: name, file: file)
                // Read back: a file system that lies about O_EXCL is found out here, mostly.
                guard try lease.isInPlace() else {
                    lease.abandon()
                    continue
                }
                return lease
            }
            try takeover.clear()
        }
        throw .heldByUnknown(path: "\(folder.path)/\(name)")
    }

    /// Who holds the lease of a job by its file; nil when nobody does.
    ///
    /// Changes nothing.
    ///
    /// - Parameter now: nanoseconds since 1970.
    package static func current(in folder: StateFolder, job: String, now: Int64) throws(LeaseError) -> LeaseHolder? {
        let folder = LeaseFolder(state: folder)
        guard case .held(let holder, let touched) = try folder.find(fileName(of: job)) else { return nil }
        switch holder.life(seenBy: .current(run: "", since: 0)) {
        case .alive: return holder
        case .dead: return nil
        case .elsewhere: return Takeover.isStale(touched: touched, now: now) ? nil : holder
        }
    }

    /// Says that the holder lives.
    ///
    /// - Returns: false when the lease was lost, because the process or its disk stood still for too long: the run must
    ///   stop writing then.
    package func heartbeat() -> Bool {
        state.withLock { state in
            guard case .held(let file) = state else { return false }
            // Of the open file, not of the name, which may be another's by now.
            _ = futimens(file, nil)
            return (try? isInPlace()) ?? true
        }
    }

    /// Whether the file is still there and says what was written; an error of the disk is no answer and throws.
    package func checkStillOurs() throws(LeaseError) -> Bool {
        let isHeld = state.withLock { if case .held = $0 { true } else { false } }
        guard isHeld else { return false }
        return try isInPlace()
    }

    /// Gives the lease back; what is another's by now is left alone.
    package func release() {
        guard end() else { return }
        if (try? isInPlace()) == true { folder.remove(name) }
    }

    /// Closes the file and leaves it where it is.
    private func abandon() {
        _ = end()
    }

    private func end() -> Bool {
        state.withLock { state in
            guard case .held(let file) = state else { return false }
            close(file)
            state = .over
            return true
        }
    }

    private func isInPlace() throws(LeaseError) -> Bool {
        if case .held(let found, _) = try folder.find(name) { return found.nonce == holder.nonce }
        return false
    }

    static func fileName(of job: String) throws(LeaseError) -> String {
        do throws(StorageError) {
            return String(try DigestSet.digest(of: Array(job.utf8), by: .sha256).hex.prefix(24)) + ".json"
        } catch {
            throw .storage(error)
        }
    }
}
