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
/// `?` stand for no slash, unless the pattern holds `**`, in which every `*` does.
package struct PathPattern: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package func matches(_ path: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "/")) else {
            let name =
                path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
            return fnmatch(text, String(name), 0) == 0
        }
        return fnmatch(text, path, text.contains("**") ? 0 : FNM_PATHNAME) == 0
    }
}
