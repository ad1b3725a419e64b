public import RunnerJob

/// What the planner may ask of the disk; it reads no file's content and changes nothing.
public protocol DiskView {
    /// What lies at a path of the job; nil when nothing does.
    ///
    /// A symbolic link is not followed.
    func state(of path: TargetPath) -> FileState?
    /// Bytes free for the job's directory; nil when that cannot be told.
    func freeSpace() -> Int64?
}

/// What `lstat` tells of a path.
public struct FileState: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case file, folder, link, other }

    public var kind: Kind
    /// Bytes.
    public var size: Int64
    /// Nanoseconds since 1970.
    public var modified: Int64
    public var changed: Int64
    public var inode: UInt64

    public init(kind: Kind, size: Int64, modified: Int64 = 0, changed: Int64 = 0, inode: UInt64 = 0) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }
}
