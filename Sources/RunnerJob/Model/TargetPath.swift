/// A path that a task reads or writes: normalised, and known to stay inside the job's directory unless absolute.
public struct TargetPath: Hashable, Sendable, CustomStringConvertible {
    /// Relative to the job's directory, or absolute.
    ///
    /// No empty, `.` or `..` part, no final slash.
    public let path: ExactText

    /// Takes a path that is normalised already; ``JobParser`` does that and refuses the rest.
    package init(normalized path: String) {
        self.path = ExactText(path)
    }

    public var text: String { path.text }
    public var description: String { path.text }
    public var isAbsolute: Bool { path.text.utf8.first == UInt8(ascii: "/") }

    /// The folder that the file lies in; empty for the job's directory.
    package var folder: ExactText {
        guard let slash = path.text.lastIndex(ofASCII: UInt8(ascii: "/")) else { return "" }
        return slash == path.text.startIndex ? "/" : ExactText(String(path.text[..<slash]))
    }

    /// The last part of the path.
    public var name: String {
        path.text.lastIndex(ofASCII: UInt8(ascii: "/")).map { String(path.text[path.text.utf8.index(after: $0)...]) }
            ?? path.text
    }
}
