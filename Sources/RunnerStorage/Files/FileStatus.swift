package import RunnerPlan

/// What `fstat` and `fstatat` tell of a file, as far as this package needs it (inode(7)).
package struct FileStatus: Hashable, Sendable {
    package var kind: FileState.Kind
    /// Bytes.
    package var size: Int64
    package var links: UInt64
    package var device: UInt64
    package var inode: UInt64
    /// Nanoseconds since 1970; times beyond the years 1677 to 2262 are held at the ends of that range.
    package var modified: Int64
    package var changed: Int64
    /// Bytes that it takes on the disk.
    package var allocated: Int64
    /// Permission bits.
    package var mode: UInt16

    package init(
        kind: FileState.Kind, size: Int64, links: UInt64 = 1, device: UInt64 = 0, inode: UInt64 = 0,
        modified: Int64 = 0, changed: Int64 = 0, allocated: Int64 = 0, mode: UInt16 = 0
    ) {
        self.kind = kind
        self.size = size
        self.links = links
        self.device = device
        self.inode = inode
        self.modified = modified
        self.changed = changed
        self.allocated = allocated
        self.mode = mode
    }

    /// The part of it that the planner works with.
    package var state: FileState {
        FileState(
            kind: kind, size: size, modified: modified, changed: changed, inode: inode, device: device, mode: mode)
    }

    package func isSameFile(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }
}
