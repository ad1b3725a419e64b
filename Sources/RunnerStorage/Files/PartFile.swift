internal import Glibc
package import RunnerJob
internal import Synchronization

/// A file on its way: bytes land here, beside the destination, and the destination appears whole or not at all.
///
/// One thread at a time uses it, but for ``read(into:at:)``. Dropping it without a word closes it and keeps what was written.
package final class PartFile: Sendable {
    /// Where the file goes.
    package let path: TargetPath
    /// The part file's own name in the folder of ``path``.
    package let name: String
    let folder: Folder
    let files: any FileOperations
    let state: Mutex<State>

    /// Where a part file stands.
    enum State {
        /// Being written, without a name as yet. Next: any other.
        case nameless(Content)
        /// Being written, under its name. Next: kept or gone.
        case open(Content)
        /// Closed, and still on the disk. Next: gone.
        case kept
        /// Published or discarded.
        case gone
    }

    struct Content {
        var descriptor: Int32
        /// Bytes written, which is the length of the file.
        var length: Int64
        /// Whole size as far as it is known, and blocks reserved for it.
        var total: Int64?
        var reserved: Int64 = 0
    }

    init(path: TargetPath, name: String, folder: Folder, files: any FileOperations, state: consuming State) {
        self.path = path
        self.name = name
        self.folder = folder
        self.files = files
        self.state = Mutex(state)
    }

    deinit {
        close()
    }

    /// Bytes written: the offset at which a single stream goes on; 0 once closed.
    package var length: Int64 {
        state.withLock { state in
            switch state {
            case .open(let content), .nameless(let content): content.length
            case .kept, .gone: 0
            }
        }
    }

    /// Writes all of `bytes` at an offset; the file grows as far as it must.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        try withContent { content throws(StorageError) in
            var written = 0
            while written < bytes.count {
                let (position, overflow) = offset.addingReportingOverflow(Int64(written))
                guard !overflow else { throw .failed(.write, path: path.text, errno: EFBIG) }
                let count: Int
                do throws(SystemError) {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                    count = try files.write(rest, to: content.descriptor, at: position)
                } catch {
                    throw failure(.write, error, content)
                }
                guard count > 0 else { throw .failed(.write, path: path.text, errno: EIO) }
                written += count
                content.length = max(content.length, position + Int64(count))
            }
        }
    }

    /// Writes what a pipe holds at an offset, as far as the file takes it so.
    ///
    /// What stays in the pipe is for ``write(_:at:)``, which says what is in the way, or does it all the same: not every
    /// file system can be spliced into.
    /// - Returns: the number of bytes written.
    package func move(from pipe: SplicePipe, at offset: Int64) throws(StorageError) -> Int {
        try withContent { content in
            let before = pipe.count
            while pipe.count > 0 {
                let position = offset + Int64(before - pipe.count)
                guard let moved = try? files.move(from: pipe, to: content.descriptor, at: position), moved > 0 else {
                    break
                }
                content.length = max(content.length, position + Int64(moved))
            }
            return before - pipe.count
        }
    }

    /// Reads what was written; returns the number of bytes, less than asked for only at the end.
    ///
    /// Another thread may write meanwhile, and does not wait for the reader; nobody may close the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        let descriptor = try withContent { content in content.descriptor }
        do throws(SystemError) {
            return try files.readFully(into: buffer, from: descriptor, at: offset)
        } catch {
            throw .failed(.read, path: path.text, errno: error.code)
        }
    }

    /// Makes what was written safe on the disk (fdatasync(2)).
    package func synchronize() throws(StorageError) {
        try withContent { content throws(StorageError) in
            do throws(SystemError) {
                try files.synchronize(content.descriptor)
            } catch {
                throw failure(.write, error, content)
            }
        }
    }

    /// Cuts the file to `length` bytes, such as 0 to start over.
    package func truncate(to length: Int64) throws(StorageError) {
        try withContent { content throws(StorageError) in
            do throws(SystemError) {
                try files.truncate(content.descriptor, to: length)
            } catch {
                throw failure(.truncate, error, content)
            }
            content.length = length
            // Cutting gives reserved blocks back (fallocate(2)).
            content.reserved = 0
        }
    }

    /// Closes the file and keeps it on the disk, for a later ``JobDirectory/openPart(for:identity:keeping:)``.
    package func close() {
        state.withLock { state in
            switch state {
            case .nameless(let content):
                guard content.length > 0, let named = try? named(content) else {
                    try? files.close(content.descriptor)
                    state = .gone
                    return
                }
                try? files.close(named.descriptor)
            case .open(let content):
                releaseReserve(content)
                // What a late error would tell is told again when the kept bytes are read and verified.
                try? files.close(content.descriptor)
            case .kept, .gone: return
            }
            state = .kept
        }
    }

    /// Closes the file and removes it; does nothing after ``publish(mode:modified:)``.
    ///
    /// - Returns: whether there was anything to remove.
    @discardableResult
    package func discard() -> Bool {
        state.withLock { state in
            switch state {
            case .nameless(let content):
                try? files.close(content.descriptor)
                state = .gone
                return true
            case .open(let content): try? files.close(content.descriptor)
            case .kept: break
            case .gone: return false
            }
            // Where it cannot be removed it stays an orphan, which cleaning looks for.
            try? files.unlink(name, in: folder.descriptor)
            state = .gone
            return true
        }
    }
}
