import RunnerCLI
import Testing

/// Text from elsewhere on a terminal.
@Suite struct PrintableTests {
    @Test(arguments: [
        ("plain é 日本 😀", "plain é 日本 😀"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{1B}[2J", "\\u{1b}[2J"),
        ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"),
        ("a\u{202E}b", "a\\u{202e}b"), ("a\r\nb", "a\\r\\nb"), ("", ""),
    ])
    func controlsAreEscaped(text: String, expected: String) {
        #expect(text.printable == expected)
    }
}
