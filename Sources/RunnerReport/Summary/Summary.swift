public import RunnerExecution
internal import RunnerJob

/// What a run came to, computed from its events alone.
public struct Summary: Sendable {
    public private(set) var started: RunStarted?
    public private(set) var tally = RunTally()
    /// Requests that were made again.
    public private(set) var retries = 0
    public private(set) var finished: RunFinished?
    private var missed: [TaskFinished] = []

    public init() {}

    /// Takes the next event of the run.
    public mutating func add(_ event: RunEvent) {
        switch event.kind {
        case .runStarted(let event):
            started = event
        case .attemptFailed(let event):
            if event.retryIn != nil { retries += 1 }
        case .taskFinished(let event):
            tally.add(event)
            switch event.outcome {
            case .failed, .blocked: missed.append(event)
            case .succeeded, .upToDate, .cancelled, .skipped: break
            }
        case .runFinished(let event):
            finished = event
        case .taskStarted, .attemptStarted, .taskProgress, .warning:
            break
        }
    }

    /// What a run comes to that has found everything in place.
    public init(_ started: RunStarted, _ tally: RunTally, _ finished: RunFinished) {
        self.started = started
        self.tally = tally
        self.finished = finished
    }

    /// Number of tasks with an outcome.
    public func count(_ outcome: TaskFinished.Outcome) -> Int { tally.counts[outcome] ?? 0 }

    /// Tasks that failed, in the order of the job file.
    public var failures: [TaskFinished] { inFileOrder(.failed) }

    /// Tasks that something else's failure kept from starting, in the order of the job file.
    public var blocked: [TaskFinished] { inFileOrder(.blocked) }

    private func inFileOrder(_ outcome: TaskFinished.Outcome) -> [TaskFinished] {
        func key(_ entry: (offset: Int, element: TaskFinished)) -> (Int32, Int32, Int32, Int) {
            (entry.element.place.file, entry.element.place.line, entry.element.place.column, entry.offset)
        }
        return missed.filter { $0.outcome == outcome }.enumerated().sorted { key($0) < key($1) }.map(\.element)
    }
}
