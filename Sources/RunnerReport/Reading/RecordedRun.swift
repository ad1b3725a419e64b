public import RunnerExecution

/// A run as its report tells of it; one that lasts or was killed has no end.
public struct RecordedRun: Hashable, Sendable {
    /// Unique name of the run.
    public var run: String
    public var job: String
    public var file: String
    /// RFC 3339, as the report has it.
    public var started: String
    /// Tasks that were to have an end.
    public var taskCount: Int
    /// Tasks that the report names, in the order in which it first did.
    public private(set) var tasks: [RecordedTask] = []
    public private(set) var warnings: [String] = []
    /// Raw value of the run's outcome; nil as long as it has none.
    public private(set) var outcome: String?
    public private(set) var exitStatus: Int64?
    /// Why not all that was planned was done, in words.
    public private(set) var reason: String?
    /// RFC 3339; nil as long as it has no end.
    public private(set) var finished: String?
    /// Number of tasks by the raw value of their outcome.
    public private(set) var counts: [String: Int64] = [:]
    public private(set) var bytes: Int64?
    public private(set) var transferred: Int64?

    private var places: [String: Int] = [:]

    /// Reads a report.
    ///
    /// A torn last line is passed over.
    ///
    /// - Returns: the runs that it tells of, in order.
    public static func runs(in report: [UInt8]) -> [RecordedRun] {
        var runs: [RecordedRun] = []
        for line in ReportLine.lines(of: report) {
            if line.event == "run.started" { runs.append(RecordedRun(line)) }
            guard let last = runs.indices.last, runs[last].run == line.run else { continue }
            runs[last].add(line)
        }
        return runs
    }

    private init(_ line: ReportLine) {
        run = line.run
        job = line.job ?? ""
        file = line.file ?? ""
        started = line.time
        taskCount = line.tasks ?? 0
    }

    private mutating func add(_ line: ReportLine) {
        switch line.event {
        case "run.warning": if let message = line.message { warnings.append(message) }
        case "run.finished":
            outcome = line.outcome
            exitStatus = line.exitStatus
            reason = line.reason
            finished = line.time
            counts = line.counts ?? [:]
            bytes = line.bytes
            transferred = line.transferred
        default:
            guard let task = line.task else { return }
            let place = places[task] ?? tasks.count
            if place == tasks.count {
                places[task] = place
                tasks.append(RecordedTask(task))
            }
            tasks[place].add(line)
        }
    }

    /// Whether the report tells how the run ended.
    public var isFinished: Bool { outcome != nil }

    /// A task by its id; nil when the report does not name it.
    public func task(_ id: String) -> RecordedTask? { places[id].map { tasks[$0] } }
}

/// A task as a report tells of it.
public struct RecordedTask: Hashable, Sendable {
    /// Why a task or its last attempt failed.
    public struct Failure: Hashable, Sendable {
        /// Raw value of the class, and a finer code.
        public var faultClass: String
        public var code: String?
        public var message: String
        public var advice: String?
    }

    public var id: String
    /// Destination, as the job has it.
    public var to = ""
    public var line: Int32?
    /// Raw value of the outcome; nil while it is under way.
    public var outcome: String?
    public var isOptional = false
    /// Size of the file.
    public var bytes: Int64?
    /// Size that was expected when it began.
    public var total: Int64?
    public var transferred: Int64?
    /// Requests made for it.
    public var attempts = 0
    public var digest: String?
    public var failure: Failure?
    /// Id of the task whose failure keeps it from starting.
    public var blockedBy: String?
    /// From its start to its end, in milliseconds.
    public var duration: Double?

    init(_ id: String) {
        self.id = id
    }

    /// Whether what it was for is there.
    public var isDone: Bool { outcome == "succeeded" || outcome == "up_to_date" }

    mutating func add(_ line: ReportLine) {
        if let to = line.to { self.to = to }
        if let number = line.line { self.line = number }
        switch line.event {
        case "task.started": total = line.bytes
        case "task.progress": bytes = line.bytes ?? bytes
        case "attempt.started": attempts = line.attempt ?? attempts
        case "attempt.failed": failure = line.error.map(Failure.init)
        case "task.finished": end(line)
        default: break
        }
    }

    private mutating func end(_ line: ReportLine) {
        outcome = line.outcome
        isOptional = line.optional ?? false
        bytes = line.bytes
        transferred = line.transferred
        attempts = line.attempts ?? attempts
        digest = line.digest
        failure = line.error.map(Failure.init)
        blockedBy = line.blockedBy
        // A number of a report that was changed may be more than any time.
        duration = (line.timing?.total).map { min(max(0, $0), 1e15) }
    }
}

extension RecordedTask.Failure {
    init(_ failure: ReportLine.Failure) {
        faultClass = failure.class ?? ""
        code = failure.code
        message = failure.message ?? ""
        advice = failure.advice
    }
}

extension PastRun {
    /// A run that only its report tells of.
    ///
    /// - Parameters:
    ///   - identity: of its job; nil where that is not known.
    ///   - state: where it stands if it has no end.
    public init(_ recorded: RecordedRun, identity: String?, unfinished state: PastRun.State) {
        self.init(
            run: recorded.run, identity: identity, job: recorded.job, file: recorded.file,
            started: Timestamp.milliseconds(recorded.started) ?? 0, state: recorded.isFinished ? .finished : state)
        guard let outcome = recorded.outcome, let finished = recorded.finished.flatMap(Timestamp.milliseconds) else {
            return
        }
        end(
            at: finished, outcome: outcome, exitStatus: recorded.exitStatus, counts: recorded.counts,
            bytes: recorded.bytes, transferred: recorded.transferred)
    }
}
