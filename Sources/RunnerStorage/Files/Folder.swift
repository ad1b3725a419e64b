internal import Synchronization

/// An open folder; it is closed with the last reference.
///
/// It is open by O_PATH: names below it can be reached, which needs no permission to list it.
final class Folder: Sendable {
    let descriptor: Int32
    private let files: any FileOperations
    private let parts = Mutex(Parts.unknown(questions: 0))

    /// The parts that lie in the folder.
    private enum Parts {
        /// Has been asked for so many times without an answer.
        case unknown(questions: Int)
        case listed(Set<String>)
        /// There are too many names to list them, or they cannot be.
        case unlisted
    }

    /// Questions after which the folder is listed: a file system looks for a name through a part of the folder each time.
    static let questionsBeforeList = 16
    /// The most names that are listed; more take longer than the questions that it saves.
    static let mostNames = 1024

    /// Takes over the descriptor.
    init(_ descriptor: Int32, files: any FileOperations) {
        self.descriptor = descriptor
        self.files = files
    }

    deinit {
        // Nothing was written through it, so that nothing can be lost.
        try? files.close(descriptor)
    }

    /// Notes that a part is about to get that name.
    func notePart(_ name: String) {
        parts.withLock { parts in
            guard case .listed(var names) = parts else { return }
            names.insert(name)
            parts = .listed(names)
        }
    }

    /// Whether a part of that name may lie there; false only where none does.
    func mayHoldPart(_ name: String) -> Bool {
        parts.withLock { parts in
            switch parts {
            case .unlisted: return true
            case .listed(let names): return names.contains(name)
            case .unknown(Self.questionsBeforeList):
                guard let names = FolderNames.first(Self.mostNames, of: descriptor) else {
                    parts = .unlisted
                    return true
                }
                let found = Set(names.filter { $0.hasSuffix(".part") })
                parts = .listed(found)
                return found.contains(name)
            case .unknown(let questions):
                parts = .unknown(questions: questions + 1)
                return true
            }
        }
    }
}
