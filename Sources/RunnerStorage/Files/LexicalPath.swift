/// Paths as text, without a look at the disk.
enum LexicalPath {
    /// Parent and last part of an absolute path; nil for the root.
    static func split(_ path: String) -> (parent: String, name: String)? {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return nil }
        return ("/" + parts.dropLast().joined(separator: "/"), String(name))
    }

    /// The absolute path that `path` means seen from `base`, with `.` and `..` taken out.
    static func joining(_ base: String, _ path: String) -> String {
        var parts: [Substring] = []
        for part in (path.utf8.first == UInt8(ascii: "/") ? path : base + "/" + path).split(separator: "/") {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
