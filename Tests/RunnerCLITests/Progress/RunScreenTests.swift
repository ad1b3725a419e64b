import RunnerCLI
import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerReport
import Testing

/// What a run writes while it goes on.
@Suite struct RunScreenTests {
    static func lines(_ verbosity: Verbosity, live: Bool = false) -> EventLines {
        EventLines(
            verbosity: verbosity, tellsSuccess: live, style: .plain,
            failureText: FailureText(sources: Events.plan([:]).job.sources), redactor: Redactor())
    }

    static func screen(
        _ progress: TerminalTraits.Progress, _ output: MemoryOutput, verbosity: Verbosity = .normal
    ) -> RunScreen {
        RunScreen(
            Events.plan(["a": 100, "b": 100]), progress: progress,
            lines: lines(verbosity, live: progress == .live), output: output, now: 0)
    }

    @Test func elsewhereThereIsAQuietLineEveryThirtySeconds() {
        let output = MemoryOutput()
        let screen = Self.screen(.plain, output)
        screen.handle(Events.started("a", at: 0, bytes: 100))
        for second in 1...29 { screen.tick(now: Int64(second) * 1000) }
        #expect(output.text == "")
        screen.tick(now: 30_000)
        screen.tick(now: 30_100)
        #expect(output.text == "0/2 tasks, 0 B, 30s gone\n")
        screen.tick(now: 60_000)
        #expect(output.text == "0/2 tasks, 0 B, 30s gone\n0/2 tasks, 0 B, 1m gone\n")
    }

    @Test func elsewhereNothingMovesTheCursor() {
        let output = MemoryOutput()
        let screen = Self.screen(.plain, output, verbosity: .verbose)
        screen.handle(Events.started("a", at: 0, bytes: 100))
        screen.handle(Events.moved("a", at: 10, 10, of: 100, rate: 1))
        screen.handle(Events.broke("a", at: 20, retryIn: .seconds(1), "bad\r\u{1B}[2Jbytes"))
        screen.handle(Events.ended("a", .failed, failure: TaskFailure(.reset, message: "bad\rbytes")))
        screen.tick(now: 30_000)
        screen.end()
        #expect(!output.text.contains("\r"))
        #expect(!output.text.contains("\u{1B}"))
        #expect(output.text.contains("failed   a: bad\\rbytes\n"))
    }

    @Test func withoutProgressOnlyFailuresAreTold() {
        let output = MemoryOutput()
        let screen = Self.screen(.none, output)
        screen.handle(Events.started("a"))
        screen.tick(now: 100_000)
        screen.handle(Events.ended("a", .failed, failure: TaskFailure(.notFound, message: "not there")))
        screen.end()
        #expect(output.text == "failed   a: not there\n")
    }

    @Test func onATerminalBarsAreDrawnAtMostTenTimesASecond() {
        let output = MemoryOutput(terminal: TerminalSize(columns: 80, rows: 24))
        let screen = Self.screen(.live, output)
        for time in 0..<1000 { screen.handle(Events.moved("a", at: Int64(time), Int64(time), of: 1000, rate: 1)) }
        let drawings = output.text.split(separator: "tasks,").count - 1
        #expect(drawings == 10)
    }

    @Test func onATerminalFinishedTasksScrollAboveAndTheBarsGoAtTheEnd() {
        let output = MemoryOutput(terminal: TerminalSize(columns: 80, rows: 24))
        let screen = Self.screen(.live, output)
        screen.handle(Events.started("a", at: 0, bytes: 100))
        screen.handle(Events.started("b", at: 200, bytes: 100))
        screen.handle(Events.ended("a", .succeeded, at: 250, bytes: 100, took: .seconds(2)))
        screen.tick(now: 400)
        var terminal = FakeTerminal(columns: 80)
        terminal.feed(output.text)
        #expect(terminal.rows.first == "done     a: 100 B in 2s")
        #expect(terminal.rows.count == 3)
        screen.handle(Events.ended("b", .succeeded, at: 410, bytes: 100))
        screen.end()
        terminal = FakeTerminal(columns: 80)
        terminal.feed(output.text)
        #expect(terminal.rows == ["done     a: 100 B in 2s", "done     b: 100 B", ""])
        #expect(terminal.faults == [])
    }

    @Test func messagesComeAboveTheBars() {
        let output = MemoryOutput(terminal: TerminalSize(columns: 80, rows: 24))
        let screen = Self.screen(.live, output)
        screen.handle(Events.started("a", at: 0, bytes: 100))
        screen.message(["stopping"], now: 500)
        var terminal = FakeTerminal(columns: 80)
        terminal.feed(output.text)
        #expect(terminal.rows.first == "stopping")
        #expect(terminal.rows.count == 3)
    }

    @Test(
        arguments: [
            (Verbosity.normal, Events.started("a"), []),
            (.verbose, Events.started("a"), ["start    a: fetch, not on disk"]),
            (.normal, Events.asked("a"), []),
            (.verbose, Events.asked("a"), ["request  a: http://h/a"]),
            (.verbose, Events.asked("a", from: 2048), ["request  a: http://h/a from 2.0 KiB"]),
            (.normal, Events.broke("a", retryIn: .seconds(9)), []),
            (.normal, Events.broke("a", retryIn: .seconds(10)), ["retry    a: in 10s: reset"]),
            (.quiet, Events.broke("a", retryIn: .seconds(10)), []),
            (.verbose, Events.broke("a", retryIn: .seconds(1)), ["retry    a: in 1s: reset"]),
            (.verbose, Events.broke("a", retryIn: nil), []),
            (.normal, Events.ended("a", .succeeded, bytes: 5), []),
            (.verbose, Events.ended("a", .succeeded, bytes: 5), ["done     a: 5 B"]),
            (.normal, Events.ended("a", .upToDate), []),
            (.verbose, Events.ended("a", .upToDate), ["up to date a"]),
            (.verbose, Events.ended("a", .skipped), ["skipped  a"]),
            (.normal, Events.ended("b", .blocked, blockedBy: "a"), ["blocked  b: `a` failed"]),
            (.quiet, Events.ended("a", .succeeded), []),
        ] as [(Verbosity, RunEvent, [String])])
    func linesThatStay(verbosity: Verbosity, event: RunEvent, expected: [String]) {
        #expect(Self.lines(verbosity).lines(event) == expected)
    }

    @Test func aQuietRunTellsFailuresWhole() {
        let event = Events.ended("a", .failed, failure: TaskFailure(.notFound, message: "not there"))
        let text = Self.lines(.quiet).lines(event).joined(separator: "\n")
        #expect(text.contains("not_found"))
        #expect(text.contains("job.yaml:4"))
    }
}
