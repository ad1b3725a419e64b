internal import CLinux

/// Whether a file system is shared by machines, where locks and shared memory are not to be relied on.
package enum FileSystemKind: Hashable, Sendable {
    case local, network

    /// Looks at the file system that a path is on (statfs(2)); what cannot be told counts as local.
    package static func of(_ path: String) -> FileSystemKind {
        isNetwork(magic: runner_file_system_type(path)) ? .network : .local
    }

    /// Tells by the number that the kernel gives a kind of file system (linux/magic.h, and the sources of Lustre, GPFS
    /// and BeeGFS).
    static func isNetwork(magic: UInt32) -> Bool {
        switch magic {
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42: true  // NFS; SMB, CIFS, SMB2
        case 0x6573_5546: true  // FUSE, behind which there may be anything
        case 0x0BD0_0BD0, 0x0BD0_0BD1: true  // Lustre
        case 0x0102_1997, 0x564C, 0x5346_414F, 0x6B41_4653, 0x7375_7245: true  // 9P, NCP, AFS (two), Coda
        case 0x00C3_6400, 0x0116_1970, 0x7461_636F, 0x4750_4653, 0x1983_0326: true  // Ceph, GFS2, OCFS2, GPFS, BeeGFS
        default: false
        }
    }
}
