/// The status that the program ends with.
///
/// Numbers and precedence are those of the command-line reference; they never change meaning.
public struct ExitStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// All required tasks succeeded, or there was nothing to do.
    public static let success = ExitStatus(rawValue: 0)
    /// A required task failed, or was blocked by one that failed.
    public static let failed = ExitStatus(rawValue: 1)
    /// The command line or the job file is wrong.
    public static let usage = ExitStatus(rawValue: 2)
    /// The run could not start or go on: locked, no space, state not writable.
    public static let cannotGoOn = ExitStatus(rawValue: 3)
    /// Only optional tasks failed.
    public static let optionalFailed = ExitStatus(rawValue: 4)
    /// A check against recorded values found a difference.
    public static let differs = ExitStatus(rawValue: 5)
    /// SIGHUP.
    public static let hungUp = ExitStatus(rawValue: 129)
    /// SIGINT.
    public static let interrupted = ExitStatus(rawValue: 130)
    /// SIGTERM.
    public static let terminated = ExitStatus(rawValue: 143)

    /// The status that tells most, when several hold at once or several jobs ran: 2, then signals, 3, 5, 1, 4, 0.
    ///
    /// Of two signals the earlier one is kept. Success when the sequence is empty.
    public static func strongest(of statuses: some Sequence<ExitStatus>) -> ExitStatus {
        var strongest = success
        for status in statuses where status.weight > strongest.weight { strongest = status }
        return strongest
    }

    private var weight: Int {
        switch self {
        case .success: 0
        case .optionalFailed: 1
        case .failed: 2
        case .differs: 3
        case .cannotGoOn: 4
        case .usage: 6
        // Signals, and statuses that this table does not know and that must not be hidden by a weaker one.
        default: 5
        }
    }
}
