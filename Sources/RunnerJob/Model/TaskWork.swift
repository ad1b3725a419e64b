/// What every kind of task tells of itself to the graph, the plan and the report.
public protocol TaskWork: Sendable {
    static var kind: TaskKind { get }
    /// Paths of the job that the task reads, each at the place where the job file says so.
    var inputs: [PathInput] { get }
    /// Paths that the task writes.
    var outputs: [PathOutput] { get }
    /// Whether the task may write paths that it does not name.
    var mayWriteMore: Bool { get }
    /// Whether nothing but the bytes of what it reads counts for what it makes: neither times nor permissions.
    var readsBytesAlone: Bool { get }
    /// Whether what it reads is told from what it read before by a digest, for which it is read once more.
    var knowsInputsByDigest: Bool { get }
    /// Where the task reads from; not masked, and empty where there is no one place.
    var sourceText: String { get }
    /// What the task writes; not masked, and empty where it writes nothing.
    var targetText: String { get }
    /// A number for all that is asked of the task, so that another number means another result; nil where freshness
    /// is judged by what the task alone knows, as with downloads.
    var fingerprint: Int64? { get }
}

extension TaskWork {
    public var kind: TaskKind { Self.kind }
    public var mayWriteMore: Bool { false }
    public var readsBytesAlone: Bool { true }
    public var knowsInputsByDigest: Bool { false }
}

/// A path that a task reads: an edge of the graph where another task writes it.
public struct PathInput: Hashable, Sendable {
    /// What the path is to the task.
    public enum Role: Hashable, Sendable {
        case checksumList, body
        /// What the task is about; it may prove to be missing only when it is looked for.
        case subject
        /// The main thing that the task works on.
        case source
        /// Where it works; what lies there is not compared.
        case workplace
    }

    /// What has to lie there.
    public enum Shape: Hashable, Sendable { case file, folder, any }

    public var path: TargetPath
    public var place: Place
    public var role: Role
    public var shape: Shape

    public init(_ path: TargetPath, at place: Place, as role: Role, shape: Shape = .file) {
        self.path = path
        self.place = place
        self.role = role
        self.shape = shape
    }
}

/// A path that a task writes.
public struct PathOutput: Hashable, Sendable {
    public var path: TargetPath
    /// Whether it is a folder with all that lies in it.
    public var isFolder: Bool

    public init(_ path: TargetPath, isFolder: Bool = false) {
        self.path = path
        self.isFolder = isFolder
    }
}
