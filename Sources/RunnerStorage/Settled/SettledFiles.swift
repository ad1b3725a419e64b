internal import Glibc
package import RunnerJob
package import RunnerPlan

/// Files with what `lstat` told of each, packed so that ten thousand of them are looked at in a few milliseconds.
package struct SettledFiles: Hashable, Sendable {
    /// Files after which the whole path is written once more, so that one can begin there.
    private static let stretch = 256

    /// For each file: its whole path where its folder is another than that of the file before, else an empty text; its
    /// name with a null byte; size, times and inode.
    private(set) var packed: ArraySlice<UInt8>
    /// Folder of the last file, and how many files have relied on a path before them.
    private var folder: ExactText?
    private var count = 0

    package init() {
        packed = []
    }

    init(packed: ArraySlice<UInt8>) {
        self.packed = packed
    }

    package mutating func add(_ path: TargetPath, _ state: FileState) {
        var entry = RecordWriter()
        let goesOn = folder == path.folder && count < Self.stretch
        count = goesOn ? count + 1 : 0
        entry.text(goesOn ? "" : path.text)
        entry.text(path.name + "\0")
        for number in [state.size, state.modified, state.changed, Int64(bitPattern: state.inode)] {
            entry.number(number)
        }
        packed += entry.content
        folder = path.folder
    }

    /// The files in two parts of about the same length, to be looked at by two threads.
    package var halves: (SettledFiles, SettledFiles) {
        let middle = packed.withUnsafeBytes { bytes in
            var cursor = PackedCursor(bytes)
            while !cursor.isAtEnd {
                let start = cursor.position
                guard let file = cursor.next() else { return packed.count }
                if file.path != nil, start >= packed.count / 2 { return start }
            }
            return packed.count
        }
        return (SettledFiles(packed: packed.prefix(middle)), SettledFiles(packed: packed.dropFirst(middle)))
    }
}

extension JobDirectory {
    /// Whether all of some files are as they were.
    package func holds(_ files: SettledFiles) -> Bool {
        files.packed.withUnsafeBytes { bytes in
            var cursor = PackedCursor(bytes)
            var folder: Folder?
            while !cursor.isAtEnd {
                guard let file = cursor.next() else { return false }
                if let path = file.path {
                    guard let nearest = try? nearestFolder(of: TargetPath(normalized: path)), nearest.isParent else {
                        return false
                    }
                    folder = nearest.folder
                }
                guard let folder, file.isThere(in: folder.descriptor) else { return false }
            }
            return true
        }
    }
}

/// Walks over ``SettledFiles`` where they lie: a text for each name would take several times as long as to look at the
/// file.
private struct PackedCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    struct File {
        /// Where the folder is another than before.
        var path: String?
        /// Ends with a null byte, as fstatat(2) needs it; valid as long as the bytes are.
        var name: UnsafePointer<CChar>
        var size: Int64
        var modified: Int64
        var changed: Int64
        var inode: Int64

        func isThere(in folder: Int32) -> Bool {
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
            let found = FileStatus(status)
            return found.kind == .file && found.size == size && found.modified == modified && found.changed == changed
                && found.inode == UInt64(bitPattern: inode)
        }
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next file; nil where the bytes are none.
    mutating func next() -> File? {
        guard let path = text(), let name = text(), name.last == 0,
            let start = name.baseAddress?.assumingMemoryBound(to: CChar.self),
            let size = number(), let modified = number(), let changed = number(), let inode = number()
        else { return nil }
        return File(
            path: path.isEmpty ? nil : String(decoding: path, as: UTF8.self), name: start, size: size,
            modified: modified, changed: changed, inode: inode)
    }

    private mutating func number() -> Int64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int64.self))
    }

    private mutating func text() -> UnsafeRawBufferPointer? {
        guard let count = number(), 0...Int64(bytes.count - position) ~= count else { return nil }
        defer { position += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(count))])
    }
}
