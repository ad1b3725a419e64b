import Testing

@testable import RunnerJob

@Suite struct ShownTests {
    @Test(arguments: [
        ("abc", "`abc`"), ("", "``"), ("a\u{1B}b\n", "`a<U+1B>b<U+A>`"), ("\u{202E}x", "`<U+202E>x`"), ("é日", "`é日`"),
        ("\u{A0}\u{2028}a\u{3000} b", "`<U+A0><U+2028>a<U+3000> b`"),
    ])
    func spellsOutWhatCannotBeSeen(text: String, shownText: String) {
        #expect(shown(text) == shownText)
    }

    @Test func cutsLongTexts() {
        #expect(shown(String(repeating: "x", count: 80)).hasSuffix("x`"))
        #expect(shown(String(repeating: "x", count: 81)) == "`" + String(repeating: "x", count: 80) + "…`")
    }
}
