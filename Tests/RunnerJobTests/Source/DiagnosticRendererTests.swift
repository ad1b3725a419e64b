import Testing

@testable import RunnerJob

@Suite struct DiagnosticRendererTests {
    private func render(_ line: String, column: Int32, notes: [Diagnostic.Note] = []) -> String {
        var sources = SourceMap()
        _ = sources.add(SourceMap.File(name: "job.yaml", bytes: Array(("first\n" + line + "\n").utf8)))
        let diagnostic = Diagnostic(.error, "wrong", at: Place(line: 2, column: column), notes: notes)
        return DiagnosticRenderer(sources).text(diagnostic)
    }

    @Test func pointsAtTheColumn() {
        #expect(render("a: b", column: 4) == "job.yaml:2:4: error: wrong\n    a: b\n       ^\n")
    }

    @Test func pointsBehindTheEndOfALine() {
        #expect(render("a:", column: 3) == "job.yaml:2:3: error: wrong\n    a:\n      ^\n")
        #expect(render("a:", column: 99) == "job.yaml:2:99: error: wrong\n    a:\n      ^\n")
    }

    @Test func keepsTabsAndWidensWideText() {
        #expect(render("\ta: b", column: 5) == "job.yaml:2:5: error: wrong\n    \ta: b\n    \t   ^\n")
        #expect(render("日本: b", column: 5) == "job.yaml:2:5: error: wrong\n    日本: b\n          ^\n")
        #expect(render("e\u{301}: b", column: 5) == "job.yaml:2:5: error: wrong\n    e\u{301}: b\n       ^\n")
    }

    @Test func showsNotesAtTheirOwnPlaces() {
        let notes = [Diagnostic.Note("the other", at: Place(line: 1, column: 1)), Diagnostic.Note("so there")]
        #expect(
            render("b", column: 1, notes: notes)
                == "job.yaml:2:1: error: wrong\n    b\n    ^\njob.yaml:1:1: note: the other\n    first\n    ^\nnote: so there\n"
        )
    }

    @Test func lendsNoControlCharacterToTheTerminal() {
        let text = render("a: \u{1B}[31m\u{7}\u{202E}b", column: 1)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{202E}" })
    }

    @Test func showsAPartOfALongLine() {
        let line = String(repeating: "x", count: 5000) + "HERE" + String(repeating: "y", count: 5000)
        let lines = render(line, column: 5001).split(separator: "\n")
        #expect(lines[1].count < 180)
        #expect(lines[1].hasPrefix("    …x"))
        #expect(lines[1].hasSuffix("y…"))
        let caret = lines[2].count - 1
        #expect(String(Array(lines[1])[caret..<caret + 4]) == "HERE")
    }

    @Test func namesWarningsAndWhatHasNoPlace() {
        #expect(DiagnosticRenderer(SourceMap()).text(Diagnostic(.warning, "odd", at: nil)) == "warning: odd\n")
        #expect(
            DiagnosticRenderer(SourceMap()).text(Diagnostic(.error, "odd", at: Place(line: 1, column: 1)))
                == "<unknown>:1:1: error: odd\n")
    }
}
