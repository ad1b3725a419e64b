internal import Glibc
internal import RunnerJob

/// The names in an open folder.
enum FolderNames {
    /// All but `.` and `..`, in no order; none when it cannot be read.
    static func of(_ folder: Int32) -> [String] { first(.max, of: folder) ?? [] }

    /// The names if there are no more than so many; nil if there are, or if the folder cannot be read.
    static func first(_ most: Int, of folder: Int32) -> [String]? {
        // fdopendir(3) takes the descriptor over, so that it gets one of its own; "." because a duplicate would share
        // the position.
        let own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            if own >= 0 { close(own) }
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // d_name is a C array that ends in a zero byte (readdir(3)).
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name == "." || name == ".." { continue }
            if names.count == most { return nil }
            names.append(name)
        }
        return names
    }
}

extension JobDirectory {
    /// Opens the folder that a file lies in so that it can be listed; nil when it is not there.
    func openReadable(folderOf path: TargetPath) throws(StorageError) -> Folder? {
        let nearest = try nearestFolder(of: path)
        guard nearest.isParent else { return nil }
        do {
            return Folder(
                try open(".", in: nearest.folder.descriptor, flags: O_RDONLY | O_DIRECTORY), files: files)
        } catch {
            throw .failed(.open, path: path.text, errno: error.code)
        }
    }

    /// The names in the folder that a path lies in; nil when there are more than so many, or it cannot be listed.
    func names(besides path: TargetPath, atMost most: Int) -> [String]? {
        guard let nearest = try? nearestFolder(of: path), nearest.isParent else { return nil }
        return FolderNames.first(most, of: nearest.folder.descriptor)
    }

    /// What lies at a path, with what the planner does not need; nil when nothing does, or the way there is barred.
    func fullStatus(of path: TargetPath) -> FileStatus? {
        guard let nearest = try? nearestFolder(of: path), nearest.isParent else { return nil }
        return (try? status(of: path, in: nearest.folder)) ?? nil
    }
}
