public import RunnerExecution
internal import RunnerJob
internal import Synchronization

/// Writes a run's report to its sinks, in whole lines only.
///
/// Lines are gathered and written together. A line may wait for 100 ms: whoever owns the clock looks at
/// ``pendingSince`` and calls ``flush()``. The first and the last event of a run, and 64 KiB of lines, are written at
/// once. A sink that fails is left out from then on and remembered in ``failures``; the run goes on.
public final class ReportWriter: Sendable {
    /// Longest time that a line may wait, in milliseconds.
    public static let longestWait: Int64 = 100

    /// Bytes of lines that are written together.
    private static let gathered = 64 << 10

    private struct State {
        var encoder: ReportEncoder
        var sinks: [ReportSink]
        var pending = JSONWriter()
        var pendingSince: Int64?
        var failures: [ReportSinkError] = []
        /// What was told last of the progress of each task at work, and when.
        var told: [ExactText: (bytes: Int64, time: Int64)] = [:]
    }

    private let state: Mutex<State>
    private let includesProgress: Bool

    /// Begins the report of one run.
    ///
    /// - Parameter includesProgress: Whether `task.progress` is written too (`--report-progress`).
    public init(_ encoder: ReportEncoder, to sinks: [ReportSink], includesProgress: Bool = false) {
        state = Mutex(State(encoder: encoder, sinks: sinks))
        self.includesProgress = includesProgress
    }

    /// Time of the oldest event that has not been written yet, in milliseconds since 1970; nil when all are written.
    public var pendingSince: Int64? { state.withLock(\.pendingSince) }

    /// Sinks that could not be written to, and why, in the order in which they failed.
    public var failures: [ReportSinkError] { state.withLock(\.failures) }

    /// Adds an event.
    public func write(_ event: RunEvent) {
        if case .taskProgress = event.kind, !includesProgress { return }
        state.withLock { state in
            guard !state.sinks.isEmpty, let event = Self.due(event, &state) else { return }
            state.encoder.writeLine(event, to: &state.pending)
            state.pendingSince = state.pendingSince ?? event.time
            switch event.kind {
            case .runStarted, .runFinished: Self.flush(&state)
            default: if state.pending.bytes.count >= Self.gathered { Self.flush(&state) }
            }
        }
    }

    /// The event as it is written; nil for progress that comes within a second of what was told of the task before.
    ///
    /// Progress has the rate since then, unless the transfer has begun anew.
    private static func due(_ event: RunEvent, _ state: inout State) -> RunEvent? {
        switch event.kind {
        case .taskFinished(let finished):
            if !state.told.isEmpty { state.told[finished.task] = nil }
        case .taskProgress(var progress):
            if let last = state.told[progress.task] {
                let passed = event.time - last.time
                // A clock that was set back tells nothing.
                if 0..<1000 ~= passed { return nil }
                if passed > 0, progress.bytes >= last.bytes {
                    progress.rate = Int64(Double(progress.bytes - last.bytes) * 1000 / Double(passed))
                }
            }
            state.told[progress.task] = (progress.bytes, event.time)
            return RunEvent(time: event.time, kind: .taskProgress(progress))
        default: break
        }
        return event
    }

    /// Adds events of which ``ReportEncoder/ending(_:)`` was kept.
    public func write(endings: ArraySlice<UInt8>, at time: Int64) {
        var rest = endings
        state.withLock { state in
            while !state.sinks.isEmpty {
                let lines = state.encoder.lines(endings: &rest, at: time, enough: Self.gathered)
                if lines.isEmpty { return }
                Self.flush(&state)
                Self.write(lines, &state)
            }
        }
    }

    /// Writes the lines that wait.
    public func flush() {
        state.withLock { Self.flush(&$0) }
    }

    private static func flush(_ state: inout State) {
        guard !state.pending.bytes.isEmpty else { return }
        write(state.pending.bytes, &state)
        state.pending.removeAll()
        state.pendingSince = nil
    }

    private static func write(_ lines: [UInt8], _ state: inout State) {
        var working: [ReportSink] = []
        for sink in state.sinks {
            do throws(ReportSinkError) {
                try sink.write(lines)
                working.append(sink)
            } catch {
                state.failures.append(error)
            }
        }
        state.sinks = working
    }
}
