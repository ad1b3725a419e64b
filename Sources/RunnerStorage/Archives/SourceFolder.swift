internal import Glibc
internal import RunnerJob

/// A source of an archive: the way to it, and to what lies below it, without following a link.
final class SourceFolder {
    private let source: ArchiveCreation.Source
    /// The folder that the source lies in.
    private let parent: Folder
    /// The folder used last: its path below the source, and an open descriptor.
    private var current: (path: ArraySlice<UInt8>, descriptor: Int32)?

    init(_ source: ArchiveCreation.Source, in directory: JobDirectory) throws(PackingError) {
        self.source = source
        do throws(StorageError) {
            let nearest = try directory.nearestFolder(of: source.path)
            guard nearest.isParent else { throw .sourceMissing(path: source.path.text) }
            parent = nearest.folder
        } catch {
            throw .storage(error)
        }
    }

    deinit {
        if let current { close(current.descriptor) }
    }

    /// The path of something below the source, for a message.
    func shown(_ path: some Collection<UInt8>) -> String {
        path.isEmpty ? source.path.text : source.path.text + "/" + EntryName.text(Array(path))
    }

    func status(of path: [UInt8]) throws(PackingError) -> stat {
        try at(path) { (name, folder) throws(SystemError) in try RawName.status(of: name, in: folder) }
    }

    /// Opens a file to read it.
    func open(_ path: [UInt8]) throws(PackingError) -> Int32 {
        // O_NONBLOCK: opening a pipe must not wait for a writer.
        try at(path) { (name, folder) throws(SystemError) in
            try RawName.open(name, in: folder, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        }
    }

    /// The text of a link.
    func target(of path: [UInt8]) throws(PackingError) -> [UInt8] {
        try at(path) { (name, folder) throws(SystemError) in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = try repeating { RawName.with(name) { readlinkat(folder, $0, &buffer, buffer.count) } }
            return buffer.prefix(count).map { UInt8(bitPattern: $0) }
        }
    }

    /// The names in a folder, in the order of their bytes.
    func names(in path: [UInt8]) throws(PackingError) -> [[UInt8]] {
        try at(path + (path.isEmpty ? [] : [EntryName.slash]) + [UInt8(ascii: ".")]) {
            (_, folder) throws(SystemError) in
            try RawName.names(in: folder).sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    /// Calls with the folder that something lies in, open.
    private func at<Result>(
        _ path: [UInt8], _ body: (ArraySlice<UInt8>, Int32) throws(SystemError) -> Result
    ) throws(PackingError) -> Result {
        do throws(SystemError) {
            if path.isEmpty { return try body(Array(source.path.name.utf8)[...], parent.descriptor) }
            let (folder, name) = TreeWriter.split(path)
            if let current, current.path.elementsEqual(folder) { return try body(name, current.descriptor) }
            let opened = try open(folder: folder)
            if let current { close(current.descriptor) }
            current = (folder, opened)
            return try body(name, opened)
        } catch {
            if error.code == ENOENT { throw .storage(.sourceMissing(path: shown(path))) }
            throw .storage(.sourceUnreadable(path: shown(path), errno: error.code))
        }
    }

    /// Goes part by part, since O_NOFOLLOW is for the last one alone (open(2)).
    private func open(folder: ArraySlice<UInt8>) throws(SystemError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        var opened = try RawName.open(source.path.name.utf8, in: parent.descriptor, flags: flags)
        for part in folder.split(separator: EntryName.slash) {
            let above = opened
            defer { close(above) }
            opened = try RawName.open(part, in: above, flags: flags)
        }
        return opened
    }
}
