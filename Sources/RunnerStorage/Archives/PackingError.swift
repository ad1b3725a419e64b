package import RunnerJob

/// Why an archive was not made; words are made of it elsewhere.
package enum PackingError: Error, Hashable, Sendable {
    /// A device, a pipe or a socket.
    case special(path: String)
    /// A file is no longer as it was when the folder was looked through.
    case changed(path: String)
    /// A folder was asked for, and a file lies there.
    case notAFolder(path: String)
    /// Two files would have one name in the archive.
    case sameName(String, one: String, other: String)
    /// The name is not UTF-8, which the format asks for.
    case nameNotUnicode(path: String, PackedFormat)
    /// Patterns and `strip` leave nothing of what was named.
    case nothingLeft
    /// libarchive refused; `text` is its own.
    case refused(path: String?, text: String)
    case storage(StorageError)
    /// Stopped on demand.
    case cancelled
}

extension PackingError {
    /// The class that decides what becomes of the task and of the run.
    package var faultClass: FaultClass {
        switch self {
        case .storage(let error): error.faultClass
        case .special, .changed, .notAFolder, .sameName, .nameNotUnicode, .nothingLeft: .input
        case .refused, .cancelled: .archive
        }
    }
}
