import RunnerCLI
import Testing

/// The bytes that redraw lines in place, judged by what a terminal makes of them.
@Suite struct ScreenPainterTests {
    @Test func linesAreReplacedInPlace() {
        var painter = ScreenPainter()
        var screen = FakeTerminal(columns: 20)
        screen.feed(painter.paint(lines: ["one", "two"], columns: 20))
        #expect(screen.rows == ["one", "two"])
        screen.feed(painter.paint(lines: ["1", "2", "3"], columns: 20))
        #expect(screen.rows == ["1", "2", "3"])
        screen.feed(painter.paint(lines: ["x"], columns: 20))
        #expect(screen.rows == ["x"])
    }

    @Test func scrolledLinesStayAbove() {
        var painter = ScreenPainter()
        var screen = FakeTerminal(columns: 20)
        screen.feed(painter.paint(lines: ["a 10 %", "total"], columns: 20))
        screen.feed(painter.paint(scrolled: ["done z"], lines: ["a 20 %", "total"], columns: 20))
        screen.feed(painter.paint(scrolled: ["done a"], lines: ["total"], columns: 20))
        #expect(screen.rows == ["done z", "done a", "total"])
    }

    @Test func nothingIsLeftAtTheEnd() {
        var painter = ScreenPainter()
        var screen = FakeTerminal(columns: 20)
        screen.feed("$ runner\n")
        screen.feed(painter.paint(lines: ["a", "b"], columns: 20))
        screen.feed(painter.paint(lines: [], columns: 20))
        screen.feed("summary\n")
        #expect(screen.rows == ["$ runner", "summary", ""])
    }

    @Test func rowsWrappedByANarrowerWindowAreReplacedToo() {
        var painter = ScreenPainter()
        var screen = FakeTerminal(columns: 10)
        // What a terminal of ten columns makes of two lines that were drawn when it had twenty.
        _ = painter.paint(lines: ["0123456789ABCDE", "tot"], columns: 20)
        screen.feed("0123456789\nABCDE\ntot")
        screen.feed(painter.paint(lines: ["01234", "tot"], columns: 10))
        #expect(screen.rows == ["01234", "tot"])
    }

    @Test func coloursTakeNoRoom() {
        var painter = ScreenPainter()
        var screen = FakeTerminal(columns: 10)
        screen.feed("above\n")
        screen.feed(painter.paint(lines: ["\u{1B}[31mred12345\u{1B}[0m", "total"], columns: 10))
        screen.feed(painter.paint(lines: ["x"], columns: 10))
        #expect(screen.rows == ["above", "x"])
    }
}
