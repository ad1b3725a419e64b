package import RunnerJob

/// When and after what wait a failed attempt is made again; pure, its dice are passed in.
package struct RetryPolicy: Sendable {
    package var settings: RetrySettings

    package init(_ settings: RetrySettings) {
        self.settings = settings
    }

    /// Whether another attempt at the same source can help.
    package func retries(_ faultClass: FaultClass) -> Bool {
        settings.on?.contains(faultClass) ?? Self.isTransient(faultClass)
    }

    /// The table of the error classes (docs, "Error classes"): what passes by itself.
    package static func isTransient(_ faultClass: FaultClass) -> Bool {
        switch faultClass {
        case .dns, .connect, .reset, .timeout, .stall, .truncated, .protocol: true
        case .rateLimited, .server: true
        case .notFound, .auth, .client, .tls, .integrity, .content, .disk, .storage: false
        case .redirect, .tooLarge, .archive, .command, .input, .locked, .internal: false
        }
    }

    /// Wait after the round-th round of attempts (from 1), before jitter; never above `max`.
    package func ceiling(round: Int) -> Duration {
        let steps = Double(max(1, round) - 1)
        let growth: Double =
            switch settings.backoff {
            case .constant: 1
            case .linear: 1 + steps
            case .exponential: power(settings.factor, steps)
            }
        let limit = settings.max.seconds
        let wait = settings.first.seconds * growth
        // Infinity and not-a-number come from absurd settings; the comparison is written so that both give the limit.
        return .seconds(wait < limit ? wait : limit)
    }

    /// The wait itself.
    ///
    /// `dice` is a number from 0 up to, but not including, 1.
    package func delay(round: Int, dice: Double) -> Duration {
        let ceiling = ceiling(round: round).seconds
        switch settings.jitter {
        case .none: return .seconds(ceiling)
        case .equal: return .seconds(ceiling / 2 + ceiling / 2 * dice)
        case .full: return .seconds(ceiling * dice)
        }
    }

    /// Base to a whole power by squaring; overflows to infinity, never traps.
    private func power(_ base: Double, _ exponent: Double) -> Double {
        var result = 1.0
        var square = base
        var rest = UInt64(min(exponent, 1e9))
        while rest > 0 {
            if rest & 1 == 1 { result *= square }
            square *= square
            rest >>= 1
        }
        return result
    }
}

extension Duration {
    /// The duration in seconds, as a fraction.
    package var seconds: Double {
        let (whole, atto) = components
        return Double(whole) + Double(atto) * 1e-18
    }
}
