internal import Glibc
internal import RunnerJob
internal import Synchronization

/// Small files get no name before they are whole (open(2), O_TMPFILE): a file system makes one entry of a folder for them
/// instead of two, and a run that is killed leaves nothing of them.
extension PartFile {
    /// The most that is worth to be lost with a process that is killed before ``takeName()``.
    package static let largestNameless: Int64 = 64 << 10

    /// Gives the file its name, where it has none as yet, so that a later run can go on with it.
    package func takeName() throws(StorageError) {
        try state.withLock { (state) throws(StorageError) in
            guard case .nameless(let content) = state else { return }
            state = .open(try named(content))
        }
    }

    /// A file without a name under the part's name; what was there goes.
    func named(_ content: Content) throws(StorageError) -> Content {
        do throws(SystemError) {
            try replacing { (name) throws(SystemError) in
                try files.link(content.descriptor, as: name, in: folder.descriptor)
            }
            return content
        } catch {
            // No /proc, or a rule of the system against links.
            return try copied(content)
        }
    }

    /// A copy under the part's name.
    private func copied(_ content: Content) throws(StorageError) -> Content {
        var copy = content
        do throws(SystemError) {
            let mode = try files.status(of: content.descriptor).mode
            try replacing { (name) throws(SystemError) in
                let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
                copy.descriptor = try files.open(name, in: folder.descriptor, flags: flags, mode: UInt32(mode))
            }
        } catch {
            throw .full(error.code, path: path.text) ?? .failed(.create, path: path.text, errno: error.code)
        }
        do throws(SystemError) {
            try copyBytes(of: content, to: copy.descriptor)
        } catch {
            try? files.close(copy.descriptor)
            try? files.unlink(name, in: folder.descriptor)
            throw failure(.write, error, content)
        }
        try? files.close(content.descriptor)
        return copy
    }

    private func copyBytes(of content: Content, to target: Int32) throws(SystemError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(content.length), alignment: 1)
        defer { bytes.deallocate() }
        guard try files.readFully(into: bytes, from: content.descriptor, at: 0) == bytes.count else {
            throw SystemError(EIO)
        }
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let added = try files.write(rest, to: target, at: Int64(written))
            guard added > 0 else { throw SystemError(EIO) }
            written += added
        }
    }

    /// Makes an entry for the part's name in place of what is there.
    private func replacing(_ make: (String) throws(SystemError) -> Void) throws(SystemError) {
        folder.notePart(name)
        do {
            try make(name)
        } catch {
            guard error.code == EEXIST else { throw error }
            try files.unlink(name, in: folder.descriptor)
            try make(name)
        }
    }
}
