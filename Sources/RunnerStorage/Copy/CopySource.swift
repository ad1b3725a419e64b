internal import Glibc
internal import RunnerPlan

/// A regular file of this machine that is downloaded by a `file:` URL; links on the way to it are followed.
package final class CopySource: Sendable {
    /// Absolute path.
    package let path: String
    let files: any FileOperations
    let descriptor: Int32
    private let start: FileStatus
    /// Whether the file has bytes although its size is 0, as those have that the kernel makes up (proc(5)).
    private let isMadeUp: Bool

    /// How a copy ended, unless it failed.
    package enum Outcome: Hashable, Sendable {
        case finished
        /// Stopped on demand; the part file holds what was copied so far.
        case cancelled
    }

    /// Opens the file; throws when it is missing, cannot be read, or is a folder, a pipe or a device.
    package init(path: String, files: any FileOperations = SystemFiles()) throws(StorageError) {
        let descriptor: Int32
        let start: FileStatus, isMadeUp: Bool
        do {
            // O_NONBLOCK: opening a pipe must not wait for a writer.
            descriptor = try files.open(
                path, in: AT_FDCWD, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode: 0)
        } catch {
            throw error.code == ENOENT || error.code == ENOTDIR
                ? .sourceMissing(path: path) : .sourceUnreadable(path: path, errno: error.code)
        }
        do {
            start = try files.status(of: descriptor)
            isMadeUp = start.kind == .file && start.size == 0 ? try Self.hasBytes(descriptor, files) : false
        } catch {
            try? files.close(descriptor)
            throw .sourceUnreadable(path: path, errno: error.code)
        }
        guard start.kind == .file else {
            try? files.close(descriptor)
            throw .sourceIsNotFile(path: path)
        }
        self.path = path
        self.files = files
        self.descriptor = descriptor
        self.start = start
        self.isMadeUp = isMadeUp
    }

    private static func hasBytes(_ descriptor: Int32, _ files: any FileOperations) throws(SystemError) -> Bool {
        var first: [UInt8] = [0]
        var span = first.mutableSpan
        return try span.withUnsafeMutableBytes { (buffer) throws(SystemError) in
            try files.read(into: buffer, from: descriptor, at: 0) > 0
        }
    }

    deinit {
        try? files.close(descriptor)
    }

    /// Bytes, as they were when the file was opened; nil where only reading tells.
    package var size: Int64? { isMadeUp ? nil : start.size }
    /// Nanoseconds since 1970.
    package var modified: Int64 { start.modified }

    /// Copies everything from `offset` on into the same place of a part file.
    ///
    /// - Parameters:
    ///   - offset: bytes that the part file holds already.
    ///   - digests: computed on the way; they must have had the bytes before `offset`.
    ///   - progress: told the bytes that are there after every chunk.
    ///   - isCancelled: asked before every chunk.
    /// - Throws: ``StorageError/sourceChanged(path:)`` when the file is no longer as it was when it was opened.
    package func copy(
        into part: PartFile, from offset: Int64 = 0, digests: DigestSet? = nil,
        progress: (Int64) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws(StorageError) -> Outcome {
        let end = size ?? .max
        guard offset <= end else { throw .sourceChanged(path: path) }
        if let size { try part.expect(total: size) }
        let hashed = digests.flatMap { $0.algorithms.isEmpty ? nil : $0 }
        var copier = ChunkCopier(source: self, part: part, digests: hashed)
        var done = offset
        while done < end {
            if isCancelled() { return .cancelled }
            let count = try copier.copy(at: done, limit: end - done)
            if count <= 0, isMadeUp { break }
            guard count > 0 else { throw .sourceChanged(path: path) }
            done += Int64(count)
            progress(done)
        }
        try checkUnchanged()
        return .finished
    }

    private func checkUnchanged() throws(StorageError) {
        let now: FileStatus
        do {
            now = try files.status(of: descriptor)
        } catch {
            throw .sourceUnreadable(path: path, errno: error.code)
        }
        guard now.size == start.size, now.modified == start.modified else { throw .sourceChanged(path: path) }
    }
}
