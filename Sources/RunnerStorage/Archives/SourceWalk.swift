internal import Glibc
internal import LibArchive
internal import RunnerJob

/// Finds what goes into an archive, in an order that depends on names alone.
struct SourceWalk {
    let creation: ArchiveCreation
    let directory: JobDirectory
    /// Paths that are left out though they lie in a source: the archive itself, and its part file.
    let own: Set<ExactText>
    let isCancelled: () -> Bool
    private let filter: EntryFilter
    private let prefix: [ArraySlice<UInt8>]
    /// The source's path of every name in the archive.
    private var taken: [[UInt8]: String] = [:]

    /// What was found in one source.
    struct Find {
        var source: SourceFolder
        var members: [PackedMember]
    }

    init(_ creation: ArchiveCreation, directory: JobDirectory, own: Set<ExactText>, isCancelled: @escaping () -> Bool) {
        self.creation = creation
        self.directory = directory
        self.own = own
        self.isCancelled = isCancelled
        filter = EntryFilter(creation.selection)
        prefix = EntryName(Array(creation.prefix.utf8)).parts
    }

    mutating func find() throws(PackingError) -> [Find] {
        var finds: [Find] = []
        var hasFiles = false
        for source in creation.sources.sorted(by: { $0.path.path < $1.path.path }) {
            let folder = try SourceFolder(source, in: directory)
            var members: [PackedMember] = []
            // A stack in place of recursion, since a tree may be deeper than the stack of a thread.
            var pending: [[UInt8]] = [[]]
            while let path = pending.popLast() {
                if isCancelled() { throw .cancelled }
                let status = try folder.status(of: path)
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                if path.isEmpty, source.isFolder, !isFolder { throw .notAFolder(path: source.path.text) }
                let whole = Self.below(Array(source.path.text.utf8), path)
                if own.contains(ExactText(String(decoding: whole, as: UTF8.self))) { continue }
                let name = EntryName(whole)
                if isFolder {
                    if filter.excludesAll(in: name.path) { continue }
                    pending += try folder.names(in: path).reversed().map { Self.below(path, $0) }
                } else {
                    hasFiles = true
                }
                guard filter.matches(name.path), let packed = packedName(name) else { continue }
                if let member = try member(folder, status, packed, path) { members.append(member) }
            }
            finds.append(Find(source: folder, members: members))
        }
        if hasFiles, taken.isEmpty, creation.strip > 0 || !creation.selection.include.isEmpty { throw .nothingLeft }
        return finds
    }

    private mutating func member(
        _ folder: SourceFolder, _ status: stat, _ name: [UInt8], _ path: [UInt8]
    ) throws(PackingError) -> PackedMember? {
        let shown = folder.shown(path)
        if let other = taken.updateValue(shown, forKey: name) {
            // Sources may overlap, and folders of several sources be one.
            if other == shown || status.st_mode & S_IFMT == S_IFDIR { return nil }
            throw .sameName(EntryName.text(name), one: other, other: shown)
        }
        if creation.format.needsUnicode, String(validating: name, as: UTF8.self) == nil {
            throw .nameNotUnicode(path: shown, creation.format)
        }
        var target: [UInt8] = []
        if status.st_mode & S_IFMT == S_IFLNK { target = try folder.target(of: path) }
        guard let member = try? PackedMember(status, name: name, path: path, link: { target }) else {
            throw .special(path: shown)
        }
        return member
    }

    /// The name in the archive; nil when nothing is left of it.
    private func packedName(_ name: EntryName) -> [UInt8]? {
        let kept = name.parts.dropFirst(creation.strip)
        return kept.isEmpty ? nil : EntryName.joined((prefix + kept)[...])
    }

    private static func below(_ folder: [UInt8], _ name: [UInt8]) -> [UInt8] {
        if name.isEmpty { return folder }
        return folder.isEmpty ? name : folder + [EntryName.slash] + name
    }
}
