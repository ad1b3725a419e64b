internal import CLinux
internal import Glibc
internal import Synchronization

/// ``FileOperations`` by the kernel.
package final class SystemFiles: FileOperations {
    /// Whether an open file can be linked by its descriptor alone, as far as is known.
    private let linksByDescriptor = Atomic(true)

    package init() {}

    package func open(
        _ name: String, in folder: Int32, flags: Int32, mode: UInt32
    ) throws(SystemError) -> Int32 {
        try repeating { openat(folder, name, flags, mode) }
    }

    package func close(_ file: Int32) throws(SystemError) {
        // After EINTR the descriptor is closed already on Linux (close(2)); a second call could hit another's file.
        guard Glibc.close(file) == 0 || errno == EINTR else { throw SystemError(errno) }
    }

    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        try repeating { pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    package func move(from pipe: SplicePipe, to file: Int32, at offset: Int64) throws(SystemError) -> Int {
        try pipe.move(to: file, at: offset)
    }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        try repeating { pread(file, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    package func synchronizeFileSystem(of file: Int32) throws(SystemError) {
        _ = try repeating { runner_syncfs(file) }
    }

    package func excludeFromDumps(_ file: Int32) throws(SystemError) {
        _ = try repeating { runner_set_nodump(file) }
    }

    package func synchronize(_ file: Int32) throws(SystemError) {
        _ = try repeating { fdatasync(file) }
    }

    package func truncate(_ file: Int32, to length: Int64) throws(SystemError) {
        _ = try repeating { ftruncate(file, off_t(length)) }
    }

    package func reserve(_ length: Int64, for file: Int32) throws(SystemError) {
        _ = try repeating { runner_fallocate_keeping_size(file, 0, off_t(length)) }
    }

    package func copy(
        _ count: Int, from source: Int32, at sourceOffset: Int64, to target: Int32, at targetOffset: Int64
    ) throws(SystemError) -> Int {
        try repeating { runner_copy_file_range(source, off_t(sourceOffset), target, off_t(targetOffset), count) }
    }

    package func rename(_ name: String, to other: String, in folder: Int32) throws(SystemError) {
        _ = try repeating { renameat(folder, name, folder, other) }
    }

    package func unlink(_ name: String, in folder: Int32) throws(SystemError) {
        _ = try repeating { unlinkat(folder, name, 0) }
    }

    package func link(_ file: Int32, as name: String, in folder: Int32) throws(SystemError) {
        // The way over /proc takes half as long again. Kernels before 6.10 want a privilege for the other (linkat(2)).
        if linksByDescriptor.load(ordering: .relaxed) {
            do throws(SystemError) {
                _ = try repeating { linkat(file, "", folder, name, Int32(runner_empty_path)) }
                return
            } catch {
                guard error.code == ENOENT else { throw error }
                linksByDescriptor.store(false, ordering: .relaxed)
            }
        }
        _ = try repeating { linkat(AT_FDCWD, "/proc/self/fd/\(file)", folder, name, AT_SYMLINK_FOLLOW) }
    }

    package func makeFolder(_ name: String, in folder: Int32) throws(SystemError) {
        _ = try repeating { mkdirat(folder, name, 0o777) }
    }

    package func checkWritable(_ folder: Int32) throws(SystemError) {
        _ = try repeating { faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) }
    }
}

/// Calls again for as long as a signal got in the way.
///
/// - Returns: what the call returned, never negative.
@inline(__always)
func repeating<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(code) }
    }
}
