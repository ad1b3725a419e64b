internal import Glibc

/// Folders by absolute paths, on which links are followed.
extension JobDirectory {
    /// Opens a folder, made together with its parents where it is missing.
    ///
    /// - Parameter path: the file it is for, as errors name it.
    func makeFolder(absolute folder: String, for path: String) throws(StorageError) -> Folder {
        var (opened, missing) = try deepestPresent(of: folder, for: path)
        for name in missing {
            try makeFolder(name, in: opened, for: path)
            do {
                opened = try openFolder(name, in: opened.descriptor)
            } catch {
                throw .failed(.open, path: path, errno: error.code)
            }
        }
        return opened
    }

    /// The deepest folder on the way to `folder` that is there.
    func nearestFolder(absolute folder: String, for path: String) throws(StorageError) -> NearestFolder {
        let (opened, missing) = try deepestPresent(of: folder, for: path)
        return NearestFolder(folder: opened, isParent: missing.isEmpty)
    }

    func makeFolder(_ name: String, in folder: Folder, for path: String) throws(StorageError) {
        do {
            try files.makeFolder(name, in: folder.descriptor)
        } catch {
            switch error.code {
            // Another transfer, or another program, made it meanwhile.
            case EEXIST: return
            default: throw .full(error.code, path: path) ?? .failed(.makeFolder, path: path, errno: error.code)
            }
        }
    }

    /// Looks upwards from `folder`, since most often it is there.
    private func deepestPresent(of folder: String, for path: String) throws(StorageError) -> (Folder, [String]) {
        var present = folder
        var missing: [String] = []
        while true {
            do {
                return (try openFolder(present, in: AT_FDCWD), missing.reversed())
            } catch {
                guard error.code == ENOENT, let (parent, name) = LexicalPath.split(present) else {
                    throw obstacle(onWayTo: present, for: path, errno: error.code)
                }
                missing.append(name)
                present = parent
            }
        }
    }

    /// Names the part of a path that is no folder.
    private func obstacle(onWayTo folder: String, for path: String, errno code: Int32) -> StorageError {
        guard code == ENOTDIR else { return .failed(.open, path: path, errno: code) }
        var parent = folder
        while let (next, _) = LexicalPath.split(parent) {
            if (try? files.status(of: parent, in: AT_FDCWD)) != nil { break }
            parent = next
        }
        return .parentIsFile(path: path, parent: parent)
    }
}
