/// Caps of a whole run (job-file reference, `limits`).
public struct Limits: Hashable, Sendable {
    /// Busy slots, at least 1: a slot is a connection or a local job.
    public var concurrency: Int
    /// Local jobs at a time, at least 1; nil for as many as there are processors.
    public var cpu: Int?
    /// Requests in flight to one origin, at least 1; an HTTP/2 stream counts as one.
    public var perHost: Int
    /// Bytes a second that all transfers together may receive; nil for no limit.
    public var rate: Int64?
    /// When transfers may run; no window means always.
    public var windows: [TimeWindow] = []
    public var budget = Budget()
    public var failures = Failures.unlimited

    public init(concurrency: Int = 8, perHost: Int = 4) {
        self.concurrency = concurrency
        self.perHost = perHost
    }

    /// What one run may use up before it parks.
    public struct Budget: Hashable, Sendable {
        /// Bytes of bodies that come over the network; nil for no limit.
        public var bytes: Int64?
        /// Time since the run began; nil for no limit.
        public var time: Duration?

        public init(bytes: Int64? = nil, time: Duration? = nil) {
            self.bytes = bytes
            self.time = time
        }
    }

    /// How many required tasks may fail before nothing more is started.
    public enum Failures: Hashable, Sendable {
        case unlimited
        /// At least 1.
        case count(Int)
        /// Of the required tasks; from 1 to 100.
        case percent(Int)

        /// The number of failures that ends a run; nil for none.
        ///
        /// - Parameter required: required tasks of the run.
        public func ceiling(required: Int) -> Int? {
            switch self {
            case .unlimited: nil
            case .count(let count): count
            case .percent(let percent):
                // Rounded up: 10% of 5 tasks are reached with the first failure, not before it.
                max(1, (required.multipliedReportingOverflow(by: percent).partialValue + 99) / 100)
            }
        }
    }
}
