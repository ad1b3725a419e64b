internal import Glibc
package import RunnerJob
internal import RunnerPlan

/// Unpacks an archive beside the place where its folder will lie, and puts it there when it is whole.
///
/// After a failure, or a kill at any moment, the folder is the old one or the new one.
package struct TreeExtraction: Sendable {
    private let extraction: Extraction
    private let directory: JobDirectory
    private let identity: String
    private let claims: TreeClaims

    /// - Parameter identity: what tells the job from any other; see ``PartName``.
    package init(_ extraction: Extraction, directory: JobDirectory, identity: String, claims: TreeClaims) {
        self.extraction = extraction
        self.directory = directory
        self.identity = identity
        self.claims = claims
    }

    /// What is done with a folder that is whole.
    private enum Placing {
        case place
        /// In place of one that may be known as ours.
        case replace(TreeClaims.FolderIdentity?)
        case merge
    }

    /// - Parameters:
    ///   - progress: told the bytes of the archive that were read, and its length.
    ///   - isCancelled: asked often.
    /// - Returns: bytes of all files.
    package func run(
        progress: @escaping (Int64, Int64) -> Void, isCancelled: @escaping () -> Bool
    ) throws(ExtractionError) -> Int64 {
        let archive: PresentFile
        let placing: Placing
        let staged: StagedTree
        do throws(StorageError) {
            guard let file = try directory.openPresent(extraction.archive) else {
                throw .sourceMissing(path: extraction.archive.text)
            }
            archive = file
        } catch {
            throw .storage(error)
        }
        placing = try self.placing()
        do throws(StorageError) {
            staged = try directory.stageTree(for: extraction.target, identity: identity)
        } catch {
            throw .storage(error)
        }
        do throws(ExtractionError) {
            let tree = TreeWriter(root: staged.descriptor)
            let length = archive.length
            let source = ArchiveFile(archive, progress: { progress($0, length) }, isCancelled: isCancelled)
            var extractor = Extractor(extraction, length: length, into: tree, isCancelled: isCancelled)
            let bytes = try extractor.unpack(source)
            try put(staged, tree, by: placing)
            return bytes
        } catch {
            staged.discard()
            throw error
        }
    }

    /// Looks at what lies at the target; throws when it has to stay.
    private func placing() throws(ExtractionError) -> Placing {
        let path = extraction.target
        guard let descriptor = try openTarget() else { return .place }
        defer { close(descriptor) }
        let folder = TreeClaims.FolderIdentity(of: descriptor)
        switch extraction.existing {
        case .merge: return .merge
        case .replace: return .replace(folder)
        case nil:
            if let folder, claims.isOurs(folder, at: path) { return .replace(folder) }
            if (try? RawName.names(in: descriptor))?.isEmpty == true { return .place }
            throw .target(.notOurs, path: path.text)
        }
    }

    /// Opens the folder that lies at the target; nil when nothing does.
    private func openTarget() throws(ExtractionError) -> Int32? {
        let path = extraction.target
        let isFolder: Bool
        let parent: Folder
        do throws(StorageError) {
            let nearest = try directory.nearestFolder(of: path)
            guard nearest.isParent, let status = try directory.status(of: path, in: nearest.folder) else { return nil }
            isFolder = status.kind == .folder
            parent = nearest.folder
        } catch {
            throw .storage(error)
        }
        guard isFolder else { throw .target(.noFolder, path: path.text) }
        do throws(SystemError) {
            return try RawName.open(
                path.name.utf8, in: parent.descriptor, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw .storage(.failed(.open, path: path.text, errno: error.code))
        }
    }

    private func put(_ staged: StagedTree, _ tree: TreeWriter, by placing: Placing) throws(ExtractionError) {
        do throws(StorageError) {
            let new = TreeClaims.FolderIdentity(of: staged.descriptor)
            switch placing {
            case .place:
                try claims.claim([new].compactMap { $0 }, at: extraction.target)
                try staged.place()
            case .replace(let old):
                try claims.claim([old, new].compactMap { $0 }, at: extraction.target)
                try staged.replace()
            case .merge: break
            }
        } catch {
            throw .storage(error)
        }
        guard case .merge = placing else { return }
        try staged.merge(nodes: tree.nodes)
        staged.discard()
    }
}
