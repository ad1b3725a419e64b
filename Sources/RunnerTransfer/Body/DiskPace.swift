internal import Glibc
internal import RunnerStorage
import Synchronization

/// Whether writing to the disk takes no longer than copying: whether bytes go into the page cache, and it has room.
///
/// One for all transfers of a run. A file system that makes writers wait (one over the network, or a disk that has more to
/// write than the kernel lets pile up) is left to the lanes, and looked at again a second later.
package final class DiskPace: Sendable {
    private let longest: Duration
    private static let rest = Duration.seconds(1)
    /// A second slow write within that time is no chance; a single one may have waited for another thread.
    private static let doubt = Duration.milliseconds(100)

    private enum State {
        case quick
        /// One write was slow.
        case doubtful(since: Duration)
        /// Writes were slow; chunks may be written on the network thread again at that time.
        case slow(until: Duration)
    }

    private let state = Mutex(State.quick)

    /// - Parameter longest: time that a chunk may take; 256 KiB are copied in a tenth of that.
    package init(longest: Duration = .milliseconds(2)) {
        self.longest = longest
    }

    package func isQuick(at now: Duration) -> Bool {
        state.withLock { state in
            if case .slow(let end) = state { end <= now } else { true }
        }
    }

    /// Writes so many bytes, and notes how that went.
    func write<Result>(
        _ bytes: Int, by body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let waits = Self.waits()
        let began = SteadyClock.now
        let result = try body()
        let ended = SteadyClock.now
        took(ended - began, for: bytes, waits: { Self.waits() - waits }, at: ended)
        return result
    }

    /// So many bytes took that long, and were written by then.
    ///
    /// - Parameter waits: how often the thread has waited for something meanwhile. One that has not was kept from going
    ///   on by other threads, and not by the disk.
    func took(_ time: Duration, for bytes: Int, waits: () -> Int, at now: Duration) {
        guard time > longest * max(1, bytes / Chunk.capacity), waits() > 0 else { return }
        state.withLock { state in
            if case .doubtful(let since) = state, now - since <= Self.doubt {
                state = .slow(until: now + Self.rest)
            } else {
                state = .doubtful(since: now)
            }
        }
    }

    /// How often this thread has given its processor away of itself (getrusage(2), RUSAGE_THREAD).
    private static func waits() -> Int {
        var usage = rusage()
        return getrusage(1, &usage) == 0 ? usage.ru_nvcsw : 0
    }
}
