internal import Glibc
internal import RunnerJob
internal import Synchronization

extension PartFile {
    /// Sizes below this are not reserved: a system call more for every small file buys nothing.
    package static let smallestReserve: Int64 = 1 << 20

    /// Tells the whole size, before the first byte: checks the free space, and reserves it for a large file.
    ///
    /// Reserving leaves the length alone, so that a length still means bytes written.
    ///
    /// - Throws: ``StorageError/noSpace(path:missing:free:)`` when the rest of the file does not fit.
    package func expect(total: Int64) throws(StorageError) {
        try withContent { content throws(StorageError) in
            content.total = total
            let needed = total - content.length
            guard needed > 0 else { return }
            if content.reserved >= total { return }
            // Before it is reserved: some file systems, such as ext4, take all there is before they refuse.
            try checkSpace(total >= Self.smallestReserve ? total - occupied(content) : needed)
            if total < Self.smallestReserve { return }
            do throws(SystemError) {
                try files.reserve(total, for: content.descriptor)
                content.reserved = total
            } catch {
                switch error.code {
                case EOPNOTSUPP, ENOSYS, EINVAL: return
                default:
                    // What was taken on the way is given back.
                    try? files.truncate(content.descriptor, to: content.length)
                    throw failure(.reserve, error, content)
                }
            }
        }
    }

    /// Bytes that the part takes on the disk: also those that a run which was killed has reserved.
    private func occupied(_ content: Content) -> Int64 {
        max(content.length, (try? files.status(of: content.descriptor))?.allocated ?? 0)
    }

    /// Gives back blocks that were reserved beyond the end.
    func releaseReserve(_ content: Content) {
        guard content.reserved > content.length else { return }
        // Space that stays reserved harms nobody who reads the file.
        try? files.truncate(content.descriptor, to: content.length)
    }

    private func checkSpace(_ needed: Int64) throws(StorageError) {
        // A file system that cannot be asked will say so when it is written to.
        guard let free = (try? files.freeSpace(at: folder.descriptor)) ?? nil, needed > free else { return }
        throw .noSpace(path: path.text, missing: needed - free, free: free)
    }

    /// The error that a failed call on the part file makes; for a full disk it says how much is missing.
    func failure(_ operation: StorageError.Operation, _ error: SystemError, _ content: Content) -> StorageError {
        let needed = content.total.map { max($0 - content.length, 1) }
        switch error.code {
        case ENOSPC:
            let free = (try? files.freeSpace(at: folder.descriptor)) ?? nil
            return .noSpace(path: path.text, missing: needed.map { max($0 - (free ?? 0), 1) }, free: free)
        case EDQUOT: return .overQuota(path: path.text, missing: needed)
        default: return .failed(operation, path: path.text, errno: error.code)
        }
    }

    /// Runs `body` on the open file; throws when it is closed.
    func withContent<Result>(
        _ body: (inout Content) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try state.withLock { (state) throws(StorageError) in
            switch state {
            case .open(var content):
                defer { state = .open(content) }
                return try body(&content)
            case .nameless(var content):
                defer { state = .nameless(content) }
                return try body(&content)
            case .kept, .gone: throw .partIsClosed(path: path.text)
            }
        }
    }
}
