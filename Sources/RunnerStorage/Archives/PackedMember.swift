internal import Glibc
internal import LibArchive

/// A file, a folder or a link that goes into an archive.
struct PackedMember {
    /// In the archive.
    var name: [UInt8]
    /// Below the source; empty for the source itself.
    var path: [UInt8]
    var kind: ArchiveEntry.Kind
    var size: Int64
    var isExecutable: Bool
    var inode: UInt64
    var modified: ArchiveEntry.Time

    init?(_ status: stat, name: [UInt8], path: [UInt8], link: () throws(SystemError) -> [UInt8]) throws(SystemError) {
        self.name = name
        self.path = path
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link(try link())
        default: return nil
        }
        size = kind == .file ? Int64(status.st_size) : 0
        isExecutable = status.st_mode & S_IXUSR != 0
        inode = UInt64(status.st_ino)
        modified = ArchiveEntry.Time(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
    }

    /// Whether a file is still as it was.
    func isUnchanged(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) == size && UInt64(status.st_ino) == inode
            && Int64(status.st_mtim.tv_sec) == modified.seconds
            && Int64(status.st_mtim.tv_nsec) == modified.nanoseconds
    }

    /// Permissions that depend on nobody's umask.
    var mode: UInt16 {
        switch kind {
        case .folder: 0o755
        case .link: 0o777
        default: isExecutable ? 0o755 : 0o644
        }
    }
}
