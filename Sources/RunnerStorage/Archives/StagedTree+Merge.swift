internal import Glibc
internal import RunnerJob

extension StagedTree {
    /// Moves all that lies in it into a folder that is there, over files of the same name.
    ///
    /// First it is looked whether a folder would meet a file, so that nothing is moved then. Below the folder no link is
    /// followed: a link in the way of a file is replaced, in the way of a folder it is a clash.
    func merge(nodes: [[UInt8]: TreeWriter.Node]) throws(ExtractionError) {
        let target: Int32
        do throws(SystemError) {
            target = try RawName.open(
                path.name.utf8, in: parent.descriptor, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw .storage(.failed(.open, path: path.text, errno: error.code))
        }
        defer { close(target) }
        // Parents before what lies in them.
        let paths = nodes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (entry, node) in paths { try check(entry, node, in: target) }
        do throws(SystemError) {
            var from = FolderPair(staged: descriptor, target: target)
            for (entry, node) in paths {
                let (folder, name) = TreeWriter.split(entry)
                try from.enter(folder)
                if node == .folder {
                    try from.makeFolder(name)
                } else {
                    try RawName.rename(name, in: from.stagedFolder, to: name, in: from.targetFolder)
                }
            }
        } catch {
            throw .storage(.failed(.rename, path: path.text, errno: error.code))
        }
    }

    private func check(_ entry: [UInt8], _ node: TreeWriter.Node, in target: Int32) throws(ExtractionError) {
        // A parent that is missing, or a link, is told of at the parent itself.
        guard let status = try? RawName.status(of: entry, in: target) else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder == (node == .folder) else {
            throw .target(.clash, path: path.text + "/" + EntryName.text(entry))
        }
    }
}

/// The same folder below two roots, open.
private struct FolderPair {
    private let staged: Int32
    private let target: Int32
    private var path: ArraySlice<UInt8> = []
    private(set) var stagedFolder: Int32
    private(set) var targetFolder: Int32

    init(staged: Int32, target: Int32) {
        self.staged = staged
        self.target = target
        stagedFolder = staged
        targetFolder = target
    }

    mutating func enter(_ folder: ArraySlice<UInt8>) throws(SystemError) {
        if folder.elementsEqual(path) { return }
        let one = try Self.open(folder, below: staged)
        do throws(SystemError) {
            let other = try Self.open(folder, below: target)
            leave()
            (stagedFolder, targetFolder, path) = (one, other, folder)
        } catch {
            Self.close(one, unless: staged)
            throw error
        }
    }

    func makeFolder(_ name: ArraySlice<UInt8>) throws(SystemError) {
        do throws(SystemError) {
            try RawName.makeFolder(name, in: targetFolder, mode: 0o777)
        } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    mutating func leave() {
        Self.close(stagedFolder, unless: staged)
        Self.close(targetFolder, unless: target)
        (stagedFolder, targetFolder, path) = (staged, target, [])
    }

    private static func close(_ folder: Int32, unless root: Int32) {
        if folder != root { Glibc.close(folder) }
    }

    /// Goes part by part, since O_NOFOLLOW is for the last one alone (open(2)).
    private static func open(_ path: ArraySlice<UInt8>, below root: Int32) throws(SystemError) -> Int32 {
        var folder = root
        for part in path.split(separator: EntryName.slash) {
            let above = folder
            defer { close(above, unless: root) }
            folder = try RawName.open(part, in: above, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        }
        return folder
    }
}
