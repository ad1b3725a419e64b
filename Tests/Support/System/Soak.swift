import Glibc

/// Whether the long runs are wanted that `scripts/soak` alone asks for.
package enum Soak {
    /// Set by `scripts/soak`, which gives them the machine for themselves.
    package static let isWanted = getenv("RUNNER_SOAK") != nil

    /// How many times longer than usual the program may take, as under a sanitizer; 1 unless `scripts/soak` says so.
    package static let slowness = getenv("RUNNER_SLOWNESS").flatMap { Int(String(cString: $0)) } ?? 1
}
