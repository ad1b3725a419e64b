/// What a server says of the requests that it will still take (draft-ietf-httpapi-ratelimit-headers).
package struct RateSignal: Hashable, Sendable {
    /// Requests that are left.
    package var remaining: Int64
    /// Time until there are more.
    package var reset: Duration
    /// Requests that there were in the beginning; nil when the server does not say.
    package var quota: Int64?

    package init(remaining: Int64, reset: Duration, quota: Int64? = nil) {
        self.remaining = remaining
        self.reset = reset
        self.quota = quota
    }

    /// Numbers above this are times, in seconds since 1970, not waits.
    private static let epochs: Int64 = 1_000_000_000
    /// What is longer is no limit of rate.
    private static let longest: Int64 = 7 * 86_400

    /// Reads the fields of a reply; nil when they say nothing that makes sense.
    ///
    /// - Parameters:
    ///   - fields: names in lower case, with values.
    ///   - now: seconds since 1970 by the reply's own Date where it has one, else by our clock.
    package init?(_ fields: [ReplyHead.Field], now: Int64) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { name in fields.first { $0.name == name }?.value }.first
        }
        let policies = value("ratelimit-policy").map(Self.items) ?? []
        let signals = (value("ratelimit").map(Self.items) ?? []).compactMap { Self.signal($0, policies) }
        // Of several policies the one that leaves the least.
        if let tightest = signals.max(by: { $0.spacing < $1.spacing }) {
            self = tightest
            return
        }
        guard
            let remaining = value("ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining")
                .flatMap(Self.number),
            let reset = value("ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset").flatMap(Self.number)
        else { return nil }
        let wait = Self.wait(reset, now)
        guard wait <= Self.longest else { return nil }
        let quota = value("ratelimit-limit", "x-ratelimit-limit", "x-rate-limit-limit").flatMap(Self.number)
        self.init(remaining: remaining, reset: .seconds(wait), quota: quota)
    }

    /// What the names of such fields begin with, in lower case.
    package static let initials = "rx"

    /// Whether a field may be part of a signal.
    package static func isSignal(_ name: String) -> Bool {
        name.hasPrefix("ratelimit") || name.hasPrefix("x-ratelimit-") || name.hasPrefix("x-rate-limit-")
    }

    /// Time between two requests that makes the rest last.
    package var spacing: Duration { reset / Double(remaining + 1) }

    /// Milliseconds and seconds since 1970 are both in use.
    private static func wait(_ reset: Int64, _ now: Int64) -> Int64 {
        guard reset > epochs else { return reset }
        let seconds = reset > epochs * 1000 ? reset / 1000 : reset
        return max(0, seconds - now)
    }

    // MARK: Structured fields

    /// One member of a list: its name and parameters, names in lower case.
    private typealias Item = (name: String, parameters: [String: String])

    /// `"default";r=50;t=30`, several parted by commas; or `limit=100, remaining=50, reset=30`, which is one item.
    private static func items(_ text: String) -> [Item] {
        let members = split(text, at: ",").map { split($0, at: ";").map { trimmed($0) } }
        let isOld = members.count > 1 && members.allSatisfy { $0.count == 1 && $0[0].contains("=") }
        func parameters(_ words: some Sequence<String>) -> [String: String] {
            var found: [String: String] = [:]
            for word in words {
                let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if halves.count == 2 { found[trimmed(halves[0]).lowercased()] = trimmed(halves[1]) }
            }
            return found
        }
        if isOld { return [("", parameters(members.map { $0[0] }))] }
        return members.compactMap { words in
            guard let name = words.first else { return nil }
            return name.contains("=") && !name.hasPrefix("\"")
                ? ("", parameters(words)) : (name, parameters(words.dropFirst()))
        }
    }

    private static func signal(_ item: Item, _ policies: [Item]) -> RateSignal? {
        let policy = policies.first { $0.name == item.name }
        func number(_ values: String?...) -> Int64? { values.lazy.compactMap { $0 }.first.flatMap(Self.number) }
        guard let remaining = number(item.parameters["r"], item.parameters["remaining"]),
            let reset = number(item.parameters["t"], item.parameters["reset"], policy?.parameters["w"]),
            reset <= longest
        else { return nil }
        let quota = number(policy?.parameters["q"], item.parameters["limit"], item.parameters["q"])
        return RateSignal(remaining: remaining, reset: .seconds(reset), quota: quota)
    }

    /// Splits at a character outside of quotes.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// The whole number at the beginning, which a fraction or further limits may follow.
    private static func number(_ text: String) -> Int64? {
        let digits = trimmed(text).prefix { $0 >= "0" && $0 <= "9" }
        return digits.isEmpty ? nil : Int64(digits)
    }
}
