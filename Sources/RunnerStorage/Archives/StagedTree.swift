internal import CLinux
internal import Glibc
internal import RunnerJob

/// A folder that is being filled beside the place where it will lie.
///
/// Dropping it without a word closes it and leaves it on the disk.
final class StagedTree {
    let path: TargetPath
    /// Its own name in ``parent``.
    let name: [UInt8]
    let parent: Folder
    /// Open on it.
    let descriptor: Int32
    /// The mode that it gets when it is put in place.
    private let mode: mode_t
    /// The name of what is taken away, where the two cannot change places.
    private let aside: [UInt8]

    init(path: TargetPath, name: [UInt8], aside: [UInt8], parent: Folder) throws(StorageError) {
        self.path = path
        self.name = name
        self.aside = aside
        self.parent = parent
        // What a killed run has left.
        for litter in [name, aside] {
            do throws(SystemError) {
                try TreeRemoval.remove(litter, in: parent.descriptor)
            } catch {
                throw .failed(.remove, path: path.text, errno: error.code)
            }
        }
        do throws(SystemError) {
            try RawName.makeFolder(name, in: parent.descriptor, mode: 0o777)
            descriptor = try RawName.open(name, in: parent.descriptor, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw error.code == ENOSPC
                ? .noSpace(path: path.text, missing: nil, free: nil)
                : .failed(.makeFolder, path: path.text, errno: error.code)
        }
        var status = stat()
        fstat(descriptor, &status)
        // 0777 under the umask; until it is in place nobody else has a business in it.
        mode = status.st_mode & 0o777
        fchmod(descriptor, 0o700)
    }

    deinit {
        close(descriptor)
    }

    /// Removes it with all that lies in it.
    func discard() {
        // What stays is removed by the next run.
        try? TreeRemoval.remove(name, in: parent.descriptor)
    }

    /// Puts it where nothing lies, or an empty folder.
    func place() throws(StorageError) {
        try checkStillOurs()
        fchmod(descriptor, mode)
        try attempt(.rename) { () throws(SystemError) in
            try RawName.rename(name, in: parent.descriptor, to: path.name.utf8, in: parent.descriptor)
        }
    }

    /// Puts it in place of a folder, which goes with all that lies in it.
    func replace() throws(StorageError) {
        try checkStillOurs()
        fchmod(descriptor, mode)
        do throws(SystemError) {
            _ = try repeating {
                RawName.with(name) { name in
                    RawName.with(path.name.utf8) {
                        runner_renameat2(parent.descriptor, name, $0, UInt32(runner_rename_exchange))
                    }
                }
            }
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS || error.code == EOPNOTSUPP else {
                throw .failed(.rename, path: path.text, errno: error.code)
            }
            // A file system without that: for a moment there is no folder, and a kill then costs unpacking once more.
            try attempt(.rename) { () throws(SystemError) in
                try RawName.rename(path.name.utf8, in: parent.descriptor, to: aside, in: parent.descriptor)
                try RawName.rename(name, in: parent.descriptor, to: path.name.utf8, in: parent.descriptor)
            }
        }
        try attempt(.remove) { () throws(SystemError) in
            try TreeRemoval.remove(name, in: parent.descriptor)
            try TreeRemoval.remove(aside, in: parent.descriptor)
        }
    }

    /// A run with another state folder knows nothing of this one, and begins a folder of its own under the same name.
    private func checkStillOurs() throws(StorageError) {
        var status = stat()
        // What was removed and is open still has no link.
        guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
        throw .partReplaced(path: path.text)
    }

    private func attempt(
        _ operation: StorageError.Operation, _ body: () throws(SystemError) -> Void
    ) throws(StorageError) {
        do throws(SystemError) {
            try body()
        } catch {
            throw .failed(operation, path: path.text, errno: error.code)
        }
    }
}

extension JobDirectory {
    /// Makes an empty folder beside the place of another, and removes what a killed run left of such a one.
    func stageTree(for path: TargetPath, identity: String) throws(StorageError) -> StagedTree {
        let name = Array(try PartName.of(path.name, identity: identity).utf8)
        let aside = Array(try PartName.of(path.name + ".old", identity: identity).utf8)
        let parent = try parentFolder(of: path)
        do {
            return try StagedTree(path: path, name: name, aside: aside, parent: parent)
        } catch {
            guard case .failed(.makeFolder, _, ENOENT) = error else { throw error }
            // The folder was open, but is no longer there.
            forgetFolders()
            return try StagedTree(path: path, name: name, aside: aside, parent: parentFolder(of: path))
        }
    }
}
