internal import Glibc
internal import RunnerJob
internal import RunnerPlan

extension Cleaner {
    /// Removes what was found; looks at each once more, and leaves what has changed meanwhile.
    ///
    /// - Returns: what was removed, and what could not be.
    package func remove(
        _ items: [CleanItem], ledger: Ledger
    ) -> (removed: [CleanItem], failed: [(item: CleanItem, error: StorageError)]) {
        var removed: [CleanItem] = []
        var failed: [(item: CleanItem, error: StorageError)] = []
        for item in items {
            do throws(StorageError) {
                if try remove(item) { removed.append(item) }
            } catch {
                failed.append((item, error))
            }
        }
        let paths = removed.compactMap { if case .download(let file) = $0.kind { file.path } else { nil } }
        let runs = removed.compactMap { if case .report(let run) = $0.kind { run } else { nil } }
        // A row that stays is harmless: the file it tells of is not there.
        try? ledger.forget(files: paths)
        try? ledger.forget(runs: runs)
        return (removed, failed)
    }

    private func remove(_ item: CleanItem) throws(StorageError) -> Bool {
        switch item.kind {
        case .download(let file):
            guard let status = directory.fullStatus(of: file.path), file.record.fits(status.state) else { return false }
            guard try unlink(file.path) else { return false }
            removeEmptyFolders(above: file.path)
            return true
        case .part(let path):
            try states.remove(path)
            try removePart(Self.sibling(PartName.of(path.name, identity: job), of: path))
            return true
        case .report, .leftover:
            guard !item.path.isEmpty, !item.path.utf8.elementsEqual("..".utf8), !item.path.contains("../") else {
                return true
            }
            folder.remove(item.path)
            return true
        }
    }

    /// Removes the folders below the job's directory that have become empty with a file, such as those of a day.
    private func removeEmptyFolders(above path: TargetPath) {
        var folder = path.folder
        while !path.isAbsolute, !folder.text.isEmpty {
            let target = TargetPath(normalized: folder.text)
            guard let nearest = try? directory.nearestFolder(of: target), nearest.isParent else { return }
            do throws(SystemError) {
                // It fails where something is left in the folder.
                try RawName.remove(target.name.utf8, in: nearest.folder.descriptor, isFolder: true)
            } catch {
                return
            }
            directory.forgetFolders()
            folder = target.folder
        }
    }

    /// - Returns: whether it was there.
    private func unlink(_ path: TargetPath) throws(StorageError) -> Bool {
        let nearest = try directory.nearestFolder(of: path)
        guard nearest.isParent else { return false }
        do throws(SystemError) {
            try directory.files.unlink(path.name, in: nearest.folder.descriptor)
            return true
        } catch {
            if error.code == ENOENT { return false }
            throw .failed(.remove, path: path.text, errno: error.code)
        }
    }

    /// A part is a file, or the folder of an extraction that was killed.
    private func removePart(_ path: TargetPath) throws(StorageError) {
        let nearest = try directory.nearestFolder(of: path)
        guard nearest.isParent else { return }
        do throws(SystemError) {
            try TreeRemoval.remove(Array(path.name.utf8), in: nearest.folder.descriptor)
        } catch {
            throw .failed(.remove, path: path.text, errno: error.code)
        }
    }
}
