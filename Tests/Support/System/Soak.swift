import Glibc

/// Whether the long runs are wanted that `scripts/soak` alone asks for.
package enum Soak {
    /// Set by `scripts/soak`, which gives them the machine for themselves.
    package static let isWanted = getenv("RUNNER_SOAK") != nil
}
