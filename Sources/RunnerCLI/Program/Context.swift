internal import Glibc
package import RunnerExecution

/// The outside world of a command, so that a test can put another in its place.
package struct Context: Sendable {
    package var environment: [String: String]
    /// Absolute path of the current folder.
    package var workingDirectory: String
    package var console: Console
    /// The whole of standard input, however often it is asked for.
    package var readInput: @Sendable () throws(FileFault) -> [UInt8]
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64
    /// What waits are measured by.
    package var clock: any Clock<Duration>
    /// Begins to hand over the signals that ask the program to end; until then each ends it at once.
    package var signals: @Sendable () -> AsyncStream<TerminationSignal>

    /// Ends the program at once, where waiting for a run to end was given up.
    package var end: @Sendable (ExitStatus) -> Void
    /// Makes runs.
    package var makeRun: RunMaker

    package init(
        environment: [String: String], workingDirectory: String, console: Console,
        readInput: @escaping @Sendable () throws(FileFault) -> [UInt8],
        now: @escaping @Sendable () -> Int64 = Context.wallClock,
        clock: any Clock<Duration> = ContinuousClock(),
        signals: @escaping @Sendable () -> AsyncStream<TerminationSignal>,
        end: @escaping @Sendable (ExitStatus) -> Void,
        makeRun: @escaping RunMaker = { (plan, options, site) throws(Run.StartFailure) in
            try Run(plan: plan, options: options, site: site)
        }
    ) {
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.console = console
        self.readInput = readInput
        self.now = now
        self.clock = clock
        self.signals = signals
        self.end = end
        self.makeRun = makeRun
    }

    /// The real clock, in milliseconds since 1970.
    package static let wallClock: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// A path as the user wrote it, made absolute.
    ///
    /// Nothing is resolved: `a/../b` and links stay as they are.
    package func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        return path.isEmpty || path == "." ? workingDirectory : workingDirectory + "/" + path
    }
}
