import RunnerStorage
import Testing

@Suite struct SafeTextTests {
    static let texts: [(String, String)] = [
        ("", ""), ("plain", "plain"), ("  a \r\n\t b  ", "a b"), ("größe 日本", "größe 日本"), ("\u{feff}bom", "bom"),
        ("\u{1b}[2Jclear", "\\x1b[2Jclear"), ("nul\u{0}", "nul\\x00"), ("del\u{7f}", "del\\x7f"),
        ("\u{9b}31m", "\\u{9b}31m"), ("a\u{202e}b", "a\\u{202e}b"), ("a\u{200b}b", "a\\u{200b}b"),
        ("a\u{2028}b", "a b"), ("a\u{a0}b", "a b"), ("e\u{301}", "e\u{301}"),
    ]

    @Test(arguments: texts) func showsOnlyWhatIsHarmless(_ text: String, _ shown: String) {
        #expect(SafeText.of(Array(text.utf8)) == shown)
    }

    @Test func showsBytesThatAreNoText() {
        #expect(SafeText.of([0x50, 0x4b, 0x03, 0xff, 0x80]) == "PK\\x03\\xff\\x80")
    }

    @Test func doesNotCallTextBinaryForACharacterThatIsCutInTwo() {
        #expect(SafeText.of(Array("größe".utf8.prefix(4))) == "grö")
        #expect(SafeText.of(Array("a日".utf8.dropLast())) == "a")
    }

    @Test(arguments: [79, 80, 81, 1000]) func isCutToTheLimit(_ count: Int) {
        let text = SafeText.of([UInt8](repeating: UInt8(ascii: "x"), count: count))
        #expect(text.unicodeScalars.count == min(count, 80))
        #expect(text.hasSuffix("…") == (count > 80))
    }

    @Test func countsWhatItWroteInPlace() {
        let text = SafeText.of([UInt8](repeating: 0, count: 100))
        #expect(text.unicodeScalars.count <= 80)
        #expect(text.hasPrefix("\\x00\\x00") && text.hasSuffix("\\x00…"))
    }

    @Test func looksBeyondWhiteSpaceOnlySoFar() {
        #expect(SafeText.of([UInt8](repeating: 0x20, count: 10_000) + [0x41]) == "")
    }
}
