import RunnerTransfer
import Testing

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-9/10", 0, 9, 10),
            ("bytes 3-9/10", 3, 9, 10),
            ("bytes 3-3/10", 3, 3, 10),
            ("BYTES 3-9/10", 3, 9, 10),
            ("bytes  3-9/10", 3, 9, 10),
            ("bytes=3-9/10", 3, 9, 10),
            ("bytes 3-9/10 \t", 3, 9, 10),
            ("bytes 003-009/0010", 3, 9, 10),
            ("bytes 0-9223372036854775805/9223372036854775806", 0, .max - 2, .max - 1),
            ("bytes 0-9223372036854775806/9223372036854775807", 0, .max - 1, .max),
        ] as [(String, Int64, Int64, Int64)])
    func spanOfAKnownTotal(_ text: String, first: Int64, last: Int64, total: Int64) {
        #expect(ContentRange(text) == .span(first: first, last: last, total: total))
    }

    @Test(
        arguments: [("bytes 7-9/*", 7, 9), ("bytes 0-9223372036854775806/*", 0, .max - 1)] as [(String, Int64, Int64)])
    func spanOfAnUnknownTotal(_ text: String, first: Int64, last: Int64) {
        #expect(ContentRange(text) == .span(first: first, last: last, total: nil))
    }

    @Test(
        arguments: [("bytes */0", 0), ("bytes */1234", 1234), ("Bytes */9223372036854775807", .max)]
            as [(String, Int64)])
    func unsatisfied(_ text: String, total: Int64) {
        #expect(ContentRange(text) == .unsatisfied(total: total))
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 3-9", "3-9/10", "items 3-9/10", "bytes3-9/10", "bytes */*", "bytes /10",
        "bytes -/10",
        "bytes 3-/10", "bytes -9/10", "bytes 9-3/10", "bytes 3-10/10", "bytes 3-11/10", "bytes +3-9/10",
        "bytes 3-+9/10",
        "bytes 3-9/+10", "bytes 3 - 9/10", "bytes 3-9/1 0", "bytes 3-9/10/11", "bytes 3-9-11/20", "bytes 3.0-9/10",
        "bytes 0x3-0x9/0x10", "bytes 3-9/10;", "bytes 0-4/10, bytes 5-9/10", "bytes 3-9/ten", "bytes ٣-٩/١٠",
        "bytes 0-9223372036854775808/9223372036854775809", "bytes 0-36893488147419103232/*",
        // One byte more than an Int64 can count.
        "bytes 0-9223372036854775807/*",
    ])
    func whatIsNoRangeIsRefused(_ text: String) {
        #expect(ContentRange(text) == nil)
    }
}
