import RunnerJob
import RunnerPlan
import Testing

@testable import RunnerReport

@Suite("Words for numbers, times and text from outside")
struct WordsTests {
    @Test(arguments: [
        (Int64(0), "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (10_240, "10.0 KiB"),
        (102_348, "99.9 KiB"), (102_399, "100 KiB"), (102_400, "100 KiB"), (1_047_552, "1023 KiB"),
        (1_048_063, "1023 KiB"), (1_048_064, "1.0 MiB"), (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"),
        (775_946_240, "740 MiB"), (3_865_470_566, "3.6 GiB"), (.max, "8.0 EiB"), (-1536, "-1.5 KiB"),
        (.min, "-8.0 EiB"),
    ])
    func byteCounts(bytes: Int64, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }

    @Test func rates() {
        #expect(ByteCount.rate(1536) == "1.5 KiB/s")
    }

    @Test(arguments: [
        (Duration.zero, "0ms"), (.microseconds(999), "0ms"), (.milliseconds(350), "350ms"), (.seconds(1), "1s"),
        (.milliseconds(1_250), "1.2s"), (.milliseconds(9_999), "9.9s"), (.milliseconds(12_900), "12s"),
        (.seconds(60), "1m"), (.seconds(125), "2m05s"), (.seconds(3_600), "1h"), (.seconds(11_220), "3h07m"),
        (.seconds(86_400), "1d"), (.seconds(183_600), "2d03h"), (.seconds(-5), "0ms"),
    ])
    func durations(duration: Duration, text: String) {
        #expect(duration.words == text)
    }

    @Test(arguments: [
        ("plain é 日本 😀", "plain é 日本 😀"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{1B}[2J\u{7}", "\\u{1B}[2J\\u{7}"),
        ("\u{9B}31m\u{7F}", "\\u{9B}31m\\u{7F}"), ("gpj.\u{202E}exe", "gpj.\\u{202E}exe"), ("\r\n", "\\r\\n"),
    ])
    func textFromOutsideCannotSteerATerminal(text: String, printable: String) {
        #expect(text.printable == printable)
    }

    @Test func styleSetsOffOnlyWhenAsked() {
        #expect(Style.plain.failure("x") == "x")
        #expect(Style.ansi.failure("x") == "\u{1B}[1;31mx\u{1B}[0m")
        #expect(Style.ansi.failure("") == "")
    }

    @Test(arguments: [
        (Reason.asRecorded(since: 1_795_996_800), "digest known, file unchanged since 2026-11-30"),
        (.asRecorded(since: .max), "digest known, file unchanged since 9999-12-31"),
        (.changedSince(-1, onDisk: 5), "changed since it was put there on 1969-12-31"),
        (.partOnDisk(at: 1024, validator: "\"a\""), "at 1.0 KiB (ETag \"a\" to be asked with)"),
        (.partOnDisk(at: 1024, validator: "Tue"), "at 1.0 KiB (of Tue to be asked with)"),
        (.partOnDisk(at: 0, validator: nil), "at 0 B"),
        (.entityTagToAsk("bare"), "ETag bare, server to be asked"),
        (.entityTagToAsk("\"\u{1B}\""), "ETag \"\\u{1B}\", server to be asked"),
    ])
    func reasons(reason: Reason, words: String) {
        #expect(reason.words == words)
    }

    @Test(arguments: FaultClass.allCases)
    func adviceIsOneLineWithoutFinalStop(faultClass: FaultClass) {
        guard let advice = faultClass.advice else { return }
        #expect(!advice.hasSuffix(".") && !advice.contains("\n") && !advice.isEmpty)
    }
}
