public import RunnerJob
public import RunnerPlan

/// One thing that happened in a run: the only seam between doing and telling.
///
/// Report, console, summary and exit status are all computed from the same stream of these.
public struct RunEvent: Sendable {
    /// Milliseconds since 1970, UTC.
    public var time: Int64
    public var kind: Kind

    public enum Kind: Sendable {
        indirect case runStarted(RunStarted)
        indirect case taskStarted(TaskStarted)
        indirect case attemptStarted(AttemptStarted)
        indirect case attemptFailed(AttemptFailed)
        case taskProgress(TaskProgress)
        indirect case taskFinished(TaskFinished)
        case warning(RunWarning)
        case runFinished(RunFinished)
    }

    public init(time: Int64, kind: Kind) {
        self.time = time
        self.kind = kind
    }
}

public struct RunStarted: Sendable {
    /// Unique name of the run: a time and random digits.
    public var run: String
    public var job: String
    /// The job file as the user named it, and the SHA-256 of its bytes in hexadecimal digits.
    public var file: String
    public var fileSHA256: String
    public var version: String
    public var host: String
    public var pid: Int32
    /// Number of tasks that will have a ``TaskFinished``.
    public var tasks: Int
    public var limits: Limits

    public init(
        run: String, job: String, file: String, fileSHA256: String, version: String, host: String, pid: Int32,
        tasks: Int, limits: Limits
    ) {
        self.run = run
        self.job = job
        self.file = file
        self.fileSHA256 = fileSHA256
        self.version = version
        self.host = host
        self.pid = pid
        self.tasks = tasks
        self.limits = limits
    }
}

public struct TaskStarted: Sendable {
    public var task: ExactText
    public var kind: TaskKind
    /// First source, masked; destination relative to the job's directory, or absolute.
    ///
    /// Empty where there is none.
    public var source: String
    public var to: String
    public var verdict: Verdict
    public var reason: Reason
    public var place: Place
    /// Bytes expected, where known before the first request.
    public var bytes: Int64?

    public init(
        task: ExactText, kind: TaskKind, source: String, to: String, verdict: Verdict, reason: Reason, place: Place,
        bytes: Int64?
    ) {
        self.task = task
        self.kind = kind
        self.source = source
        self.to = to
        self.verdict = verdict
        self.reason = reason
        self.place = place
        self.bytes = bytes
    }
}

public struct AttemptStarted: Sendable {
    public var task: ExactText
    /// Requests made for this task so far, this one included; a redirect is part of its request.
    public var attempt: Int
    /// Masked.
    public var url: String
    /// First byte asked for.
    public var resumedFrom: Int64
    /// Bytes of the file that a further connection fetches; nil for the main one, which fetches what is left.
    public var piece: Range<Int64>?

    public init(task: ExactText, attempt: Int, url: String, resumedFrom: Int64, piece: Range<Int64>? = nil) {
        self.task = task
        self.attempt = attempt
        self.url = url
        self.resumedFrom = resumedFrom
        self.piece = piece
    }
}

public struct AttemptFailed: Sendable {
    public var task: ExactText
    public var attempt: Int
    public var url: String
    public var resumedFrom: Int64
    /// Bytes of the file that the request was for; nil for the main connection.
    public var piece: Range<Int64>?
    public var failure: TaskFailure
    /// Wait before the next attempt; nil when there is none, and for a piece, which goes back to the main connection.
    public var retryIn: Duration?
    /// Source of the next attempt, masked; nil when there is none.
    public var nextURL: String?

    public init(
        task: ExactText, attempt: Int, url: String, resumedFrom: Int64, piece: Range<Int64>? = nil,
        failure: TaskFailure, retryIn: Duration?, nextURL: String?
    ) {
        self.task = task
        self.attempt = attempt
        self.url = url
        self.resumedFrom = resumedFrom
        self.piece = piece
        self.failure = failure
        self.retryIn = retryIn
        self.nextURL = nextURL
    }
}

/// Why an attempt or a task failed, in a form that needs no lower layer to be told.
public struct TaskFailure: Hashable, Sendable {
    public var faultClass: FaultClass
    /// A finer code within the class, such as `http_503`, `ENOSPC` or `curl_56`.
    public var code: String?
    /// One sentence in words, masked, without final stop.
    public var message: String
    /// What the user can do about it, in words; nil where nothing sensible can be said.
    public var advice: String?
    public var httpStatus: Int?
    /// Body bytes received in the failed attempt.
    public var bytes: Int64?
    /// What was wanted of the file and what it is, where these can be set against each other.
    public var differences: [Difference] = []

    /// One value that is not the one that was wanted.
    public struct Difference: Hashable, Sendable {
        /// `size`, or an algorithm's name.
        public var name: String
        public var wanted: String
        public var found: String

        public init(_ name: String, wanted: String, found: String) {
            self.name = name
            self.wanted = wanted
            self.found = found
        }
    }

    public init(
        _ faultClass: FaultClass, code: String? = nil, message: String, advice: String? = nil, httpStatus: Int? = nil,
        bytes: Int64? = nil
    ) {
        self.faultClass = faultClass
        self.code = code
        self.message = message
        self.advice = advice
        self.httpStatus = httpStatus
        self.bytes = bytes
    }
}

/// Something that a user should know and that fails no task.
public struct RunWarning: Hashable, Sendable {
    /// One sentence in words, masked, without final stop.
    public var message: String

    public init(_ message: String) {
        self.message = message
    }
}

/// How far a transfer is; sent at most ten times a second for a task, and only when someone asked for it.
public struct TaskProgress: Sendable {
    public var task: ExactText
    /// Bytes of the file that are there, those of earlier runs included.
    public var bytes: Int64
    public var total: Int64?
    /// Bytes a second over the last few seconds.
    public var rate: Int64?

    public init(task: ExactText, bytes: Int64, total: Int64?, rate: Int64?) {
        self.task = task
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }
}

public struct TaskFinished: Sendable {
    public enum Outcome: String, CaseIterable, Sendable {
        case succeeded
        case upToDate = "up_to_date"
        case failed, blocked, cancelled, skipped
    }

    /// What the server said in the reply that the file came from.
    public struct HTTP: Hashable, Sendable {
        public var status: Int
        /// `1.0`, `1.1`, `2` or `3`.
        public var version: String?
        public var etag: String?
        public var lastModified: String?
        public var contentType: String?

        public init(
            status: Int, version: String? = nil, etag: String? = nil, lastModified: String? = nil,
            contentType: String? = nil
        ) {
            self.status = status
            self.version = version
            self.etag = etag
            self.lastModified = lastModified
            self.contentType = contentType
        }
    }

    /// Where the time went; a phase that did not happen is nil.
    public struct Timing: Hashable, Sendable {
        public var queued: Duration?
        public var dns: Duration?
        public var connect: Duration?
        public var tls: Duration?
        public var firstByte: Duration?
        public var transfer: Duration?
        public var verify: Duration?
        public var publish: Duration?
        public var total: Duration?

        public init() {}
    }

    public var task: ExactText
    public var kind: TaskKind
    public var outcome: Outcome
    public var isOptional: Bool
    public var place: Place
    /// Destination, as in ``TaskStarted``.
    public var to: String
    /// Size of the file; nil when there is none.
    public var bytes: Int64?
    /// Body bytes that came over the network for this task.
    public var transferred: Int64
    /// Body bytes that were sent for this task; nil where it sends none.
    public var sent: Int64?
    public var resumedFrom: Int64?
    public var digest: Digest?
    /// Source that succeeded or failed last, and where redirects led; masked.
    public var url: String?
    public var finalURL: String?
    public var http: HTTP?
    public var timing: Timing
    public var attempts: Int
    public var failure: TaskFailure?
    /// The beginning of what a server answered to an upload, masked; nil where the job saves it.
    public var reply: String?
    /// What a program wrote, its beginning and end, masked.
    public var output: String?
    /// Id of the failed task that this one is blocked by.
    public var blockedBy: ExactText?

    public init(
        task: ExactText, kind: TaskKind = .download, outcome: Outcome, isOptional: Bool, place: Place, to: String,
        bytes: Int64? = nil, transferred: Int64 = 0, resumedFrom: Int64? = nil, digest: Digest? = nil,
        url: String? = nil,
        finalURL: String? = nil, http: HTTP? = nil, timing: Timing = Timing(), attempts: Int = 0,
        failure: TaskFailure? = nil, blockedBy: ExactText? = nil
    ) {
        self.task = task
        self.kind = kind
        self.outcome = outcome
        self.isOptional = isOptional
        self.place = place
        self.to = to
        self.bytes = bytes
        self.transferred = transferred
        self.resumedFrom = resumedFrom
        self.digest = digest
        self.url = url
        self.finalURL = finalURL
        self.http = http
        self.timing = timing
        self.attempts = attempts
        self.failure = failure
        self.blockedBy = blockedBy
    }
}

public struct RunFinished: Sendable {
    public enum Outcome: String, Sendable {
        case succeeded, failed
        /// Only optional tasks failed.
        case partial
        case cancelled
        /// The run could not go on: no space, for example.
        case parked
    }

    public var outcome: Outcome
    public var counts: [TaskFinished.Outcome: Int]
    /// Size of all files that are in place.
    public var bytes: Int64
    public var transferred: Int64
    /// Body bytes that uploads have sent.
    public var sent: Int64
    public var duration: Duration
    public var exitStatus: Int32
    /// Why not all that was planned was done, in words; nil where the outcome says it all.
    public var reason: String?

    public init(
        outcome: Outcome, counts: [TaskFinished.Outcome: Int], bytes: Int64, transferred: Int64, duration: Duration,
        exitStatus: Int32, reason: String? = nil, sent: Int64 = 0
    ) {
        self.sent = sent
        self.outcome = outcome
        self.counts = counts
        self.bytes = bytes
        self.transferred = transferred
        self.duration = duration
        self.exitStatus = exitStatus
        self.reason = reason
    }
}
