/// The patterns that curl takes in URLs, `{one,two}` and `[1-10]` (curl(1), URL).
struct CurlGlob {
    /// A URL, and what each pattern of it stood for, which `#1` and so on name in an output.
    struct Match {
        var url: String
        var values: [String]
    }

    /// Why a pattern is none.
    enum Fault: Error {
        case unclosed, empty, badRange, tooMany

        var message: String {
            switch self {
            case .unclosed: "a `{` or `[` of the URL is not closed; `globoff` takes them as they are"
            case .empty: "there is nothing between `{` and `}`; `globoff` takes them as they are"
            case .badRange: "the range in brackets is none, such as [1-100], [001-100:10] or [a-z]"
            case .tooMany: "the patterns of the URL stand for more than \(CurlGlob.ceiling) files"
            }
        }
    }

    static let ceiling = 100_000

    /// All URLs that a text stands for, the last pattern turning fastest.
    static func expand(_ text: String) throws(Fault) -> [Match] {
        var matches = [Match(url: "", values: [])]
        var rest = text[...]
        while let character = rest.popFirst() {
            let choices: [String]
            switch character {
            case "{":
                guard let end = rest.firstIndex(of: "}") else { throw .unclosed }
                guard end != rest.startIndex else { throw .empty }
                choices = rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                rest = rest[rest.index(after: end)...]
            case "[":
                guard let end = rest.firstIndex(of: "]") else { throw .unclosed }
                let inside = rest[..<end]
                // Nothing in brackets stands for itself, such as in the name of a field of PHP.
                if inside.isEmpty {
                    for index in matches.indices { matches[index].url += "[]" }
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                // An address of IPv6 stands in brackets too.
                if matches.count == 1, matches[0].url.hasSuffix("://") || inside.contains("::") {
                    matches[0].url += "[\(inside)]"
                    rest = rest[rest.index(after: end)...]
                    continue
                }
                choices = try range(inside)
                rest = rest[rest.index(after: end)...]
            default:
                if character == "\\", let next = rest.first, "{}[]".contains(next) {
                    rest.removeFirst()
                    for index in matches.indices { matches[index].url.append(next) }
                } else {
                    for index in matches.indices { matches[index].url.append(character) }
                }
                continue
            }
            guard matches.count * choices.count <= ceiling else { throw .tooMany }
            matches = matches.flatMap { match in
                choices.map { Match(url: match.url + $0, values: match.values + [$0]) }
            }
        }
        return matches
    }

    /// `1-10`, `001-100:10`, `a-z`.
    private static func range(_ text: Substring) throws(Fault) -> [String] {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, ends.count == 2, let step = parts.count == 2 ? Int(parts[1]) : 1, step > 0 else {
            throw .badRange
        }
        if ends[0].count == 1, ends[1].count == 1, let first = letter(ends[0]), let last = letter(ends[1]) {
            guard first <= last else { throw .badRange }
            return stride(from: first, through: last, by: step).map { String(UnicodeScalar(UInt8($0))) }
        }
        guard let first = Int(ends[0]), let last = Int(ends[1]), first <= last, first >= 0 else { throw .badRange }
        guard (last - first) / step < ceiling else { throw .tooMany }
        let width = ends[0].hasPrefix("0") ? ends[0].count : 0
        return stride(from: first, through: last, by: step).map { number in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }

    private static func letter(_ text: Substring) -> Int? {
        text.utf8.first.flatMap { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 ? Int($0) : nil }
    }
}
