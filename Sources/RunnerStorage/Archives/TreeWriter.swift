internal import Glibc
internal import LibArchive

/// Makes files, folders and links below one folder that nobody else writes to.
///
/// Names are paths that ``EntryName`` has found safe. No link is made before all files are, so that no file can be
/// written through one. Belongs to one thread.
final class TreeWriter {
    /// What lies at a path below the folder.
    enum Node: Equatable {
        case file
        case folder
        /// With its text; made last.
        case link([UInt8])
    }

    struct FolderDetails {
        var mode: UInt16?
        var modified: ArchiveEntry.Time?
    }

    private(set) var nodes: [[UInt8]: Node] = [:]
    private var details: [[UInt8]: FolderDetails] = [:]
    private let root: Int32
    /// Folders used last.
    private var open: [[UInt8]: (descriptor: Int32, lastUse: Int)] = [:]
    private var uses = 0
    private static let openFolders = 8

    /// - Parameter root: stays open for as long as this does; the caller closes it.
    init(root: Int32) {
        self.root = root
    }

    deinit {
        for (descriptor, _) in open.values { close(descriptor) }
    }

    // MARK: - Making

    /// Makes a file and hands its descriptor to `fill`.
    func makeFile(
        _ path: [UInt8], mode: UInt16, modified: ArchiveEntry.Time?, fill: (Int32) throws(ExtractionError) -> Void
    ) throws(ExtractionError) {
        let (parent, name) = Self.split(path)
        let folder = try folder(parent, for: path)
        switch nodes.updateValue(.file, forKey: path) {
        case .folder: throw .unsafe(.clashes(other: EntryName.text(path)), entry: EntryName.text(path))
        // The later one counts, as it does for tar.
        case .file:
            try attempt(.remove, path) { () throws(SystemError) in
                try RawName.remove(name, in: folder, isFolder: false)
            }
        case .link, nil: break
        }
        let descriptor = try create(name, in: folder, path, mode: mode)
        do throws(ExtractionError) {
            try fill(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        if let modified { Self.setTime(modified) { futimens(descriptor, $0) } }
        // A network file system tells only here that bytes were lost (close(2)).
        try attempt(.close, path) { () throws(SystemError) in
            guard close(descriptor) == 0 || errno == EINTR else { throw SystemError(errno) }
        }
    }

    private func create(
        _ name: ArraySlice<UInt8>, in folder: Int32, _ path: [UInt8], mode: UInt16
    ) throws(ExtractionError) -> Int32 {
        do throws(SystemError) {
            // The mode is taken under the umask (open(2)); set-user-ID and the like are not taken.
            return try RawName.open(
                name, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: UInt32(mode & 0o777))
        } catch {
            throw failure(error, .create, path)
        }
    }

    func makeFolder(_ path: [UInt8], mode: UInt16, modified: ArchiveEntry.Time?) throws(ExtractionError) {
        switch nodes[path] {
        case .folder: break
        case .file, .link: throw .unsafe(.clashes(other: EntryName.text(path)), entry: EntryName.text(path))
        case nil: try makeFolder(path, for: path)
        }
        details[path] = FolderDetails(mode: mode, modified: modified)
    }

    /// Notes a link that is made when all files are.
    func addLink(_ path: [UInt8], to target: [UInt8]) throws(ExtractionError) {
        let (parent, name) = Self.split(path)
        let folder = try folder(parent, for: path)
        switch nodes.updateValue(.link(target), forKey: path) {
        case .folder: throw .unsafe(.clashes(other: EntryName.text(path)), entry: EntryName.text(path))
        case .file:
            try attempt(.remove, path) { () throws(SystemError) in
                try RawName.remove(name, in: folder, isFolder: false)
            }
        case .link, nil: break
        }
    }

    /// Makes another name for a file that is there.
    func makeHardLink(_ path: [UInt8], to target: [UInt8]) throws(ExtractionError) {
        if case .link(let text) = nodes[target] {
            // GNU tar writes so what was another name of a symbolic link; both lead by the same text.
            if path != target { try addLink(path, to: text) }
            return
        }
        guard nodes[target] == .file else {
            throw .unsafe(.linkToNothing(target: EntryName.text(target)), entry: EntryName.text(path))
        }
        // GNU tar writes a file that it was given twice as another name of itself.
        guard path != target else { return }
        let (parent, name) = Self.split(path), (otherParent, otherName) = Self.split(target)
        let folder = try folder(parent, for: path)
        switch nodes.updateValue(.file, forKey: path) {
        case .folder: throw .unsafe(.clashes(other: EntryName.text(path)), entry: EntryName.text(path))
        case .file:
            try attempt(.remove, path) { () throws(SystemError) in
                try RawName.remove(name, in: folder, isFolder: false)
            }
        case .link, nil: break
        }
        let otherFolder = try self.folder(otherParent, for: path)
        try attempt(.create, path) { () throws(SystemError) in
            _ = try repeating {
                RawName.with(otherName) { other in RawName.with(name) { linkat(otherFolder, other, folder, $0, 0) } }
            }
        }
    }

    /// Opens a file that is there to fill it anew.
    func reopen(_ path: [UInt8], fill: (Int32) throws(ExtractionError) -> Void) throws(ExtractionError) {
        let (parent, name) = Self.split(path)
        let folder = try folder(parent, for: path)
        var descriptor: Int32 = -1
        try attempt(.open, path) { () throws(SystemError) in
            descriptor = try RawName.open(name, in: folder, flags: O_WRONLY | O_TRUNC | O_NOFOLLOW)
        }
        defer { close(descriptor) }
        try fill(descriptor)
    }

    /// Makes the links, then sets modes and times of the folders.
    func finish() throws(ExtractionError) {
        let links = nodes.compactMap { path, node in if case .link(let target) = node { (path, target) } else { nil } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (path, target) in links {
            try LinkCheck(nodes: nodes).check(path, target: target)
            let (parent, name) = Self.split(path)
            let folder = try folder(parent, for: path)
            try attempt(.create, path) { () throws(SystemError) in
                _ = try repeating {
                    RawName.with(target) { target in RawName.with(name) { symlinkat(target, folder, $0) } }
                }
            }
        }
        // What lies deeper first, so that nothing changes a folder's time after it was set.
        for (path, details) in details.sorted(by: { $1.key.lexicographicallyPrecedes($0.key) }) {
            let (parent, name) = Self.split(path)
            let folder = try folder(parent, for: path)
            if let mode = details.mode { try setMode(mode, name, in: folder, path) }
            if let time = details.modified {
                Self.setTime(time) { times in RawName.with(name) { utimensat(folder, $0, times, AT_SYMLINK_NOFOLLOW) } }
            }
        }
    }

    /// A folder keeps all rights of its owner, so that its tree can be used and removed.
    private func setMode(
        _ mode: UInt16, _ name: ArraySlice<UInt8>, in folder: Int32, _ path: [UInt8]
    ) throws(ExtractionError) {
        try attempt(.setMode, path) { () throws(SystemError) in
            // It was made with 0777 under the umask, which cannot be asked for without being changed (umask(2)).
            let allowed = UInt16(truncatingIfNeeded: try RawName.status(of: name, in: folder).st_mode) & 0o777
            let wanted = (mode | 0o700) & allowed
            if wanted == allowed { return }
            _ = try repeating { RawName.with(name) { fchmodat(folder, $0, mode_t(wanted), 0) } }
        }
    }

    // MARK: - Folders

    /// The open folder of a path, made where it is missing.
    private func folder(_ path: ArraySlice<UInt8>, for entry: [UInt8]) throws(ExtractionError) -> Int32 {
        if path.isEmpty { return root }
        let path = Array(path)
        uses += 1
        if let found = open[path] {
            open[path]?.lastUse = uses
            return found.descriptor
        }
        switch nodes[path] {
        case .folder: break
        case .file, .link: throw .unsafe(.clashes(other: EntryName.text(path)), entry: EntryName.text(entry))
        case nil: try makeFolder(path, for: entry)
        }
        let (parent, name) = Self.split(path)
        let above = try folder(parent, for: entry)
        var descriptor: Int32 = -1
        try attempt(.open, entry) { () throws(SystemError) in
            descriptor = try RawName.open(name, in: above, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        remember(descriptor, path)
        return descriptor
    }

    private func makeFolder(_ path: [UInt8], for entry: [UInt8]) throws(ExtractionError) {
        let (parent, name) = Self.split(path)
        let above = try folder(parent, for: entry)
        do throws(SystemError) {
            try RawName.makeFolder(name, in: above, mode: 0o777)
        } catch {
            throw failure(error, .makeFolder, path)
        }
        nodes[path] = .folder
    }

    private func remember(_ descriptor: Int32, _ path: [UInt8]) {
        if open.count >= Self.openFolders, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            close(oldest.value.descriptor)
            open[oldest.key] = nil
        }
        open[path] = (descriptor, uses)
    }

    // MARK: - The parts of it

    static func split(_ path: [UInt8]) -> (parent: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
        guard let slash = path.lastIndex(of: EntryName.slash) else { return ([], path[...]) }
        return (path[..<slash], path[(slash + 1)...])
    }

    private static func setTime(_ time: ArchiveEntry.Time, _ body: (UnsafePointer<timespec>) -> Int32) {
        // UTIME_OMIT of utimensat(2), a macro that Swift cannot read.
        let leave = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        let nanoseconds = min(max(0, time.nanoseconds), 999_999_999)
        // A time that the file system cannot hold is no reason to do without the file.
        _ = [leave, timespec(tv_sec: Int(time.seconds), tv_nsec: Int(nanoseconds))].withUnsafeBufferPointer { times in
            times.baseAddress.map(body)
        }
    }

    private func attempt(
        _ operation: StorageError.Operation, _ path: [UInt8], _ body: () throws(SystemError) -> Void
    ) throws(ExtractionError) {
        do throws(SystemError) {
            try body()
        } catch {
            throw failure(error, operation, path)
        }
    }

    func failure(_ error: SystemError, _ operation: StorageError.Operation, _ path: [UInt8]) -> ExtractionError {
        switch error.code {
        // Nothing lies there that this has made: the file system takes two names for one.
        case EEXIST: .unsafe(.sameName, entry: EntryName.text(path))
        case ENOSPC, EDQUOT: .storage(.noSpace(path: EntryName.text(path), missing: nil, free: free()))
        default: .storage(.failed(operation, path: EntryName.text(path), errno: error.code))
        }
    }

    private func free() -> Int64? {
        (try? SystemFiles().freeSpace(at: root)) ?? nil
    }
}
