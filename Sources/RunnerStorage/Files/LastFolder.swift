internal import RunnerJob
internal import Synchronization

/// The folder that was asked for last, and what is known not to be in it: the tasks of a job most often write many
/// files into one, which is new or nearly empty.
///
/// It holds for one look at the disk, during which nobody makes the folder or puts anything there.
final class LastFolder: Sendable {
    /// The path of a folder, and what was found there.
    private enum Knowledge {
        case nothing
        case missing(ExactText)
        /// Is there, and has not held so many names that were looked for.
        case found(ExactText, misses: Int)
        case listed(ExactText, FolderContent)
        /// Cannot be listed, or holds too much.
        case unlisted(ExactText)

        var path: ExactText? {
            switch self {
            case .nothing: nil
            case .missing(let path), .found(let path, _), .listed(let path, _), .unlisted(let path): path
            }
        }
    }

    private let knowledge = Mutex(Knowledge.nothing)

    /// Whether nothing can lie at a path; false where the disk has to be asked.
    func lacks(_ path: TargetPath) -> Bool {
        knowledge.withLock { knowledge in
            switch knowledge {
            case .missing(let folder): folder == path.folder
            case .listed(let folder, let content): !content.mayHold(path.name) && folder == path.folder
            case .nothing, .found, .unlisted: false
            }
        }
    }

    /// Notes that the disk was asked for a path and has nothing there.
    func note(_ path: TargetPath, in directory: JobDirectory) {
        knowledge.withLock { knowledge in
            let folder = path.folder
            guard knowledge.path == folder else {
                knowledge = directory.hasFolder(of: path) ? .found(folder, misses: 1) : .missing(folder)
                return
            }
            guard case .found(_, let misses) = knowledge else { return }
            guard misses == Folder.questionsBeforeList else {
                knowledge = .found(folder, misses: misses + 1)
                return
            }
            let content = directory.names(besides: path, atMost: Folder.mostNames).flatMap { FolderContent($0) }
            knowledge = content.map { .listed(folder, $0) } ?? .unlisted(folder)
        }
    }
}

/// The names in a folder, as far as they tell which names are not there.
///
/// File systems may take different names for one: letters in either case, other forms of letters beyond ASCII, the short
/// names of FAT, and names that differ in dots or blanks at their ends. Nothing is said of such names.
struct FolderContent {
    /// In small letters.
    private let names: Set<String>

    /// nil where a name has letters beyond ASCII, which may be another form of any.
    init?(_ names: [String]) {
        guard names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether a file of that name may be there; false only where none is.
    func mayHold(_ name: String) -> Bool {
        guard Self.isPlain(name) else { return true }
        return names.contains(name.lowercased())
    }

    private static func isPlain(_ name: String) -> Bool {
        name.utf8.last != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "~") && byte != UInt8(ascii: ":")
            }
    }
}
