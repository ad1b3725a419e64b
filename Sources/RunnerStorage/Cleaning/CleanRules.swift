internal import Glibc

/// What `clean:` of a job says.
package struct CleanRules: Hashable, Sendable {
    /// Downloads that were put in place longer ago are removed.
    package var olderThan: Duration?
    /// Bytes on the disk that the job's downloads may take; the oldest are removed until they do.
    package var maxSize: Int64?
    /// Paths that are never removed.
    package var keep: [PathPattern]
    /// Part files that were not written to for longer are removed, though a task wants them.
    package var partsOlderThan: Duration?

    package init(
        olderThan: Duration? = nil, maxSize: Int64? = nil, keep: [PathPattern] = [], partsOlderThan: Duration? = nil
    ) {
        self.olderThan = olderThan
        self.maxSize = maxSize
        self.keep = keep
        self.partsOlderThan = partsOlderThan
    }
}

/// A pattern for paths, as a shell has them (fnmatch(3)).
///
/// Without a slash it is for the last part of a path; with one for the whole path below the job's directory. `*` and
/// `?` stand for no slash, unless the pattern holds `**`, in which every `*` does; `**/` may stand for no folder too.
package struct PathPattern: Hashable, Sendable {
    package let text: String
    /// The pattern, and what is left of it where a `**/` stands for nothing.
    private let variants: [String]

    /// Folders of any depth that one pattern may have; further ones are folders of at least one level.
    private static let mostFolders = 6

    package init(_ text: String) {
        self.text = text
        var variants = [""]
        var parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let last = parts.popLast() ?? ""
        var folders = 0
        for part in parts {
            let longer = variants.map { $0 + part + "/" }
            if part == "**" { folders += 1 }
            variants = part == "**" && folders <= Self.mostFolders ? longer + variants : longer
        }
        self.variants = variants.map { $0 + last }
    }

    package func matches(_ path: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "/")) else {
            let name =
                path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
            return fnmatch(text, String(name), 0) == 0
        }
        let flags = text.contains("**") ? 0 : FNM_PATHNAME
        return variants.contains { fnmatch($0, path, flags) == 0 }
    }
}
