internal import RunnerJob

/// The rates of a run, shared by all its exchanges, and the count of what has come in.
///
/// Belongs to the network thread.
package final class RateGate {
    /// The largest and the smallest piece that libcurl hands over at once (CURLOPT_BUFFERSIZE(3)).
    private static let largestPiece = 256 << 10
    private static let smallestPiece = 1 << 10
    /// Pieces a second into which a limited rate is cut, so that it comes in evenly.
    private static let piecesPerSecond = 20.0

    private var limiter = RateLimiter<ObjectIdentifier>()
    /// Bytes of bodies that were let in.
    package private(set) var received: Int64 = 0

    package init() {}

    /// Limits all transfers together, one origin or one task, in bytes a second.
    package func limit(_ scope: RateLimiter<ObjectIdentifier>.Scope, to rate: Int64) {
        limiter.limit(scope, to: rate, at: SteadyClock.now)
    }

    /// Pauses every body until ``open()``.
    package func close() { limiter.close() }

    package func open() { limiter.open() }

    /// A task is over.
    package func forget(task: Int) { limiter.forget(task: task) }

    /// Whether bytes are let in whenever they come.
    var isUnlimited: Bool { limiter.isUnlimited }

    /// The most that one read should bring.
    func pieceSize(of task: Int, at origin: Origin) -> Int {
        guard let rate = limiter.rate(of: task, at: origin) else { return Self.largestPiece }
        return min(Self.largestPiece, max(Self.smallestPiece, Int(min(rate / Self.piecesPerSecond, 1e9))))
    }

    func admits(_ stream: ObjectIdentifier, of task: Int, at origin: Origin, _ count: Int) -> Bool {
        guard limiter.isUnlimited || limiter.admits(stream, of: task, at: origin, count, at: SteadyClock.now) else {
            return false
        }
        received += Int64(count)
        return true
    }

    func giveBack(_ count: Int, of task: Int, at origin: Origin) {
        received -= Int64(count)
        limiter.giveBack(count, of: task, at: origin)
    }

    func next(at now: Duration) -> ObjectIdentifier? {
        limiter.waiting == 0 ? nil : limiter.next(at: now)
    }

    func wait(at now: Duration) -> Duration? {
        limiter.waiting == 0 ? nil : limiter.wait(at: now)
    }

    func forget(_ stream: ObjectIdentifier) { limiter.forget(stream) }
}
