import Synchronization

/// Whether writing to the disk takes no longer than copying: whether bytes go into the page cache, and it has room.
///
/// One for all transfers of a run. A file system that makes writers wait (one over the network, or a disk that has more to
/// write than the kernel lets pile up) is left to the lanes, and looked at again a second later.
package final class DiskPace: Sendable {
    /// Longest time that a chunk may take; 256 KiB are copied in a tenth of that.
    private static let longest = Duration.milliseconds(2)
    private static let rest = Duration.seconds(1)

    /// When chunks may be written on the network thread again.
    private let resting = Mutex(Duration.zero)

    package init() {}

    package func isQuick(at now: Duration) -> Bool { resting.withLock { $0 <= now } }

    /// So many bytes took that long, and were written by then.
    package func took(_ time: Duration, for bytes: Int, at now: Duration) {
        guard time > Self.longest * max(1, bytes / Chunk.capacity) else { return }
        resting.withLock { $0 = now + Self.rest }
    }
}
