public import RunnerJob

/// What the planner may ask of the disk; it reads no file's content and changes nothing.
public protocol DiskView {
    /// What lies at a path of the job; nil when nothing does.
    ///
    /// A symbolic link is not followed.
    func state(of path: TargetPath) -> FileState?
    /// Bytes free for the job's directory; nil when that cannot be told.
    func freeSpace() -> Int64?
    /// What was recorded of a file when it was put at a path; nil when nothing is known.
    func record(of path: TargetPath) -> PublishedRecord?
    /// The files that were put in place by requests, by their ``SourceKey``; of one request the newest last.
    func paths(from sources: Set<Int64>) -> [Int64: [TargetPath]]
    /// What an earlier run left of a download; nil when there is nothing to go on from.
    func part(of download: Download) -> PartOnDisk?
    /// What a path holds, a folder with all that lies in it.
    func stamp(of path: TargetPath) -> PathStamp
    /// What was recorded of a task when it was done, by ``JobTask/productKey``; nil when nothing is known.
    func product(of key: ExactText) -> ProductRecord?
    /// Whether others than its owner may read the file at an absolute path; false when that cannot be told.
    func isOpenToOthers(_ path: String) -> Bool
}

extension DiskView {
    public func record(of path: TargetPath) -> PublishedRecord? { nil }
    public func paths(from sources: Set<Int64>) -> [Int64: [TargetPath]] { [:] }
    public func part(of download: Download) -> PartOnDisk? { nil }
    public func stamp(of path: TargetPath) -> PathStamp { PathStamp(state(of: path)) }
    public func product(of key: ExactText) -> ProductRecord? { nil }
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
    public var device: UInt64
    /// Permission bits, with those for set-user-ID and so on.
    public var mode: UInt16

    public init(
        kind: Kind, size: Int64, modified: Int64 = 0, changed: Int64 = 0, inode: UInt64 = 0, device: UInt64 = 0,
        mode: UInt16 = 0
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
        self.device = device
        self.mode = mode
    }
}
