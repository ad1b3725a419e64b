/// When one origin may be asked next: its pace, its wish to be left alone, its being down; pure.
///
/// All tasks of the origin share it. It reads no clock: every call brings the time.
package struct OriginGate: Hashable, Sendable {
    /// Requests in a row without any reply that make an origin count as down.
    static let failuresToOpen = 5
    /// Time that an origin which is down is left alone.
    static let breakerTime = Duration.seconds(30)
    /// A hold that was not asked for in so many words, but is read out of the requests that remain, is no longer.
    static let longestUnasked = Duration.seconds(3600)
    /// A learned pace is never slower than this.
    private static let slowest = Duration.seconds(60)

    /// Whether the origin answers at all.
    private enum Breaker: Hashable {
        /// Requests in a row that had no reply.
        /// The last of them was on the connection `last`, where it had one.
        case closed(failures: Int, last: Int?)
        /// Down; `openings` counts how often in a row that was found.
        case open(until: Duration, openings: Int)
        /// One request at a time tries it.
        case probing(openings: Int)
    }

    /// A spacing of requests, and until when it holds.
    private struct Pace: Hashable {
        var interval: Duration
        var until: Duration?
    }

    /// Requests that were answered since the last refusal, or since the first request.
    private struct Span: Hashable {
        var since: Duration?
        var served = 0
    }

    /// Time between requests that the job asks for; zero for none.
    private let interval: Duration
    private var nextStart = Duration.zero
    private var heldUntil = Duration.zero
    private var breaker = Breaker.closed(failures: 0, last: nil)
    /// Learned from refusals.
    private var learned: Pace?
    /// Told by the server before it refuses anything.
    private var told: Pace?
    private var span = Span()
    /// Requests that the origin has answered, refusals and redirects left out.
    package private(set) var served = 0

    package init(interval: Duration = .zero) {
        self.interval = interval
    }

    // MARK: Asking

    /// When the next request may start; a time that has passed for now.
    package var opensAt: Duration {
        if case .open(let until, _) = breaker { return max(until, nextStart, heldUntil) }
        return max(nextStart, heldUntil)
    }

    /// How long the origin wants to be left alone, or is taken to be down; its pace left out.
    package func hold(at now: Duration) -> Duration {
        var until = heldUntil
        if case .open(let time, _) = breaker { until = max(until, time) }
        return max(.zero, until - now)
    }

    /// How long the origin wants to be left alone, leaving aside whether it is down.
    package func wish(at now: Duration) -> Duration { max(.zero, heldUntil - now) }

    /// Whether no more than one request may be under way.
    package var isProbing: Bool { openings > 0 }

    /// How often in a row the origin was found to be down.
    package var openings: Int {
        switch breaker {
        case .closed: 0
        case .open(_, let openings), .probing(let openings): openings
        }
    }

    /// A request starts.
    package mutating func started(at now: Duration) {
        if case .open(let until, let openings) = breaker, until <= now { breaker = .probing(openings: openings) }
        if span.since == nil { span.since = now }
        let spacing = spacing(at: now)
        if spacing > .zero { nextStart = max(nextStart, now) + spacing }
    }

    private func spacing(at now: Duration) -> Duration {
        var spacing = max(interval, learned?.interval ?? .zero)
        if let told, told.until.map({ $0 > now }) ?? true { spacing = max(spacing, told.interval) }
        return spacing
    }

    // MARK: Answers

    /// A reply came that is no refusal.
    ///
    /// - Parameters:
    ///   - isServed: whether whoever asked has an answer, and was not only sent elsewhere.
    ///   - inFlight: requests under way at the origin beside this one.
    package mutating func answered(_ signal: RateSignal?, isServed: Bool = true, inFlight: Int, at now: Duration) {
        if isServed { served += 1 }
        span.served += 1
        breaker = .closed(failures: 0, last: nil)
        if let pace = learned, span.served % 10 == 0 {
            // What was learned may be too careful, or out of date.
            learned = pace.interval > .milliseconds(5) ? Pace(interval: pace.interval * 0.9, until: nil) : nil
        }
        if let signal { note(signal, inFlight: inFlight, at: now) }
    }

    private mutating func note(_ signal: RateSignal, inFlight: Int, at now: Duration) {
        // Those under way were most likely not counted yet.
        let remaining = max(0, signal.remaining - Int64(max(0, inFlight)))
        let few = max(10, (signal.quota ?? 0) / 5)
        guard signal.reset > .zero, signal.reset <= Self.longestUnasked, remaining < few else {
            told = nil
            return
        }
        if remaining == 0 { heldUntil = max(heldUntil, now + signal.reset) }
        told = Pace(interval: signal.reset / Double(remaining + 1), until: now + signal.reset)
        nextStart = max(nextStart, now + (told?.interval ?? .zero))
    }

    /// The origin refused a request because there were too many.
    ///
    /// - Parameters:
    ///   - wait: Time that it wants to be left alone; nil when it did not say.
    ///   - learnsPace: Whether it is about the pace of requests (429), rather than the state of the server (503).
    package mutating func refused(for wait: Duration?, learnsPace: Bool, at now: Duration) {
        breaker = .closed(failures: 0, last: nil)
        let isFirst = heldUntil <= now
        hold(for: wait ?? .zero, at: now)
        // Others that were under way are refused for the same reason.
        guard learnsPace, isFirst else { return }
        let passed = max(now - (span.since ?? now), .zero) + (wait ?? .zero)
        var interval = passed / Double(max(1, span.served)) * 1.1
        if let learned, span.served < 10 { interval = max(interval, learned.interval * 1.5) }
        learned = Pace(interval: min(max(interval, .milliseconds(10)), Self.slowest), until: nil)
        span = Span(since: now)
        nextStart = max(nextStart, heldUntil)
    }

    /// The origin is to be left alone for that long.
    package mutating func hold(for wait: Duration, at now: Duration) {
        heldUntil = max(heldUntil, now + max(.zero, wait))
    }

    /// A request had no reply at all; returns whether the origin counts as down from now on.
    ///
    /// - Parameter connection: tells connections apart; all the requests that one of HTTP/2 takes with it are one
    ///   failure.
    package mutating func failed(at now: Duration, on connection: Int? = nil) -> Bool {
        switch breaker {
        case .closed(_, let last?) where last == connection:
            return false
        case .closed(let failures, _) where failures + 1 < Self.failuresToOpen:
            breaker = .closed(failures: failures + 1, last: connection)
            return false
        case .closed:
            breaker = .open(until: now + Self.breakerTime, openings: 1)
        case .probing(let openings):
            breaker = .open(until: now + Self.breakerTime, openings: openings + 1)
        case .open:
            // Began before the origin was found to be down.
            return false
        }
        return true
    }
}
