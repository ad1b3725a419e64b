internal import Glibc
internal import RunnerPlan

extension SystemFiles {
    package func status(of file: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try repeating { fstat(file, &status) }
        return FileStatus(status)
    }

    package func status(of name: String, in folder: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try repeating { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }

    package func followedStatus(of name: String, in folder: Int32) throws(SystemError) -> FileStatus {
        var status = stat()
        _ = try repeating { fstatat(folder, name, &status, 0) }
        return FileStatus(status)
    }

    package func setMode(_ mode: UInt16, of file: Int32) throws(SystemError) {
        _ = try repeating { fchmod(file, mode_t(mode & 0o7777)) }
    }

    package func setModified(_ seconds: Int64, of file: Int32) throws(SystemError) {
        // UTIME_OMIT of utimensat(2), a macro that Swift cannot read.
        let leave = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        let times = [leave, timespec(tv_sec: Int(seconds), tv_nsec: 0)]
        _ = try repeating { futimens(file, times) }
    }

    package func freeSpace(at file: Int32) throws(SystemError) -> Int64? {
        var status = statvfs()
        _ = try repeating { fstatvfs(file, &status) }
        // Some file systems of user space fill in nothing.
        guard status.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    package func target(ofLink name: String, in folder: Int32) throws(SystemError) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try repeating { readlinkat(folder, name, &buffer, buffer.count) }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package func resolved(_ path: String) throws(SystemError) -> String {
        guard let result = realpath(path, nil) else { throw SystemError(errno) }
        defer { free(result) }
        return String(cString: result)
    }
}

extension FileStatus {
    init(_ status: stat) {
        let kind: FileState.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        self.init(
            kind: kind, size: Int64(status.st_size), links: UInt64(status.st_nlink), device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino), modified: Self.nanoseconds(status.st_mtim),
            changed: Self.nanoseconds(status.st_ctim),
            // Blocks of 512 bytes, whatever the file system's own are (inode(7)).
            allocated: Int64(status.st_blocks).multipliedReportingOverflow(by: 512).partialValue,
            mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return overflow || overflowOfSum ? (time.tv_sec < 0 ? .min : .max) : sum
    }
}
