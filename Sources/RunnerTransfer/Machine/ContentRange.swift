/// A `Content-Range` field of unit bytes (RFC 9110 section 14.4).
package enum ContentRange: Hashable, Sendable {
    /// `bytes first-last/total`; nil total for `*`.
    case span(first: Int64, last: Int64, total: Int64?)
    /// `bytes */total`, as a 416 has it.
    case unsatisfied(total: Int64)

    /// Returns nil for anything that is not one valid range; files of more than 2^63 - 1 bytes are not valid here, so
    /// that the number of bytes up to `last` is always an Int64.
    package init?(_ text: String) {
        var rest = Substring(text)[...]
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        guard rest.utf8.count > 6, rest.prefix(5).lowercased() == "bytes" else { return nil }
        rest = rest.dropFirst(5)
        // "bytes=" is wrong but common in the wild.
        guard let separator = rest.first, separator == " " || separator == "=" else { return nil }
        rest = rest.drop { $0 == " " || $0 == "=" }
        let halves = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < .max
        else { return nil }
        if let total, last >= total { return nil }
        self = .span(first: first, last: last, total: total)
    }

    /// Digits only: `Int64(_:)` alone would take a sign.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int64(text)
    }
}
