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

    /// A chunk took that long, and was written by then.
    package func took(_ time: Duration, at now: Duration) {
        guard time > Self.longest else { return }
        resting.withLock { $0 = now + Self.rest }
    }
}
