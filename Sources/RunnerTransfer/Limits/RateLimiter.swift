package import RunnerJob

/// Shares limited rates out among streams of bytes; pure: every call brings the time.
///
/// A stream asks before it takes a piece in. One that is refused waits here and is named by ``next(at:)`` when its
/// turn has come. Of those that wait, the one whose task has had the least comes first, so that a task with eight
/// connections gets no more than a task with one.
package struct RateLimiter<Stream: Hashable & Sendable>: Sendable {
    /// What a rate holds for.
    package enum Scope: Hashable, Sendable {
        case everything
        case origin(Origin)
        case task(Int)
    }

    private struct Waiter {
        var stream: Stream
        var task: Int
        var scopes: [Scope]
    }

    private var buckets: [Scope: TokenBucket] = [:]
    private var waiters: [Waiter] = []
    /// Streams whose turn has come and that have not taken their piece yet.
    private var called: Set<Stream> = []
    /// Bytes that each task has had, counted from what others had when it came (start-time fair queueing).
    private var shares: [Int: Double] = [:]
    private var share = 0.0
    /// Whether nothing at all may come in, whatever the rates allow.
    package private(set) var isClosed = false

    package init() {}

    /// Whether every stream may take all it gets.
    package var isUnlimited: Bool { buckets.isEmpty && !isClosed }

    /// Streams that wait.
    package var waiting: Int { waiters.count }

    /// Sets or changes a rate, in bytes a second.
    package mutating func limit(_ scope: Scope, to rate: Int64, at now: Duration) {
        if let old = buckets[scope], old.rate == Double(max(1, rate)) { return }
        buckets[scope] = TokenBucket(rate: rate, at: now)
    }

    /// Lets nothing in until ``open()``.
    package mutating func close() { isClosed = true }

    package mutating func open() { isClosed = false }

    /// The smallest rate that holds for a stream, in bytes a second; nil for none.
    package func rate(of task: Int, at origin: Origin) -> Double? {
        scopes(task, origin).compactMap { buckets[$0]?.rate }.min()
    }

    /// Whether a stream may take a piece now; one that may not waits from then on.
    package mutating func admits(
        _ stream: Stream, of task: Int, at origin: Origin, _ count: Int, at now: Duration
    ) -> Bool {
        if isUnlimited { return true }
        let scopes = scopes(task, origin)
        if called.remove(stream) == nil {
            if waiters.contains(where: { $0.stream == stream }) { return false }
            let isFree = !isClosed && scopes.allSatisfy { isOpen($0, at: now) && !isDue($0, at: now) }
            guard isFree else {
                waiters.append(Waiter(stream: stream, task: task, scopes: scopes))
                return false
            }
        }
        charge(task, scopes, count, now)
        return true
    }

    /// A piece that was admitted did not come in after all.
    package mutating func giveBack(_ count: Int, of task: Int, at origin: Origin) {
        for scope in scopes(task, origin) { buckets[scope]?.giveBack(count) }
        if let share = shares[task] { shares[task] = share - Double(count) }
    }

    /// The next stream that may go on now, nil for none; it is expected to ask for its piece.
    package mutating func next(at now: Duration) -> Stream? {
        guard !isClosed else { return nil }
        let open = waiters.indices.filter { waiters[$0].scopes.allSatisfy { isOpen($0, at: now) } }
        guard let first = open.min(by: { shares[waiters[$0].task] ?? share < shares[waiters[$1].task] ?? share })
        else { return nil }
        let waiter = waiters.remove(at: first)
        called.insert(waiter.stream)
        return waiter.stream
    }

    /// How long ``next(at:)`` will have nothing; nil when nobody waits for time to pass.
    package func wait(at now: Duration) -> Duration? {
        guard !isClosed else { return nil }
        return waiters.map { waiter in
            waiter.scopes.compactMap { buckets[$0]?.wait(at: now) }.max() ?? .zero
        }.min()
    }

    /// A stream is over.
    package mutating func forget(_ stream: Stream) {
        called.remove(stream)
        waiters.removeAll { $0.stream == stream }
    }

    /// A task is over.
    package mutating func forget(task: Int) {
        shares[task] = nil
        buckets[.task(task)] = nil
    }

    private func scopes(_ task: Int, _ origin: Origin) -> [Scope] {
        [.everything, .origin(origin), .task(task)].filter { buckets[$0] != nil }
    }

    private func isOpen(_ scope: Scope, at now: Duration) -> Bool {
        buckets[scope].map { $0.wait(at: now) == .zero } ?? true
    }

    /// Whether someone who waits for a scope could go on now and must not be overtaken.
    private func isDue(_ scope: Scope, at now: Duration) -> Bool {
        waiters.contains { $0.scopes.contains(scope) && $0.scopes.allSatisfy { isOpen($0, at: now) } }
    }

    private mutating func charge(_ task: Int, _ scopes: [Scope], _ count: Int, _ now: Duration) {
        for scope in scopes { buckets[scope]?.take(count, at: now) }
        let start = max(shares[task] ?? share, share)
        shares[task] = start + Double(count)
        share = start
    }
}
