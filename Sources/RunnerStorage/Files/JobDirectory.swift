internal import CLinux
internal import Glibc
public import RunnerJob
public import RunnerPlan
internal import Synchronization

/// The folder that a job's relative paths start from, and the way to every file of the job.
///
/// Below it no symbolic link is followed; the directory itself may be one, and so may any part of a path that the
/// job wrote as an absolute one. Nothing is created before the first part file is opened.
public final class JobDirectory: Sendable {
    /// Absolute, as the job has it.
    package let root: String
    let files: any FileOperations
    private let folders = Mutex(FolderCache())

    package init(root: String, files: any FileOperations) {
        self.root = root
        self.files = files
    }

    /// The folder at an absolute path; it need not be there yet.
    public convenience init(root: String) {
        self.init(root: root, files: SystemFiles())
    }

    /// Looks at a destination before its transfer: what lies there now, nil when nothing does.
    ///
    /// - Throws: when a file could not be published there: a folder or a device is in the way, a parent is a file or
    ///   a link, or the folder may not be written.
    @discardableResult
    package func checkDestination(_ path: TargetPath) throws(StorageError) -> FileState? {
        let nearest = try nearestFolder(of: path)
        do {
            try files.checkWritable(nearest.folder.descriptor)
        } catch {
            throw .failed(.create, path: path.text, errno: error.code)
        }
        guard nearest.isParent, let status = try status(of: path, in: nearest.folder) else { return nil }
        switch status.kind {
        case .file, .link: return status.state
        case .folder: throw .destinationIsFolder(path: path.text)
        case .other: throw .destinationIsSpecial(path: path.text)
        }
    }

    /// Bytes free for a file at `path`; nil when the file system does not tell.
    package func freeSpace(at path: TargetPath) throws(StorageError) -> Int64? {
        let nearest = try nearestFolder(of: path)
        do {
            return try files.freeSpace(at: nearest.folder.descriptor)
        } catch {
            throw .failed(.measureSpace, path: path.text, errno: error.code)
        }
    }

    /// Checks that a file system has room for `bytes` more bytes at `path`.
    ///
    /// - Throws: ``StorageError/noSpace(path:missing:free:)`` when it has not.
    package func checkSpace(for path: TargetPath, bytes: Int64) throws(StorageError) {
        guard let free = try freeSpace(at: path), bytes > free else { return }
        throw .noSpace(path: path.text, missing: bytes - free, free: free)
    }

    /// What lies at `path` in its open folder; nil when nothing does.
    ///
    /// A link that leads to a device or a pipe counts as one: it is the system's, such as `/dev/stdout`, and whoever
    /// names it wants what it leads to.
    func status(of path: TargetPath, in folder: Folder) throws(StorageError) -> FileStatus? {
        do {
            var status = try files.status(of: path.name, in: folder.descriptor)
            if status.kind == .link, leadsToSpecial(path.name, in: folder) { status.kind = .other }
            return status
        } catch {
            if error.code == ENOENT { return nil }
            throw .failed(.inspect, path: path.text, errno: error.code)
        }
    }

    private func leadsToSpecial(_ link: String, in folder: Folder) -> Bool {
        guard let target = try? files.target(ofLink: link, in: folder.descriptor) else { return false }
        // A descriptor of the process, which may be a file at the moment (proc(5)).
        if target.hasPrefix("/proc/") { return true }
        return (try? files.followedStatus(of: link, in: folder.descriptor))?.kind == .other
    }

    /// Opens a name, and once more after the cached folders were closed when the process is out of descriptors.
    func open(_ name: String, in folder: Int32, flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
        do {
            return try files.open(name, in: folder, flags: flags | O_CLOEXEC, mode: mode)
        } catch {
            guard error.code == EMFILE || error.code == ENFILE else { throw error }
            forgetFolders()
            return try files.open(name, in: folder, flags: flags | O_CLOEXEC, mode: mode)
        }
    }

    func openFolder(_ name: String, in folder: Int32, flags: Int32 = 0) throws(SystemError) -> Folder {
        Folder(try open(name, in: folder, flags: Int32(runner_open_path) | O_DIRECTORY | flags), files: files)
    }

    func cachedFolder(at path: ExactText) -> Folder? {
        folders.withLock { $0.folder(at: path) }
    }

    func remember(_ folder: Folder, at path: ExactText) {
        folders.withLock { $0.insert(folder, at: path) }
    }

    /// Closes all folders that are open only to save time.
    package func forgetFolders() {
        folders.withLock { $0.removeAll() }
    }
}

extension JobDirectory: DiskView {
    /// What lies at a path; nil when nothing does, or when the way there is barred.
    public func state(of path: TargetPath) -> FileState? {
        guard let nearest = try? nearestFolder(of: path), nearest.isParent else { return nil }
        return (try? status(of: path, in: nearest.folder))?.state
    }

    /// Whether the folder is there that a path lies in.
    func hasFolder(of path: TargetPath) -> Bool { (try? nearestFolder(of: path))?.isParent ?? false }

    /// Whether the permission bits let others than the owner read the file at an absolute path.
    public func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Bytes free below the folder, or below the nearest one that is there; nil when that cannot be told.
    public func freeSpace() -> Int64? {
        guard let folder = try? nearestFolder(absolute: root, for: root).folder else { return nil }
        return (try? files.freeSpace(at: folder.descriptor)) ?? nil
    }
}
