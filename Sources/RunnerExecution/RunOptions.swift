public import RunnerJob
internal import RunnerTransfer

/// How a plan is carried out, apart from what the job file says.
public struct RunOptions: Sendable {
    /// Whether the first failure of a required task ends what has not started.
    public var failFast = false
    /// Slots, instead of the job's own `limits.concurrency`.
    public var concurrency: Int?
    /// Whether ``RunEvent/Kind/taskProgress(_:)`` is wanted.
    public var wantsProgress = false
    /// Unique name of the run; see ``RunIdentity/newRun()``.
    public var run: String
    /// Tells this job from all others, so that two jobs never share a part file: the real path of its file.
    public var identity: String
    /// Folder of what is kept between runs; nil for `.runner` in the job's directory.
    public var stateFolder: String?
    /// Whether the plan was made from a job that is held to its lock file: bytes that differ are a drift, status 5.
    public var isLocked = false
    /// Absolute path of a folder where files are kept that were not what they must be; nil to delete them.
    public var keepBad: String?
    /// What is to be noted where nothing is left to do at the end; nil for nothing.
    public var settlement: SettlementOrder?
    /// Version of the program, for the report and for `User-Agent`.
    public var version: String
    /// Origins that wanted to be left alone when an earlier run ended, as ``SiteView/holds`` tells them.
    public var initialHolds: [String: Int64] = [:]
    /// Seconds since 1970, for `limits.window`.
    public var wallClock: @Sendable () -> Int64 = { WallClock.seconds }
    /// Breaks a time into local time, as `localtime_r(3)` does, for `limits.window`.
    public var localTime: @Sendable (Int64) -> LocalTime = { LocalTime(universal: $0) }
    /// Where variables such as `SSL_CERT_FILE` are read.
    public var environment: [String: String]

    public init(identity: String, version: String, environment: [String: String] = [:]) {
        run = RunIdentity.newRun()
        self.identity = identity
        self.version = version
        self.environment = environment
    }
}
