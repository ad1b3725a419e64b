package import RunnerExecution
package import RunnerPlan
internal import Synchronization

/// Shows a run while it goes on: bars on a terminal, quiet lines elsewhere.
///
/// Events come from the run's thread, ticks from another.
package final class RunScreen: Sendable {
    /// Shortest time between two drawings, in milliseconds.
    package static let drawingInterval: Int64 = 100
    /// Time between two quiet lines, in milliseconds.
    package static let quietInterval: Int64 = 30_000

    private enum Mode {
        /// Bars, drawn last at a time; the lines wait to be scrolled above them.
        case live(ScreenPainter, drawn: Int64, waiting: [String])
        /// A quiet line was written last at a time.
        case plain(told: Int64)
        case none
        case ended
    }

    private struct State {
        var board: ProgressBoard
        var mode: Mode
    }

    private let state: Mutex<State>
    private let lines: EventLines
    private let output: any Output

    /// Begins to show a run; nothing is written before its first event.
    package init(_ plan: Plan, progress: TerminalTraits.Progress, lines: EventLines, output: any Output, now: Int64) {
        let mode: Mode =
            switch progress {
            case .live: .live(ScreenPainter(), drawn: .min, waiting: [])
            case .plain: .plain(told: now)
            case .none: .none
            }
        state = Mutex(State(board: ProgressBoard(plan, started: now), mode: mode))
        self.lines = lines
        self.output = output
    }

    /// Takes the next event.
    package func handle(_ event: RunEvent) {
        let told = lines.lines(event)
        state.withLock { state in
            // Where nothing is drawn, nobody asks how far the run is.
            if case .none = state.mode { return write(told) }
            state.board.apply(event)
            show(told, at: event.time, &state)
        }
    }

    /// Draws what changed by the passing of time; to be called some ten times a second.
    package func tick(now: Int64) {
        state.withLock { state in
            if case .plain(let last) = state.mode, now.saturatingSubtract(last) >= Self.quietInterval {
                write([ProgressLines.total(state.board, now: now)])
                state.mode = .plain(told: now)
            } else {
                show([], at: now, &state)
            }
        }
    }

    /// Writes lines of someone else, such as a warning, where they do not disturb the bars.
    package func message(_ lines: [String], now: Int64) {
        state.withLock { show(lines, at: now, &$0) }
    }

    /// Takes the bars away; the cursor is at the beginning of an empty line then.
    package func end() {
        state.withLock { state in
            if case .live(var painter, _, let waiting) = state.mode {
                output.write(painter.paint(scrolled: waiting, lines: [], columns: size.columns).utf8)
            }
            state.mode = .ended
        }
    }

    private var size: TerminalSize { output.size ?? TerminalSize(columns: 80, rows: 24) }

    private func show(_ lines: [String], at now: Int64, _ state: inout State) {
        guard case .live(var painter, let drawn, var waiting) = state.mode else { return write(lines) }
        waiting += lines
        guard drawn == .min || now.saturatingSubtract(drawn) >= Self.drawingInterval || now < drawn else {
            state.mode = .live(painter, drawn: drawn, waiting: waiting)
            return
        }
        let size = size
        let drawing = ProgressLines.draw(state.board, now: now, size: size)
        output.write(painter.paint(scrolled: waiting, lines: drawing, columns: size.columns).utf8)
        state.mode = .live(painter, drawn: now, waiting: [])
    }

    private func write(_ lines: [String]) {
        if !lines.isEmpty { output.write(lines.map { $0 + "\n" }.joined().utf8) }
    }
}
