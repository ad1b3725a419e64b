/// What of the outside world the tasks of a job come from, besides the job file itself.
///
/// Who finds all of it unchanged may take it that the same tasks would be read again.
public struct Reliance: Hashable, Sendable {
    /// Variables of the environment that were looked at, set or not.
    public var variables: Set<String> = []
    /// Whether another run may read something else for reasons that do not show: a secret, the time, standard input.
    public var isFleeting = false
    /// The files that were read, by their absolute paths.
    public var files: [String: FileContent] = [:]

    /// What a file held when it was read.
    public enum FileContent: Hashable, Sendable {
        /// The SHA-256 of its bytes.
        case bytes(sha256: [UInt8])
        case unreadable
    }

    public init() {}
}
