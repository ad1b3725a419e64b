internal import Glibc
internal import RunnerJob
internal import RunnerPlan

/// The walk to the folder that a file lies in.
extension JobDirectory {
    /// The deepest folder on the way to a file that is there.
    struct NearestFolder {
        var folder: Folder
        /// Whether it is the file's own folder, so that none is missing.
        var isParent: Bool
    }

    /// The folder of `path`, made together with its parents where it is missing.
    func parentFolder(of path: TargetPath) throws(StorageError) -> Folder {
        let key = path.folder
        if let folder = cachedFolder(at: key) { return folder }
        if path.isAbsolute {
            let folder = try makeFolder(absolute: key.text, for: path.text)
            remember(folder, at: key)
            return folder
        }
        let parts = FolderParts(of: path)
        var (folder, depth): (Folder, Int)
        if let cached = deepestCached(parts) {
            (folder, depth) = cached
        } else {
            (folder, depth) = (try rootFolder(for: path), 0)
        }
        while depth < parts.count {
            folder = try step(into: parts[depth], from: folder, depth: depth, of: parts, for: path, isMaking: true)
            depth += 1
            remember(folder, at: parts.key(depth))
        }
        return folder
    }

    /// As far as one gets on the way to `path` without making anything.
    func nearestFolder(of path: TargetPath) throws(StorageError) -> NearestFolder {
        let key = path.folder
        if let folder = cachedFolder(at: key) { return NearestFolder(folder: folder, isParent: true) }
        if path.isAbsolute {
            let nearest = try nearestFolder(absolute: key.text, for: path.text)
            if nearest.isParent { remember(nearest.folder, at: key) }
            return nearest
        }
        let parts = FolderParts(of: path)
        var (folder, depth): (Folder, Int)
        if let cached = deepestCached(parts) {
            (folder, depth) = cached
        } else {
            let nearest = try nearestFolder(absolute: root, for: path.text)
            guard nearest.isParent else { return nearest }
            remember(nearest.folder, at: parts.key(0))
            (folder, depth) = (nearest.folder, 0)
        }
        while depth < parts.count {
            do {
                folder = try step(into: parts[depth], from: folder, depth: depth, of: parts, for: path, isMaking: false)
            } catch {
                guard case .failed(_, _, ENOENT) = error else { throw error }
                return NearestFolder(folder: folder, isParent: false)
            }
            depth += 1
            remember(folder, at: parts.key(depth))
        }
        return NearestFolder(folder: folder, isParent: true)
    }

    private func deepestCached(_ parts: FolderParts) -> (Folder, Int)? {
        for depth in stride(from: parts.count - 1, through: 0, by: -1) {
            if let folder = cachedFolder(at: parts.key(depth)) { return (folder, depth) }
        }
        return nil
    }

    private func rootFolder(for path: TargetPath) throws(StorageError) -> Folder {
        let folder = try makeFolder(absolute: root, for: path.text)
        remember(folder, at: ExactText(""))
        return folder
    }

    /// Opens one part of a path below the root; a link is not followed.
    private func step(
        into name: String, from folder: Folder, depth: Int, of parts: FolderParts, for path: TargetPath, isMaking: Bool
    ) throws(StorageError) -> Folder {
        do {
            return try openFolder(name, in: folder.descriptor, flags: O_NOFOLLOW)
        } catch {
            switch error.code {
            case ENOENT where isMaking: break
            case ENOTDIR, ELOOP: throw obstacle(name, in: folder, depth: depth, of: parts, for: path)
            default: throw .failed(.open, path: path.text, errno: error.code)
            }
        }
        try makeFolder(name, in: folder, for: path.text)
        return try step(into: name, from: folder, depth: depth, of: parts, for: path, isMaking: false)
    }

    /// What it is that keeps a part of a path from being a folder.
    private func obstacle(
        _ name: String, in folder: Folder, depth: Int, of parts: FolderParts, for path: TargetPath
    ) -> StorageError {
        let link = parts.key(depth + 1).text
        guard let status = try? files.status(of: name, in: folder.descriptor), status.kind == .link,
            let target = try? files.target(ofLink: name, in: folder.descriptor)
        else { return .parentIsFile(path: path.text, parent: link) }
        let rest = (parts.names[(depth + 1)...] + [path.name]).joined(separator: "/")
        let start: String
        if let resolved = try? files.resolved(root + "/" + link) {
            start = resolved
        } else {
            let base = (try? files.resolved(root)) ?? root
            start = LexicalPath.joining(base + "/" + parts.key(depth).text, target)
        }
        return .linkInPath(
            path: path.text, link: link, target: target, absolutePath: LexicalPath.joining(start, rest))
    }
}

/// The folders on the way from the job's directory to a file, from the outermost to its own.
struct FolderParts {
    let names: [String]

    init(of path: TargetPath) {
        names = path.text.split(separator: "/", omittingEmptySubsequences: true).dropLast().map(String.init)
    }

    var count: Int { names.count }
    subscript(_ index: Int) -> String { names[index] }

    /// The path of the first `depth` folders, which is also the key of the cache.
    func key(_ depth: Int) -> ExactText {
        ExactText(names.prefix(depth).joined(separator: "/"))
    }
}
