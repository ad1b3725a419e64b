import Testing

@testable import RunnerJob

@Suite struct ValueRangeTests {
    @Test(arguments: [
        ("1..3", "1 2 3"), ("3..1", "3 2 1"), ("8..11", "8 9 10 11"), ("08..11", "08 09 10 11"),
        ("001..3", "001 002 003"), ("1..003", "001 002 003"), ("0..90..30", "0 30 60 90"), ("0..50..20", "0 20 40"),
        ("10..0..5", "10 5 0"), ("-1..1", "-1 0 1"), ("7..7", "7"), ("0..0", "0"), ("a..d", "a b c d"),
        ("F..D", "F E D"), ("a..g..3", "a d g"),
        ("2026-02-27..2026-03-02", "2026-02-27 2026-02-28 2026-03-01 2026-03-02"),
        ("2024-02-28..2024-03-01", "2024-02-28 2024-02-29 2024-03-01"),
        ("2026-01-02..2026-01-01", "2026-01-02 2026-01-01"),
        ("2026-01-01..2026-01-20..7d", "2026-01-01 2026-01-08 2026-01-15"),
        ("2026-01-01..2026-01-20..1w", "2026-01-01 2026-01-08 2026-01-15"),
        ("2025-11..2026-02", "2025-11 2025-12 2026-01 2026-02"), ("2026-01..2026-12..6mo", "2026-01 2026-07"),
        ("2024-06..2026-06..1y", "2024-06 2025-06 2026-06"),
    ])
    func putsOut(text: String, values: String) throws {
        #expect(try ValueRange(text).map { Array($0).joined(separator: " ") } == values)
    }

    @Test(arguments: ["", "a", "1", "1.10", "..", "..1", "../x", "ab..cd", "1.2..3", "1..2..3..4"])
    func leavesOtherTextsAlone(text: String) throws {
        #expect(try ValueRange(text) == nil)
    }

    @Test(arguments: [
        ("1..x", "both ends must be"), ("1..", "both ends must be"), ("a..9", "both ends must be"),
        ("2026-01-01..2026-02", "both ends must be"),
        ("2026-02-30..2026-03-02", "`2026-02-30`, which is no day"), ("1..9..0", "step `0`; it wants a whole number"),
        ("1..9..x", "step `x`"), ("2026-01-01..2026-01-09..2", "it wants days or weeks, such as 7d"),
        ("2026-01..2026-09..7d", "it wants months or years"), ("0..99999999999", "more than 10000000 values"),
        ("a..Z", "from one letter case to the other"), ("A..c", "from one letter case to the other"),
    ])
    func refusesWhatIsNearlyOne(text: String, message: String) {
        do throws(ValueRangeFault) {
            _ = try ValueRange(text)
            Issue.record("taken for good")
        } catch {
            #expect(error.description.contains(message))
        }
    }
}
