/// Which entries of an archive, or files of a folder, a task is about.
///
/// Patterns are those of a shell: without a slash for the last part of a path, with one for all of it.
public struct EntrySelection: Hashable, Sendable {
    /// Only what fits one of these; everything when there is none.
    public var include: [String]
    /// Never what fits one of these.
    public var exclude: [String]

    public init(include: [String] = [], exclude: [String] = []) {
        self.include = include
        self.exclude = exclude
    }

    public var isEverything: Bool { include.isEmpty && exclude.isEmpty }
}

extension Fingerprint {
    mutating func add(_ selection: EntrySelection) {
        add("\(selection.include.count)")
        for pattern in selection.include + selection.exclude { add(pattern) }
    }
}
