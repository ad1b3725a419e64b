/// The meaning of a `Retry-After` field (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// Longest wait that is told apart from "for ever": a hundred years.
    private static let longest: Int64 = 100 * 366 * 86_400

    /// Returns the wait from the reply on; nil for junk, which is treated as if the field were not there.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970 by the reply's own Date where it has one, else by our clock.
    ///   - date: reads an HTTP date into seconds since 1970.
    package static func wait(_ text: String, now: Int64, date: (String) -> Int64?) -> Duration? {
        let trimmed = text.drop { $0 == " " || $0 == "\t" }
        guard !trimmed.isEmpty else { return nil }
        if trimmed.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .seconds(min(Int64(trimmed) ?? longest, longest))
        }
        // A date begins with the name of a day; curl_getdate(3) alone would take "1junk" for a year.
        guard let first = trimmed.first, first.isLetter, let time = date(String(trimmed)) else { return nil }
        let (wait, overflow) = time.subtractingReportingOverflow(now)
        return .seconds(overflow ? longest : min(max(0, wait), longest))
    }
}
