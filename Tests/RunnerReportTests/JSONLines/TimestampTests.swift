import Testing

@testable import RunnerReport

@Suite("Timestamp")
struct TimestampTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (moment, "2026-11-29T03:15:00.042Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (1_704_067_199_999, "2023-12-31T23:59:59.999Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
        (.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
    ])
    func text(milliseconds: Int64, text: String) {
        #expect(Timestamp.text(milliseconds) == text)
        let isHeld = milliseconds == .max || milliseconds == .min
        #expect(isHeld || Timestamp.milliseconds(text) == milliseconds)
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00.000", "1970-13-01T00:00:00.000Z", "x970-01-01T00:00:00.000Z",
    ])
    func whatIsNoTimeIsNotRead(_ text: String) {
        #expect(Timestamp.milliseconds(text) == nil)
    }
}
