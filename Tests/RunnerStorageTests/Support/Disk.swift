import Glibc
import RunnerJob
import RunnerStorage
import TestSupport

/// A job's directory in a temporary folder, on file operations that can be made to fail.
struct Disk {
    let folder: TemporaryDirectory
    let files = FaultyFiles()
    let directory: JobDirectory

    init(root: String = "out") throws {
        folder = try TemporaryDirectory()
        directory = JobDirectory(root: folder.path(root), files: files)
    }

    func open(
        _ path: String, identity: String = "job", keeping: Int64 = 0, total: Int64? = nil
    ) throws(StorageError) -> PartFile {
        try directory.openPart(for: at(path), identity: identity, keeping: keeping, total: total)
    }

    /// Writes and publishes a file.
    func publish(_ path: String, _ text: String) throws {
        let part = try open(path)
        try part.write(text)
        try part.publish()
    }

    /// The text of a file in the job's directory; nil when there is none.
    func text(_ path: String) -> String? {
        DiskFile.text(directory.root + "/" + path)
    }

    /// The names in the job's directory, or in a folder of it.
    func names(_ path: String = "") -> [String] {
        DiskFile.entries(directory.root + "/" + path)
    }

    func makeFolder(_ path: String) {
        mkdir(folder.path(path), 0o777)
    }

    func link(_ path: String, to target: String) {
        symlink(target, folder.path(path))
    }

    func status(_ path: String) -> stat {
        var status = stat()
        lstat(directory.root + "/" + path, &status)
        return status
    }
}

extension PartFile {
    /// Appends text at the end.
    func write(_ text: String) throws(StorageError) {
        try write(Array(text.utf8), at: length)
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        try bytes.span.withUnsafeBytes { (bytes) throws(StorageError) in try write(bytes, at: offset) }
    }
}

/// A file in memory.
struct MemoryFile: ReadableFile {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var length: Int64 { Int64(bytes.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        let rest = bytes.dropFirst(Int(offset)).prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }
}

/// A path as a job would have it.
func at(_ path: String) -> TargetPath {
    TargetPath(normalized: path)
}
