/// The system calls that storage makes, so that a test can let any of them fail.
///
/// Every function does what the call of the same name does, begins again after EINTR, and throws the `errno`.
/// Names are relative to the folder that `folder` is open on, or to the current one when it is AT_FDCWD.
package protocol FileOperations: Sendable {
    func open(_ name: String, in folder: Int32, flags: Int32, mode: UInt32) throws(SystemError) -> Int32
    func close(_ file: Int32) throws(SystemError)
    /// Returns the number of bytes written, which may be less than asked for.
    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64) throws(SystemError) -> Int
    /// Returns the number of bytes moved, which may be less than the pipe holds (splice(2)).
    func move(from pipe: SplicePipe, to file: Int32, at offset: Int64) throws(SystemError) -> Int
    /// Returns the number of bytes read; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int64) throws(SystemError) -> Int
    func status(of file: Int32) throws(SystemError) -> FileStatus
    /// A link at `name` itself is not followed.
    func status(of name: String, in folder: Int32) throws(SystemError) -> FileStatus
    /// What links at `name` lead to.
    func followedStatus(of name: String, in folder: Int32) throws(SystemError) -> FileStatus
    /// fdatasync(2): the bytes, and the length, are safe on the disk.
    func synchronize(_ file: Int32) throws(SystemError)
    /// syncfs(2): the same for all that was written to the file system of an open file.
    func synchronizeFileSystem(of file: Int32) throws(SystemError)
    /// Sets the attribute "no dump" (ioctl_iflags(2)); fails where the file system has none.
    func excludeFromDumps(_ file: Int32) throws(SystemError)
    func truncate(_ file: Int32, to length: Int64) throws(SystemError)
    /// Reserves blocks for the first `length` bytes and leaves the length of the file as it is (fallocate(2)).
    func reserve(_ length: Int64, for file: Int32) throws(SystemError)
    func rename(_ name: String, to other: String, in folder: Int32) throws(SystemError)
    func unlink(_ name: String, in folder: Int32) throws(SystemError)
    /// Gives an open file that has no name one (open(2), O_TMPFILE); fails where the name is taken.
    func link(_ file: Int32, as name: String, in folder: Int32) throws(SystemError)
    /// The mode is 0777 under the umask.
    func makeFolder(_ name: String, in folder: Int32) throws(SystemError)
    func setMode(_ mode: UInt16, of file: Int32) throws(SystemError)
    /// Seconds since 1970; the time of last access stays.
    func setModified(_ seconds: Int64, of file: Int32) throws(SystemError)
    /// Bytes that this process may still write to the file system of `file`; nil when the file system does not tell.
    func freeSpace(at file: Int32) throws(SystemError) -> Int64?
    /// Throws unless names can be made in the open folder.
    func checkWritable(_ folder: Int32) throws(SystemError)
    func target(ofLink name: String, in folder: Int32) throws(SystemError) -> String
    /// The absolute path without any link (realpath(3)).
    func resolved(_ path: String) throws(SystemError) -> String
    /// Returns the number of bytes copied; 0 at the end of the source (copy_file_range(2)).
    func copy(
        _ count: Int, from source: Int32, at sourceOffset: Int64, to target: Int32, at targetOffset: Int64
    ) throws(SystemError) -> Int
}
