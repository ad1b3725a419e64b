public import RunnerPlan

/// What the servers of a plan said when they were asked without fetching anything; see ``Probe``.
public struct PlanProbe: Sendable {
    /// What was found for each task that was asked for, by its index in the plan; sources in the order of the job.
    public var tasks: [Int: [SourceProbe]]

    public init(tasks: [Int: [SourceProbe]] = [:]) {
        self.tasks = tasks
    }

    /// Tasks that would fail: none of their sources would do; ascending.
    public var failingTasks: [Int] {
        tasks.filter { $0.value.allSatisfy { $0.failure != nil } }.keys.sorted()
    }

    /// The plan with the sizes that servers told, where it knew none.
    public func applied(to plan: Plan) -> Plan {
        var plan = plan
        for (index, sources) in tasks where plan.tasks.indices.contains(index) && plan.tasks[index].bytes == nil {
            plan.tasks[index].bytes = sources.first { $0.failure == nil }?.size
        }
        return plan
    }
}

/// What one source said.
public struct SourceProbe: Sendable {
    /// As in the job, secrets masked.
    public var url: String
    /// Where redirects led, secrets masked; nil when there were none.
    public var finalURL: String?
    /// Status of the last reply; nil when none came, and for ftp and files.
    public var status: Int?
    /// Bytes of the file; nil when the server does not tell.
    public var size: Int64?
    public var ranges: Ranges
    /// The entity tag and the date as sent, strong or not.
    public var etag: String?
    public var lastModified: String?
    /// Whether a download that was cut can be proved to go on from the same file, without a digest.
    public var hasStrongValidator: Bool
    /// `1.0`, `1.1`, `2` or `3`.
    public var httpVersion: String?
    /// Requests that were made.
    public var requests: Int
    /// Why a download from here would fail.
    public var failure: TaskFailure?

    public init(
        url: String, finalURL: String? = nil, status: Int? = nil, size: Int64? = nil, ranges: Ranges = .unknown,
        etag: String? = nil, lastModified: String? = nil, hasStrongValidator: Bool = false, httpVersion: String? = nil,
        requests: Int = 0, failure: TaskFailure? = nil
    ) {
        self.url = url
        self.finalURL = finalURL
        self.status = status
        self.size = size
        self.ranges = ranges
        self.etag = etag
        self.lastModified = lastModified
        self.hasStrongValidator = hasStrongValidator
        self.httpVersion = httpVersion
        self.requests = requests
        self.failure = failure
    }

    /// Whether a server gives pieces of the file.
    ///
    /// The raw values are words of the plan as JSON.
    public enum Ranges: String, Sendable {
        case yes, no, unknown
    }
}
