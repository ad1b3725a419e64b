package import RunnerExecution
internal import Synchronization

/// Hands the signals of the process to whatever run is going on: the first stops it, the second ends the program.
package final class StopSwitch: Sendable {
    /// A run that signals go to.
    package struct Target: Sendable {
        package var run: any RunControl
        /// Called with the first signal, before the run is stopped.
        package var tell: @Sendable (TerminationSignal) -> Void
        /// Called with the second: brings screen and report into a state in which the program can end.
        package var abandon: @Sendable () -> Void

        package init(
            run: any RunControl, tell: @escaping @Sendable (TerminationSignal) -> Void,
            abandon: @escaping @Sendable () -> Void
        ) {
            self.run = run
            self.tell = tell
            self.abandon = abandon
        }
    }

    private enum State {
        case going(Target?)
        case stopping(TerminationSignal, Target?)
    }

    private let state = Mutex(State.going(nil))
    private let end: @Sendable (ExitStatus) -> Void

    /// Takes what ends the program.
    package init(end: @escaping @Sendable (ExitStatus) -> Void) {
        self.end = end
    }

    /// The first signal that came; nil as long as none did.
    package var signal: TerminationSignal? {
        state.withLock { state in
            if case .stopping(let signal, _) = state { signal } else { nil }
        }
    }

    /// Makes a run the one that signals go to; it is stopped right away when one has come before.
    package func attach(_ target: Target) {
        if let signal = replaceTarget(by: target) { target.run.stop(signal.exitStatus) }
    }

    /// Lets go of a run that has ended.
    package func detach() {
        _ = replaceTarget(by: nil)
    }

    /// Takes a signal.
    package func take(_ signal: TerminationSignal) {
        let (target, earlier) = state.withLock { state -> (Target?, TerminationSignal?) in
            switch state {
            case .going(let target):
                state = .stopping(signal, target)
                return (target, nil)
            case .stopping(let earlier, let target):
                return (target, earlier)
            }
        }
        if let earlier {
            target?.abandon()
            end(earlier.exitStatus)
        } else {
            target?.tell(signal)
            target?.run.stop(signal.exitStatus)
        }
    }

    private func replaceTarget(by target: Target?) -> TerminationSignal? {
        state.withLock { state in
            switch state {
            case .going:
                state = .going(target)
                return nil
            case .stopping(let signal, _):
                state = .stopping(signal, target)
                return signal
            }
        }
    }
}
