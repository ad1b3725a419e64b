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
        if name.isEmpty || name == "." || name == ".." || name.holds(UInt8(ascii: "/")) { throw .noName }
        if Self.hasControl(Array(name.utf8)) { throw .controlCharacter }
        if name.utf8.count > 255 { throw .partTooLong }
        self.init(normalized: folder.isEmpty ? name : folder == "/" ? "/" + name : folder + "/" + name)
    }

    /// The shortest spelling of a path; empty for the job's directory itself.
    static func normalize(_ text: String) throws(PathFault) -> String {
        let bytes = Array(text.utf8)
        if bytes.isEmpty { throw .empty }
        if bytes[0] == UInt8(ascii: "~") { throw .tilde }
        if bytes.count > 4095 { throw .tooLong }
        if hasControl(bytes) { throw .controlCharacter }
        if isNormal(bytes) { return text }
        var parts: [ArraySlice<UInt8>] = []
        for part in bytes.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                if parts.popLast() == nil { throw .outside }
                continue
            }
            if part.count > 255 { throw .partTooLong }
            parts.append(part)
        }
        let path = parts.joined(separator: CollectionOfOne(UInt8(ascii: "/")))
        return (bytes[0] == UInt8(ascii: "/") ? "/" : "") + String(decoding: Array(path), as: UTF8.self)
    }

    /// Whether there is nothing to resolve and nothing to refuse, as in most paths.
    private static func isNormal(_ bytes: [UInt8]) -> Bool {
        var length = 0
        for (index, byte) in bytes.enumerated() {
            if byte != UInt8(ascii: "/") {
                // A part that begins with a dot is looked at closely.
                if length == 0, byte == UInt8(ascii: ".") { return false }
                length += 1
                if length > 255 { return false }
            } else {
                if length == 0, index > 0 { return false }
                length = 0
            }
        }
        return length > 0
    }

    /// Whether UTF-8 text holds a control character: C0, DEL or C1.
    static func hasControl(_ bytes: [UInt8]) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || last == 0xC2 && byte < 0xA0 { return true }
            last = byte
        }
        return false
    }
}
