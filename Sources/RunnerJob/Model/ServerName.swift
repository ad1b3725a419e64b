/// A destination whose last part the server gives: known once the head of a reply is there.
public struct ServerName: Hashable, Sendable {
    /// A piece of the last part of the path.
    public enum Piece: Hashable, Sendable {
        case text(String)
        /// The name as the server gives it, what of it stands before its suffix, and the suffix with its dot.
        case name, stem, suffix
    }

    /// Normalised, relative to the job's directory or absolute; empty for that directory.
    public var folder: String
    public var pieces: [Piece]
    /// A path in the folder that no file ever gets; what is under way is kept under it.
    public let standIn: TargetPath
    /// Where an earlier run put the file.
    public var known: TargetPath?

    /// - Parameter task: what tells the task from others, the same from run to run.
    init(folder: String, pieces: [Piece], task: String) throws(PathFault) {
        self.folder = folder
        self.pieces = pieces
        var hash = Fingerprint()
        hash.add(task)
        standIn = try TargetPath(folder: folder.isEmpty ? "." : folder, name: "download-\(hash.digits)")
    }

    /// The path of a file that the server gives this name.
    ///
    /// - Throws: ``PathFault``, when the pieces make no name of a file.
    public func path(named name: String) throws(PathFault) -> TargetPath {
        let (stem, suffix) = FileName.split(name)
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let part): text += part
            case .name: text += name
            case .stem: text += stem
            case .suffix: text += suffix
            }
        }
        return try TargetPath(folder: folder.isEmpty ? "." : folder, name: FileName.cut(text))
    }

    /// Whether a path lies in the folder that files of this name go to.
    public func mayBe(_ path: TargetPath) -> Bool {
        let parent = path.text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path.text[..<$0]) } ?? ""
        return ExactText(parent) == ExactText(folder)
    }
}
