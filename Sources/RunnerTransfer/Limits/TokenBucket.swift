/// Bytes that may come in, refilled at a steady rate; pure: every call brings the time.
///
/// It may be overdrawn: a piece of any size is taken when anything is left, and what it took too much is waited for
/// by those that come after. Over a longer time no more comes in than the rate allows, whatever the size of pieces.
package struct TokenBucket: Hashable, Sendable {
    /// Time without traffic whose bytes may be made up for.
    static let patience = 0.1

    /// Bytes a second, more than zero.
    package let rate: Double
    private let capacity: Double
    private var level: Double
    private var time: Duration

    package init(rate: Int64, at now: Duration) {
        self.rate = Double(max(1, rate))
        capacity = self.rate * Self.patience
        level = capacity
        time = now
    }

    /// How long nothing may be taken; zero when something may.
    package func wait(at now: Duration) -> Duration {
        let level = level(at: now)
        return level >= 0 ? .zero : .seconds(-level / rate)
    }

    /// Takes bytes out, whether or not they are there.
    package mutating func take(_ count: Int, at now: Duration) {
        level = level(at: now) - Double(count)
        time = max(time, now)
    }

    /// Puts bytes back that did not come in after all.
    package mutating func giveBack(_ count: Int) {
        level = min(capacity, level + Double(count))
    }

    private func level(at now: Duration) -> Double {
        min(capacity, level + max(0, (now - time).seconds) * rate)
    }
}
