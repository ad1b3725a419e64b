import RunnerJob
import RunnerStorage

/// What is wrong with a checksum list, in words.
enum ChecksumListText {
    static func sentence(_ error: ChecksumListError) -> String {
        switch error {
        case .empty: "the checksum list is empty"
        case .tooLong(let bytes): "the checksum list has \(bytes) bytes, more than is read"
        case .utf16: "the checksum list is in UTF-16; save it as UTF-8"
        case .page(let title): "an HTML page came in place of the checksum list\(title.map { ": \"\($0)\"" } ?? "")"
        case .noEntries(let text): "no line of the checksum list holds a digest; it begins with \"\(text)\""
        case .noEntry(let name, let entries, let lines):
            "no checksum for \(name) among \(entries) entries"
                + (lines.isEmpty
                    ? "" : "; unreadable lines: \(lines.prefix(5).map(String.init).joined(separator: ", "))")
        case .contradiction(let name, let one, let other):
            "two different checksums for \(name): \(one.hex) and \(other.hex)"
        }
    }
}
