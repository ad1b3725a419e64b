#if canImport(Glibc)
    import Glibc
#endif

/// Seconds since 1970 by the machine's clock.
package enum WallClock {
    package static var seconds: Int64 { milliseconds / 1000 }

    package static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// The steady time at which the present round of the network thread began.
///
/// For what happens many times in a round and does not mind a round more or less.
final class RoundClock {
    private(set) var now = SteadyClock.now

    func beginRound() { now = SteadyClock.now }
}

/// Time that only goes forward; it also counts while the machine sleeps, so that a limit means what it says.
package enum SteadyClock {
    package static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
