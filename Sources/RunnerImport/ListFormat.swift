internal import RunnerJob

/// What program, or what convention, a list of downloads is written for.
///
/// The raw value is the word of the command line.
package enum ListFormat: String, CaseIterable, Sendable {
    /// The input file of aria2.
    case aria2
    /// The configuration file of curl.
    case curl
    /// Metalink 4 (RFC 5854) and 3.
    case metalink
    /// A URL a line, as wget takes it.
    case urls
    /// A checksum list, such as `SHA256SUMS`.
    case checksums
    case csv, tsv, jsonl

    /// The format as a sentence names it.
    package var title: String {
        switch self {
        case .aria2: "an input file of aria2"
        case .curl: "a configuration file of curl"
        case .metalink: "Metalink"
        case .urls: "a list of URLs"
        case .checksums: "a checksum list"
        case .csv: "CSV"
        case .tsv: "TSV"
        case .jsonl: "JSON lines"
        }
    }
}

extension ListFormat {
    /// The format that the name of a file tells, or else its text; nil where neither does.
    init?(fileName: String, _ text: ListText) {
        if let format = Self.byName(fileName) ?? Self.byText(text, fileName) { self = format } else { return nil }
    }

    static func isMetalink(fileName: String) -> Bool { byName(fileName) == .metalink }

    private static func byName(_ path: String) -> Self? {
        let name = (path.split(separator: "/").last.map(String.init) ?? "").lowercased()
        for (suffix, format) in [
            (".meta4", Self.metalink), (".metalink", .metalink), (".aria2", .aria2), (".curlrc", .curl),
        ] where name.hasSuffix(suffix) { return format }
        return switch RowFormat(fileName: name) {
        case .csv: .csv
        case .tsv: .tsv
        case .jsonl: .jsonl
        case .checksums: .checksums
        case .lines: nil
        }
    }

    private static func byText(_ text: ListText, _ name: String) -> Self? {
        let lines = text.lines.lazy.filter { !$0.isBlank && !$0.isComment }
        guard let first = lines.first else { return nil }
        let start = first.text.trimmingBlanks()
        if start.hasPrefix("<") { return text.hasMetalink ? .metalink : nil }
        if start.hasPrefix("{") { return .jsonl }
        if let digest = checksumOrNil(first, name) { return digest }
        if hasScheme(start) {
            // aria2 has options below a URL, moved in, and further URLs behind tabs.
            let isAria2 = lines.contains { $0.text.contains("\t") || $0.isMovedIn && $0.text.contains("=") }
            return isAria2 ? .aria2 : .urls
        }
        if let option = CurlLine.options(of: start).first, CurlOption.isKnown(option.name) { return .curl }
        let columns = { (separator: Character) in
            start.split(separator: separator).contains { TableColumn(name: String($0).trimmingBlanks()) == .url }
        }
        return columns("\t") ? .tsv : columns(",") ? .csv : nil
    }

    private static func checksumOrNil(_ line: ListText.Line, _ name: String) -> Self? {
        if case .entry = ChecksumLineParser(listName: name).parse(Array(line.text.utf8)[...]) {
            .checksums
        } else {
            nil
        }
    }

    private static func hasScheme(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }
        guard scheme.first?.isLetter == true, scheme.utf8.count < text.utf8.count else { return false }
        let rest = text.dropFirst(scheme.count)
        return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
            && (rest.hasPrefix("://") || scheme == "magnet")
    }
}
