package import RunnerExecution
internal import RunnerJob
package import RunnerPlan

/// How far a run is, drawn from its events alone: what the screen shows between two of them.
package struct ProgressBoard: Sendable {
    /// A task at work.
    package struct Row: Hashable, Sendable {
        /// What a task at work is doing.
        package enum Phase: Hashable, Sendable {
            /// The request is made; nothing has come yet.
            case asking
            case receiving
            /// An attempt failed; the next begins at a time (milliseconds since 1970).
            case waiting(until: Int64, reason: String)
        }

        package var name: String
        package var phase = Phase.asking
        /// Bytes of the file that are there.
        package var bytes: Int64 = 0
        package var total: Int64?
        /// Bytes a second.
        package var rate: Int64 = 0
        private var meter = RateMeter()
        /// Milliseconds since 1970.
        package var started: Int64
        /// Tasks that had started before.
        fileprivate let number: Int

        fileprivate init(name: String, total: Int64?, started: Int64, number: Int) {
            self.name = name
            self.total = total
            self.started = started
            self.number = number
        }

        /// Takes note of how far the transfer is; measures the rate where the event does not tell it.
        ///
        /// Between two attempts nothing moves.
        mutating func advance(_ progress: TaskProgress, at time: Int64) {
            if case .waiting = phase { return }
            if progress.bytes > 0 { phase = .receiving }
            bytes = progress.bytes
            total = progress.total ?? total
            rate = progress.rate ?? meter.rate(bytes: progress.bytes, at: time)
        }

        /// Begins to measure anew, from the bytes that are there.
        mutating func ask(from offset: Int64) {
            phase = .asking
            bytes = offset
            rate = 0
            meter = RateMeter()
        }
    }

    /// Tasks that will have ended when the run has.
    package private(set) var tasks: Int
    package private(set) var ended = 0
    package private(set) var failed = 0
    /// Bytes of the files in place.
    package private(set) var bytes: Int64 = 0
    /// When the run began, in milliseconds since 1970.
    package private(set) var started: Int64
    private let redactor: Redactor
    /// Tasks at work.
    private var rows: [ExactText: Row] = [:]
    private var begun = 0
    /// Bytes planned for tasks that have not started, as far as they are known.
    private var planned: [ExactText: Int64] = [:]
    private var plannedBytes: Int64 = 0

    package init(_ plan: Plan, started: Int64) {
        tasks = plan.tasks.count
        self.started = started
        redactor = Redactor(secrets: plan.job.secrets)
        for task in plan.tasks {
            guard let bytes = task.bytes ?? (task.verdict == .upToDate ? 0 : nil) else { continue }
            planned[task.task.id] = bytes
            plannedBytes = plannedBytes.saturatingAdd(bytes)
        }
    }

    /// Tasks at work, in the order of their start.
    package var running: [Row] { rows.values.sorted { $0.number < $1.number } }

    /// Bytes a second of all tasks together.
    package var rate: Int64 { rows.values.reduce(0) { $0.saturatingAdd($1.rate) } }

    /// Bytes of files in place and of those under way.
    package var arrived: Int64 { rows.values.reduce(bytes) { $0.saturatingAdd($1.bytes) } }

    /// Bytes that are still to come; nil as long as a size is unknown.
    package var remaining: Int64? {
        guard tasks - ended - rows.count == planned.count else { return nil }
        var sum = plannedBytes
        for row in rows.values {
            guard let total = row.total else { return nil }
            sum = sum.saturatingAdd(max(0, total.saturatingSubtract(row.bytes)))
        }
        return sum
    }

    /// Takes note of an event.
    package mutating func apply(_ event: RunEvent) {
        switch event.kind {
        case .runStarted(let run):
            tasks = run.tasks
            started = event.time
        case .taskStarted(let task): start(task, at: event.time)
        case .attemptStarted(let attempt):
            // A segment goes on beside the request that the row tells of.
            if attempt.piece == nil { rows[attempt.task]?.ask(from: attempt.resumedFrom) }
        case .attemptFailed(let attempt):
            if attempt.piece == nil { wait(after: attempt, at: event.time) }
        case .taskProgress(let progress):
            rows[progress.task]?.advance(progress, at: event.time)
        case .taskFinished(let task): finish(task)
        case .warning, .runFinished: break
        }
    }

    private mutating func start(_ task: TaskStarted, at time: Int64) {
        forgetPlan(of: task.task)
        let name = redactor.text(task.task.text)
        rows[task.task] = Row(name: name, total: task.bytes, started: time, number: begun)
        begun += 1
    }

    private mutating func wait(after attempt: AttemptFailed, at time: Int64) {
        rows[attempt.task]?.rate = 0
        guard let wait = attempt.retryIn else { return }
        let until = time.saturatingAdd(wait.wholeMilliseconds)
        rows[attempt.task]?.phase = .waiting(until: until, reason: attempt.failure.message)
    }

    private mutating func finish(_ task: TaskFinished) {
        forgetPlan(of: task.task)
        rows[task.task] = nil
        ended += 1
        switch task.outcome {
        case .succeeded, .upToDate: bytes = bytes.saturatingAdd(task.bytes ?? 0)
        case .failed, .blocked: failed += 1
        case .cancelled, .skipped: break
        }
    }

    private mutating func forgetPlan(of task: ExactText) {
        guard !planned.isEmpty, let bytes = planned.removeValue(forKey: task) else { return }
        plannedBytes = plannedBytes.saturatingSubtract(bytes)
    }
}
