import Testing

@testable import LibCurl

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun, 6 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 +0000", 784_111_777),
        ("06 Nov 1994 08:49:37 GMT", 784_111_777), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Wed, 31 Dec 2008 23:59:60 GMT", 1_230_768_000),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ])
    func isRead(_ text: String, _ seconds: Int64) {
        #expect(httpDate(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "later", "GMT", "Sun, 30 Feb 2020 12:00:00 GMT", "Sun, 30 Feb 2020 00:00:00 GMT",
        "Wed, 29 Feb 2023 12:00:00 GMT", "Wed, 31 Apr 2024 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +0200", "20110623 12:34:56",
        "20110623 12:34:56 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", "Mon Jan  1 00:00:00 0001",
        "Mon, 01 Jan 0099 00:00:00 GMT",
        "Nov 6 1994", "1994-11-06T08:49:37Z", "Sun Nov 31 08:49:37 1994", "Nov  6 08:49:37 1994",
    ])
    func isNoDateOfHTTP(_ text: String) {
        #expect(httpDate(text) == nil)
    }
}
