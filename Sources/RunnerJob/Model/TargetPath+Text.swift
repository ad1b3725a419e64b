/// Why a text is no path that a task may read or write.
public enum PathFault: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    /// Begins with `~`, which only a shell takes for the home folder.
    case tilde
    case controlCharacter
    /// Leads out of the job's directory by `..`, or above the root.
    case outside
    /// A part has more than 255 bytes.
    case partTooLong
    /// The path has more than 4095 bytes.
    case tooLong
    /// Names the job's directory itself, where a file is wanted.
    case noName

    public var description: String {
        switch self {
        case .empty: "the path is empty; write where the file is"
        case .tilde: "`~` does not stand for the home folder here; write ${env:HOME}"
        case .controlCharacter: "a path cannot hold a control character"
        case .outside: "the path leaves the job's directory; write it without `..`, or as an absolute path"
        case .partTooLong: "a name in the path has more than 255 bytes, which no file system takes"
        case .tooLong: "the path has more than 4095 bytes, which the system does not take"
        case .noName: "the path names a folder; write the name of a file"
        }
    }
}

extension TargetPath {
    /// Reads a path: relative to the job's directory, or absolute.
    ///
    /// Empty parts, `.` and `..` are resolved in the text alone, without a look at the disk.
    /// - Throws: ``PathFault``.
    public init(_ text: String) throws(PathFault) {
        let path = try Self.normalize(text)
        if path.isEmpty || path == "/" { throw .noName }
        self.init(normalized: path)
    }

    /// Reads a folder and a name in it that is used as it is; the folder may be the job's directory (`.`).
    ///
    /// - Throws: ``PathFault``.
    public init(folder: String, name: String) throws(PathFault) {
        let folder = try Self.normalize(folder)
        if name.isEmpty || name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/")) { throw .noName }
        if name.unicodeScalars.contains(where: Self.isControl) { throw .controlCharacter }
        if name.utf8.count > 255 { throw .partTooLong }
        self.init(normalized: folder.isEmpty ? name : folder == "/" ? "/" + name : folder + "/" + name)
    }

    /// The shortest spelling of a path; empty for the job's directory itself.
    static func normalize(_ text: String) throws(PathFault) -> String {
        let bytes = text.utf8
        if bytes.isEmpty { throw .empty }
        if bytes.first == UInt8(ascii: "~") { throw .tilde }
        if bytes.count > 4095 { throw .tooLong }
        if text.unicodeScalars.contains(where: isControl) { throw .controlCharacter }
        var parts: [Substring.UTF8View] = []
        for part in text[...].utf8.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                if parts.popLast() == nil { throw .outside }
                continue
            }
            if part.count > 255 { throw .partTooLong }
            parts.append(part)
        }
        let path = parts.map { String(Substring($0)) }.joined(separator: "/")
        return bytes.first == UInt8(ascii: "/") ? "/" + path : path
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }
}
