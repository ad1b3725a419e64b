import LibCurl
import RunnerTransfer
import Testing

@Suite struct RetryAfterTests {
    /// 2023-11-14 22:13:20 UTC.
    static let now: Int64 = 1_700_000_000

    @Test(arguments: [
        ("0", 0), ("1", 1), ("007", 7), (" 30", 30), ("\t30", 30), ("86400", 86_400),
        ("Tue, 14 Nov 2023 22:13:25 GMT", 5), ("Tuesday, 14-Nov-23 22:14:20 GMT", 60), ("Tue Nov 14 22:13:21 2023", 1),
        // Past dates are no wait, never a negative one.
        ("Tue, 14 Nov 2023 22:13:20 GMT", 0), ("Tue, 14 Nov 2023 22:13:19 GMT", 0),
        ("Thu, 01 Jan 1970 00:00:01 GMT", 0),
    ])
    func waits(_ text: String, seconds: Int64) {
        #expect(RetryAfter.wait(text, now: Self.now, date: httpDate) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "-1", "+5", "2.5", "1e3", "0x10", "1, 2", "10s", "5 seconds", "later", "Tomorrow", "1junk", "junk1",
        "Tue",
        "Tue, 99 Nov 2023 22:13:25 GMT", "Sun, 31 Feb 2040 08:49:37 GMT", "Sun, 06 Nov 2040 08:49:37", "Nov 6 2040",
        "٣",
    ])
    func junkIsAsIfItWereNotThere(_ text: String) {
        #expect(RetryAfter.wait(text, now: Self.now, date: httpDate) == nil)
    }

    @Test(arguments: ["9999999999", "9223372036854775807", "9223372036854775808", "123456789012345678901234567890"])
    func absurdNumbersAreAHundredYearsAtMost(_ text: String) {
        let longest = Duration.seconds(100 * 366 * 86_400)
        #expect(RetryAfter.wait(text, now: Self.now, date: httpDate) == longest)
    }

    @Test(arguments: [(Int64.min, 3), (.max, 3), (.min, .max), (.max, .min)] as [(Int64, Int64)])
    func noClockMakesItOverflow(_ now: Int64, time: Int64) throws {
        let wait = try #require(RetryAfter.wait("Tue", now: now) { _ in time })
        #expect(wait >= .zero && wait <= .seconds(100 * 366 * 86_400))
    }
}
