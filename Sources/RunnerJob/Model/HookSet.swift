/// Programs that are run after a run has ended (job-file reference, `hooks`).
public struct HookSet: Hashable, Sendable {
    /// When a hook is run; the raw values are the words of the job file.
    public enum Occasion: String, CaseIterable, Sendable {
        /// The run's status is 0.
        case success
        /// It is any other.
        case failure
        /// In each case, after the other.
        case always
    }

    /// Program and arguments by occasion; never empty.
    public var commands: [Occasion: [String]] = [:]
    /// Longest time that one of them may take.
    public var timeout = Duration.seconds(60)

    public init() {}

    /// What is run after a run with that status, in order.
    public func commands(afterSuccess isSuccess: Bool) -> [(occasion: Occasion, command: [String])] {
        [isSuccess ? .success : .failure, .always].compactMap { occasion in
            commands[occasion].map { (occasion, $0) }
        }
    }
}
