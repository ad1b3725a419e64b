import Testing

@testable import RunnerJob

@Suite struct LineIndexTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb", ["a", "b"]), ("a\rb", ["a", "b"]),
        ("a\n\nb", ["a", "", "b"]),
        ("a\u{85}b\u{2028}c\u{2029}d", ["a", "b", "c", "d"]), ("é日\nb", ["é日", "b"]), ("a\r", ["a", ""]),
        // Characters whose first bytes are those of a line break.
        ("\u{A9}\u{2027}\u{20AC}", ["\u{A9}\u{2027}\u{20AC}"]),
    ])
    func splitsAsYAMLDoes(text: String, lines: [String]) {
        let index = LineIndex(Array(text.utf8))
        #expect(index.count == lines.count)
        #expect((1...lines.count).map { index.line($0) } == lines)
        #expect(String(decoding: index.last, as: UTF8.self) == lines.last)
        #expect(index.line(0) == nil)
        #expect(index.line(lines.count + 1) == nil)
    }

    @Test func servesTheSourceMap() {
        var sources = SourceMap()
        let file = sources.add(SourceMap.File(name: "a.yaml", bytes: Array("x\ny\r\n".utf8)))
        #expect(sources.line(of: Place(file: file, line: 2, column: 1)) == "y")
        #expect(sources.line(of: Place(file: file, line: 9, column: 1)) == nil)
        #expect(sources.line(of: Place(file: 7, line: 1, column: 1)) == nil)
        #expect(sources.name(of: Place(file: file, line: 1, column: 1)) == "a.yaml")
    }
}
