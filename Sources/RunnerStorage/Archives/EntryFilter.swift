internal import Glibc
internal import RunnerJob

/// Tells whether a path is one that a selection is about.
///
/// A pattern without a slash is for the last part of a path, one with a slash for all of it; what is true of a folder is
/// true of all that lies in it. `*` and `?` stand for no slash, unless the pattern holds `**`.
struct EntryFilter {
    private let include: [PathPattern]
    private let exclude: [PathPattern]
    let isEverything: Bool

    init(_ selection: EntrySelection) {
        include = selection.include.map { PathPattern(Self.trimmed($0)) }
        exclude = selection.exclude.map { PathPattern(Self.trimmed($0)) }
        isEverything = selection.isEverything
    }

    func matches(_ path: [UInt8]) -> Bool {
        if isEverything { return true }
        let paths = Self.withParents(String(decoding: path, as: UTF8.self))
        if paths.contains(where: { path in exclude.contains { $0.matches(path) } }) { return false }
        return include.isEmpty || paths.contains { path in include.contains { $0.matches(path) } }
    }

    /// Whether nothing in a folder can be selected, so that it need not be looked into.
    func excludesAll(in folder: [UInt8]) -> Bool {
        let paths = Self.withParents(String(decoding: folder, as: UTF8.self))
        return paths.contains { path in exclude.contains { $0.matches(path) } }
    }

    /// `doc/` means the folder.
    private static func trimmed(_ pattern: String) -> String {
        var text = Substring(pattern)
        while text.utf8.count > 1, text.utf8.last == EntryName.slash { text = text.dropLast() }
        return text.hasPrefix("./") ? String(text.dropFirst(2)) : String(text)
    }

    private static func withParents(_ path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) } + [path]
    }
}
