internal import Glibc
internal import Synchronization

/// Receives the signals that ask the program to end.
///
/// They are blocked in every thread and taken by one thread with sigwait(3), so that nothing runs in a signal handler,
/// and no call anywhere is interrupted by them. Made before any other thread, since threads inherit the mask.
package final class Signals: Sendable {
    private enum Receiver {
        /// Nobody asked: a signal ends the program at once, as it would by default.
        case none
        case stream(AsyncStream<TerminationSignal>.Continuation)
    }

    private let receiver = Mutex(Receiver.none)
    private let signals: [TerminationSignal]

    /// Blocks the signals for this thread and those that it starts.
    ///
    /// A signal that was ignored when the program began stays ignored: nohup(1), and background jobs of a shell.
    package init(_ signals: [TerminationSignal] = TerminationSignal.allCases) {
        self.signals = signals.filter { !Self.isIgnored($0.number) }
        var set = Self.set(of: self.signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// The signals from now on, until the reader stops to read them.
    package func stream() -> AsyncStream<TerminationSignal> {
        let (stream, continuation) = AsyncStream.makeStream(of: TerminationSignal.self)
        continuation.onTermination = { [weak self] _ in self?.receiver.withLock { $0 = .none } }
        receiver.withLock { $0 = .stream(continuation) }
        return stream
    }

    /// Waits for signals and hands them on, for ever; `end` is called for those that nobody waits for.
    package func deliver(orEnd end: (TerminationSignal) -> Never) -> Never {
        var set = Self.set(of: signals)
        while true {
            var number: Int32 = 0
            // With an empty set sigwait(3) waits for ever, as it should.
            guard sigwait(&set, &number) == 0, let signal = signals.first(where: { $0.number == number }) else {
                continue
            }
            switch receiver.withLock({ $0 }) {
            case .none: end(signal)
            case .stream(let continuation): continuation.yield(signal)
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // C functions have no == in Swift; SIG_IGN is a number in the place of one (sigaction(2)).
        // SIG_IGN is a number in the clothes of a function pointer: only as numbers can the two be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func set(of signals: [TerminationSignal]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.number) }
        return set
    }
}
