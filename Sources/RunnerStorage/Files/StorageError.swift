internal import Glibc
package import RunnerJob

/// Why something could not be done on the disk; words are made of it elsewhere.
///
/// Every `path` is absolute, or relative to the job's directory, as the job wrote it.
package enum StorageError: Error, Hashable, Sendable {
    /// A system call failed for a reason that no other case tells better.
    case failed(Operation, path: String, errno: Int32)
    /// The file system is full; `missing` bytes are needed beyond the `free` ones, where the whole size is known.
    case noSpace(path: String, missing: Int64?, free: Int64?)
    /// The user's share of the file system is used up (EDQUOT); `missing` as in ``noSpace(path:missing:free:)``.
    case overQuota(path: String, missing: Int64?)
    /// A folder lies where the file is to go.
    case destinationIsFolder(path: String)
    /// A device, a pipe or a socket lies where the file is to go; a file must not replace it.
    case destinationIsSpecial(path: String)
    /// `parent`, which ought to be a folder on the way to `path`, is something else.
    case parentIsFile(path: String, parent: String)
    /// `link`, on the way to `path`, is a symbolic link to `target`.
    ///
    /// Below the job's directory links are not followed. A job that writes `absolutePath` itself gets there.
    case linkInPath(path: String, link: String, target: String, absolutePath: String)
    /// A part file was used after it was closed, published or discarded.
    case partIsClosed(path: String)
    /// Another process has removed the part of a file or a folder, put its own in the place of it, or changed its length.
    case partReplaced(path: String)
    /// libcrypto refused an algorithm, or failed; `text` is its own.
    case digestFailed(DigestAlgorithm, text: String)
    /// The file behind a `file:` URL is not there, or is no regular file, or cannot be read.
    case sourceMissing(path: String)
    case sourceIsNotFile(path: String)
    case sourceUnreadable(path: String, errno: Int32)
    /// The file behind a `file:` URL changed, or ended early, while it was copied.
    case sourceChanged(path: String)

    /// Neither the server nor the URL gives the file a name, or one that cannot be used.
    case noName(folder: String)
    case badName(String)
    /// The server gives the file a name that a file has already which this task did not make.
    case nameTaken(path: String)
    /// The server gives the file a name that another task of the run writes.
    case nameOfOtherTask(path: String)

    /// What was attempted.
    package enum Operation: String, CaseIterable, Sendable {
        case open, create, write, read, inspect, truncate, reserve, rename, remove, makeFolder
        case setMode, setModified, measureSpace, close, copy
    }
}

extension StorageError {
    /// The class that decides what becomes of the task and of the run (transfer reference, error classes).
    package var faultClass: FaultClass {
        switch self {
        case .failed(_, _, let errno): Self.faultClass(ofErrno: errno)
        case .noSpace, .overQuota: .storage
        case .destinationIsFolder, .destinationIsSpecial, .parentIsFile, .linkInPath, .nameTaken, .nameOfOtherTask,
            .partReplaced:
            .disk
        case .noName, .badName: .input
        case .partIsClosed, .digestFailed: .internal
        case .sourceMissing: .notFound
        case .sourceIsNotFile, .sourceUnreadable, .sourceChanged: .input
        }
    }

    /// Whether the process ran out of descriptors: a setting, not a disk, is what has to change.
    package var isOutOfDescriptors: Bool {
        switch self {
        case .failed(_, _, let errno), .sourceUnreadable(_, let errno): errno == EMFILE || errno == ENFILE
        default: false
        }
    }

    /// The symbolic name of the system's error, such as `ENOSPC`; nil where no system call failed.
    package var code: String? {
        switch self {
        case .failed(_, _, let errno), .sourceUnreadable(_, let errno): ErrnoName.of(errno)
        case .noSpace: "ENOSPC"
        case .overQuota: "EDQUOT"
        default: nil
        }
    }

    /// Bytes for which there was no room, where that is known.
    package var missingBytes: Int64? {
        switch self {
        case .noSpace(_, let missing, _), .overQuota(_, let missing): missing
        default: nil
        }
    }

    /// Whether the process is short of something that no other disk would give.
    package var isOfProcess: Bool {
        if case .failed(_, _, ENOMEM) = self { true } else { isOutOfDescriptors }
    }

    /// The same of an error that only its symbolic name is left of.
    package static func isOfProcess(code: String?) -> Bool {
        code.map { [EMFILE, ENFILE, ENOMEM].compactMap(ErrnoName.of).contains($0) } ?? false
    }

    /// Full, or over the quota; anything else stays what it was.
    ///
    /// - Parameter missing: bytes that were still to come, where that is known.
    static func full(_ errno: Int32, path: String, missing: Int64? = nil, free: Int64? = nil) -> StorageError? {
        switch errno {
        case ENOSPC: .noSpace(path: path, missing: missing, free: free)
        case EDQUOT: .overQuota(path: path, missing: missing)
        default: nil
        }
    }

    private static func faultClass(ofErrno errno: Int32) -> FaultClass {
        switch errno {
        case ENOSPC, EDQUOT, EIO, EROFS, EMFILE, ENFILE, ENOMEM, ESTALE, ENODEV, ENXIO: .storage
        default: .disk
        }
    }
}
