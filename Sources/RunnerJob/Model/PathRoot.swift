/// Where the relative paths of tasks start.
struct PathRoot: Sendable {
    /// Absolute path of the job's directory.
    let directory: String
    /// Folder of a group: relative to the job's directory, or absolute; empty for that directory itself.
    var folder = ""

    /// A path as a task of the group writes it, as seen from the job's directory.
    func joined(_ path: String) -> String {
        let isPlain = folder.isEmpty || path.isEmpty || path.utf8.first == UInt8(ascii: "/")
        // A leading `~` is refused, so that it has to stay in front.
        return isPlain || path.utf8.first == UInt8(ascii: "~") ? path : folder + "/" + path
    }
}
