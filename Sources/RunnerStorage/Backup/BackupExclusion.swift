internal import Glibc
package import RunnerJob

/// Marks files as not worth a backup (job-file reference, `backup: exclude`).
///
/// The attribute "no dump" of chattr(1) is for a single file; where the file system has none, a folder is tagged as a
/// cache (https://bford.info/cachedir/), which takes along all that lies in it.
package enum BackupExclusion {
    package static let tagName = "CACHEDIR.TAG"
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"
    static let tag = """
        \(signature)
        # This file is a cache directory tag created by runner.
        # For information about cache directory tags, see https://bford.info/cachedir/

        """

    /// How something was marked.
    package enum Outcome: Hashable, Sendable {
        case attribute, tag
        /// The file system has no such attribute, and the folder holds other things.
        case notPossible
    }

    /// Tags the folder that a file lies in, unless it holds anything else.
    ///
    /// - Parameter isOurs: whether a name in the folder may be left out of backups; asked for folders too.
    package static func tagFolder(
        of path: TargetPath, in directory: JobDirectory, isOurs: (String) -> Bool
    ) -> Outcome {
        guard let folder = try? directory.openReadable(folderOf: path) else { return .notPossible }
        return tag(folder, isOurs: isOurs) ? .tag : .notPossible
    }

    /// Writes the tag; true when it is there.
    static func tag(_ folder: Folder, isOurs: (String) -> Bool) -> Bool {
        guard FolderNames.of(folder.descriptor).allSatisfy({ $0 == tagName || isOurs($0) }) else { return false }
        let file = openat(folder.descriptor, tagName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { return errno == EEXIST && isTagged(folder) }
        let bytes = Array(tag.utf8)
        let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if close(file) == 0, written == bytes.count { return true }
        unlinkat(folder.descriptor, tagName, 0)
        return false
    }

    /// A file of that name counts only with the signature at its head.
    private static func isTagged(_ folder: Folder) -> Bool {
        let file = openat(folder.descriptor, tagName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: signature.utf8.count)
        return read(file, &head, head.count) == head.count && head.elementsEqual(signature.utf8)
    }
}

extension PartFile {
    /// Sets the attribute "no dump"; it stays when the file is published.
    ///
    /// - Returns: false where the file system has none, so that the folder is to be tagged after publishing.
    /// - Throws: when the part file is closed already.
    package func excludeFromBackup() throws(StorageError) -> Bool {
        try withContent { content throws(StorageError) in
            do throws(SystemError) {
                try files.excludeFromDumps(content.descriptor)
                return true
            } catch {
                return false
            }
        }
    }
}

extension StateFolder {
    /// Marks the folder as not worth a backup: all in it can be found anew, at the cost of time.
    ///
    /// A folder that holds anything else, as one of `--state` may, is left as it is.
    @discardableResult
    package func excludeFromBackup() -> BackupExclusion.Outcome {
        let files = SystemFiles()
        guard let descriptor = try? files.open(path, in: AT_FDCWD, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        else { return .notPossible }
        let folder = Folder(descriptor, files: files)
        guard FolderNames.of(descriptor).allSatisfy({ $0 == BackupExclusion.tagName || Self.isOurs($0) }) else {
            return .notPossible
        }
        if (try? files.excludeFromDumps(descriptor)) != nil { return .attribute }
        return BackupExclusion.tag(folder, isOurs: Self.isOurs) ? .tag : .notPossible
    }

    private static func isOurs(_ name: String) -> Bool {
        ["leases", "parts", "lists", "reports"].contains(name) || name.hasPrefix(LedgerFile.name)
    }
}
