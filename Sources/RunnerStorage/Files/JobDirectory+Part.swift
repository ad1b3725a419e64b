internal import CLinux
internal import Glibc
package import RunnerJob
internal import RunnerPlan

extension JobDirectory {
    /// Opens the part file of a destination; missing parent folders are made (0777 under the umask).
    ///
    /// - Parameters:
    ///   - identity: what tells this job from any other; see ``PartName``.
    ///   - keeping: bytes of an earlier part file that are wanted. What lies beyond them is cut off, and the part
    ///     file may hold fewer: see ``PartFile/length``. 0 starts with an empty, new file.
    ///   - total: bytes that a new file will have, where that is known; a small one gets no name before it is whole.
    /// - Throws: when the way is barred, or the disk refuses.
    package func openPart(
        for path: TargetPath, identity: String, keeping: Int64 = 0, total: Int64? = nil
    ) throws(StorageError) -> PartFile {
        let name = try PartName.of(path.name, identity: identity)
        let folder = try parentFolder(of: path)
        do {
            return try openPart(name, for: path, in: folder, keeping: keeping, total: total)
        } catch {
            guard case .failed(.create, _, ENOENT) = error else { throw error }
            // The folder was open, but is no longer there.
            forgetFolders()
            return try openPart(name, for: path, in: parentFolder(of: path), keeping: keeping, total: total)
        }
    }

    /// The file system that a destination is on, or would be; nil when that cannot be told.
    package func device(of path: TargetPath) -> UInt64? {
        guard let nearest = try? nearestFolder(of: path) else { return nil }
        return (try? files.status(of: nearest.folder.descriptor))?.device
    }

    /// Bytes that lie in a destination's part file; nil when there is none that could be gone on with.
    package func partLength(of path: TargetPath, identity: String) throws(StorageError) -> Int64? {
        let name = try PartName.of(path.name, identity: identity)
        let nearest = try nearestFolder(of: path)
        guard nearest.isParent else { return nil }
        do throws(SystemError) {
            let status = try files.status(of: name, in: nearest.folder.descriptor)
            return Self.isOwn(status) ? status.size : nil
        } catch {
            return nil
        }
    }

    private func openPart(
        _ name: String, for path: TargetPath, in folder: Folder, keeping: Int64, total: Int64?
    ) throws(StorageError) -> PartFile {
        let state: PartFile.State
        if keeping > 0, let kept = try reopen(name, for: path, in: folder, keeping: keeping) {
            state = .open(kept)
        } else if keeping == 0, let total, total <= PartFile.largestNameless, let file = createNameless(in: folder) {
            state = .nameless(PartFile.Content(descriptor: file, length: 0))
        } else {
            state = .open(PartFile.Content(descriptor: try create(name, for: path, in: folder), length: 0))
        }
        return PartFile(path: path, name: name, folder: folder, files: files, state: state)
    }

    /// Makes a file that has no name; nil where that cannot be done, for whatever reason: it is made with one then.
    private func createNameless(in folder: Folder) -> Int32? {
        try? open(".", in: folder.descriptor, flags: O_RDWR | O_DIRECTORY | Int32(runner_open_nameless), mode: 0o666)
    }

    /// Whether a part file may be written to: under another name it may be somebody's snapshot, made by hard links.
    private static func isOwn(_ status: FileStatus) -> Bool {
        status.kind == .file && status.links == 1
    }

    /// Makes a new file, never a link's target or a file with other names: what is in the way is removed first.
    private func create(_ name: String, for path: TargetPath, in folder: Folder) throws(StorageError) -> Int32 {
        do {
            return try createNew(name, in: folder)
        } catch {
            throw .full(error.code, path: path.text) ?? .failed(.create, path: path.text, errno: error.code)
        }
    }

    private func createNew(_ name: String, in folder: Folder) throws(SystemError) -> Int32 {
        folder.notePart(name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        do {
            return try open(name, in: folder.descriptor, flags: flags, mode: 0o666)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
        try files.unlink(name, in: folder.descriptor)
        return try open(name, in: folder.descriptor, flags: flags, mode: 0o666)
    }

    /// Opens an earlier part file; nil when there is none that can be gone on with.
    private func reopen(
        _ name: String, for path: TargetPath, in folder: Folder, keeping: Int64
    ) throws(StorageError) -> PartFile.Content? {
        let descriptor: Int32
        do {
            descriptor = try open(name, in: folder.descriptor, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            switch error.code {
            case ENOENT, ELOOP, ENXIO, EACCES: return nil
            default: throw .failed(.open, path: path.text, errno: error.code)
            }
        }
        do {
            let status = try files.status(of: descriptor)
            guard Self.isOwn(status) else {
                try? files.close(descriptor)
                return nil
            }
            if status.size > keeping { try files.truncate(descriptor, to: keeping) }
            return PartFile.Content(descriptor: descriptor, length: min(status.size, keeping))
        } catch {
            try? files.close(descriptor)
            throw .failed(.open, path: path.text, errno: error.code)
        }
    }
}
