internal import Glibc
package import RunnerExecution

/// A signal that asks the program to end.
package enum TerminationSignal: CaseIterable, Hashable, Sendable {
    /// SIGINT: Ctrl-C.
    case interrupt
    /// SIGTERM: what kill(1), systemd and CI systems send.
    case terminate
    /// SIGHUP: the terminal is gone.
    case hangUp

    /// Its number, as in signal(7).
    package var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// The program's exit status after it.
    package var exitStatus: ExitStatus { ExitStatus(rawValue: 128 + number) }
}
