import RunnerJob
import RunnerStorage

/// What is wrong with a checksum list, in words.
enum ChecksumListText {
    static func sentence(_ error: ChecksumListError) -> String {
        switch error {
        case .empty: "the checksum list is empty"
        case .tooLong(let bytes): "the checksum list has \(bytes) bytes, more than is read"
        case .notPinned(let pin, let actual):
            "the checksum list is not the one that the job means: its \(pin.algorithm.rawValue) digest is "
                + "\(actual?.hex ?? "unknown"), wanted is \(pin.hex)"
        case .utf16: "the checksum list is in UTF-16; save it as UTF-8"
        case .page(let title): "an HTML page came in place of the checksum list\(title.map { ": \"\($0)\"" } ?? "")"
        case .noEntries(let text): "no line of the checksum list holds a digest; it begins with \"\(text)\""
        case .noEntry(let name, let entries, let first, let lines):
            "no checksum for \(name) among \(entries) \(entries == 1 ? "entry" : "entries")"
                + (first.isEmpty ? "" : " (\(first.joined(separator: ", "))\(entries > first.count ? ", …" : ""))")
                + (lines.isEmpty
                    ? "" : "; unreadable lines: \(lines.prefix(5).map(String.init).joined(separator: ", "))")
        case .notWanted(let name, let listed, let wanted):
            "the checksum list says \(listed) for \(name), wanted is \(wanted)"
        case .contradiction(let name, let one, let other):
            "two different checksums for \(name): \(one.hex) and \(other.hex)"
        }
    }
}
