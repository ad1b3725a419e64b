import RunnerCLI
import Testing

/// Widths of text in terminal cells.
@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("\u{AD}", 0), ("𠀀", 2), ("…", 1), ("a\u{200B}b", 2),
    ])
    func widths(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(arguments: [
        ("short", 9, "short"), ("abcdefghij", 10, "abcdefghij"), ("abcdefghij", 7, "abc…hij"),
        ("abcdefghij", 6, "abc…ij"),
        ("abc", 1, "…"), ("abc", 0, ""), ("abc", -1, ""), ("日本語日本語", 7, "日…語"), ("日本語日本語", 8, "日本…語"),
        ("日本語日本語", 9, "日本…本語"),
    ])
    func cuttingKeepsBothEnds(text: String, width: Int, expected: String) {
        #expect(text.cut(to: width) == expected)
        #expect(DisplayWidth.of(text.cut(to: width)) <= max(0, width))
    }

    @Test func paddingCountsCells() {
        #expect("日".padded(toWidth: 4) == "日  ")
        #expect("日".aligned(toWidth: 4) == "  日")
        #expect("long".padded(toWidth: 2) == "long")
    }
}
