public import RunnerJob

/// What became of a file or a folder that a task was to write.
public struct OutputCheck: Sendable {
    public enum Status: String, CaseIterable, Sendable {
        /// All that is known of the file holds.
        case ok
        /// It is there, and nothing says what its bytes should be.
        case unverified
        case differs
        /// It is not as it was when it was made; whether its bytes are others, nobody can tell.
        case changed
        case missing, unreadable
    }

    /// Who says what the file should be.
    public enum Witness: String, CaseIterable, Sendable { case job, list, lock, ledger }

    public var task: ExactText
    public var path: String
    public var place: Place
    public var isOptional: Bool
    public var status: Status
    /// Those with a digest of the file.
    public var witnesses: [Witness] = []
    /// Size of the file, and the digest that was compared; nil when there is none.
    public var bytes: Int64?
    public var digest: Digest?
    public var differences: [TaskFailure.Difference] = []
    /// What is wrong in words, masked; nil when nothing is.
    public var message: String?

    public init(task: ExactText, path: String, place: Place, isOptional: Bool, status: Status) {
        self.task = task
        self.path = path
        self.place = place
        self.isOptional = isOptional
        self.status = status
    }

    /// Whether the file is not what it should be; an optional one may be missing.
    public var isDifference: Bool {
        switch status {
        case .ok, .unverified: false
        case .missing: !isOptional
        case .differs, .changed, .unreadable: true
        }
    }
}
