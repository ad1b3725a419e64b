internal import Glibc
internal import RunnerJob
internal import RunnerPlan
internal import RunnerStorage

/// Where a path leads once links are followed, so that two spellings of one file are seen to be one.
struct FilePlace {
    /// Absolute, with no link, `.` or `..` in it; parts of which nothing is there yet are taken as written.
    let path: ExactText
    /// The file that is there; nil for none, and for what loses nothing by being written to: a device, a pipe.
    private let file: FileStatus?

    /// - Parameter path: absolute.
    init(_ path: String) {
        self.init(resolved: Self.resolved(path, links: Self.mostLinks))
    }

    private init(resolved path: String) {
        self.path = ExactText(path)
        let status = try? SystemFiles().status(of: path, in: AT_FDCWD)
        file = status.flatMap { $0.kind == .file ? $0 : nil }
    }

    /// The places of a path: where it leads to, and, for a link, that of the link.
    ///
    /// - Parameter path: absolute.
    static func all(of path: String) -> [FilePlace] {
        let (folder, name) = split(path)
        let (file, link) = (FilePlace(path), FilePlace(folder).appending(name))
        return file.path == link.path || ["", ".", ".."].contains(name) ? [file] : [file, link]
    }

    /// The place of a name in this folder, where a link of that name would be replaced, not followed.
    func appending(_ name: String) -> FilePlace {
        FilePlace(resolved: Self.joined(path.text, name))
    }

    /// The bytes of the last part of the path.
    var name: [UInt8] { Array(Self.split(path.text).name.utf8) }

    /// Whether a file is there.
    var isFile: Bool { file != nil }

    /// Whether the file that is there has names in other places, too (link(2)).
    var hasFurtherNames: Bool { file.map { $0.links > 1 } ?? false }

    func isSame(as other: FilePlace) -> Bool {
        if path == other.path { return true }
        guard let file, let otherFile = other.file else { return false }
        return file.isSameFile(as: otherFile)
    }

    /// Whether it lies somewhere below a folder, or is that folder.
    func isInside(_ folder: FilePlace) -> Bool {
        path == folder.path || path.text.utf8.starts(with: Self.joined(folder.path.text, "").utf8)
    }

    /// Links after which Linux gives a path up (path_resolution(7)).
    private static let mostLinks = 40

    /// What realpath(3) would answer were every part there: it gives up at the first that is not.
    private static func resolved(_ path: String, links: Int) -> String {
        let files = SystemFiles()
        if let real = try? files.resolved(path) { return real }
        let (folder, name) = split(path)
        guard folder != path, links > 0 else { return path }
        if let target = try? files.target(ofLink: path, in: AT_FDCWD) {
            let isAbsolute = target.utf8.first == UInt8(ascii: "/")
            return resolved(isAbsolute ? target : joined(folder, target), links: links - 1)
        }
        let above = resolved(folder, links: links)
        switch name {
        case "", ".": return above
        case "..": return split(above).folder
        default: return joined(above, name)
        }
    }

    /// The folder of an absolute path, and the last part, empty after a final slash.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(ofASCII: UInt8(ascii: "/")) else { return (path, "") }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    private static func joined(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : folder + "/" + name
    }
}
