import RunnerExecution
import RunnerJob
import RunnerPlan

/// 2026-11-29T03:15:00.042Z.
let moment: Int64 = 1_795_922_100_042

func place(_ line: Int32) -> Place { Place(line: line, column: 5) }

func finished(
    _ id: String, _ outcome: TaskFinished.Outcome, line: Int32 = 1, optional: Bool = false, to: String? = nil,
    transferred: Int64 = 0, attempts: Int = 1, failure: TaskFailure? = nil, blockedBy: ExactText? = nil
) -> TaskFinished {
    TaskFinished(
        task: ExactText(id), outcome: outcome, isOptional: optional, place: place(line), to: to ?? id,
        transferred: transferred, attempts: attempts, failure: failure, blockedBy: blockedBy)
}

func event(_ kind: RunEvent.Kind, after milliseconds: Int64 = 0) -> RunEvent {
    RunEvent(time: moment + milliseconds, kind: kind)
}

/// The sources of a job file that no test reads.
let jobSources: SourceMap = {
    var sources = SourceMap()
    _ = sources.add(SourceMap.File(name: "jobs/nightly.yaml", bytes: []))
    return sources
}()

/// One event of every kind, in which every member has a value; and each kind with as few as it can have.
enum Samples {
    static let started = RunStarted(
        run: "20261129T031500-ab12", job: "nightly", file: "jobs/nightly.yaml",
        fileSHA256: String(repeating: "0", count: 64), version: "0.1.0", host: "build-7", pid: 4711, tasks: 3,
        limits: Limits(concurrency: 8, perHost: 4))

    static let failure: TaskFailure = {
        var failure = TaskFailure(
            .rateLimited, code: "http_503", message: "the server answered 503 and asks to wait", advice: "wait",
            httpStatus: 503, bytes: 12)
        failure.differences = [TaskFailure.Difference("size", wanted: "12", found: "13")]
        return failure
    }()

    static var full: TaskFinished {
        var task = finished("iso", .failed, line: 12, optional: true, to: "iso/debian.iso", failure: failure)
        task.bytes = 100
        task.transferred = 60
        task.resumedFrom = 40
        task.digest = Digest(.md5, bytes: (0..<16).map { $0 })
        task.url = "https://example.org/a"
        task.finalURL = "https://cdn.example.org/a"
        task.http = TaskFinished.HTTP(
            status: 206, version: "2", etag: "\"a1b2\"", lastModified: "Sun, 29 Nov 2026 00:00:00 GMT",
            contentType: "application/octet-stream")
        task.timing.queued = .milliseconds(1)
        task.timing.dns = .microseconds(1_250)
        task.timing.connect = .milliseconds(3)
        task.timing.tls = .milliseconds(4)
        task.timing.firstByte = .milliseconds(5)
        task.timing.transfer = .milliseconds(6)
        task.timing.verify = .nanoseconds(7)
        task.timing.publish = .milliseconds(8)
        task.timing.total = .seconds(9)
        task.attempts = 2
        task.output = "said\n"
        task.sent = 5
        task.reply = "ok"
        task.blockedBy = "other"
        return task
    }

    static let all: [RunEvent] = [
        event(.runStarted(started)),
        event(
            .taskStarted(
                TaskStarted(
                    task: "iso", kind: .download, source: "https://example.org/a", to: "iso/debian.iso",
                    verdict: .fetch, reason: .notOnDisk, place: place(12), bytes: 100))),
        event(
            .taskStarted(
                TaskStarted(
                    task: "b", kind: .download, source: "https://example.org/b", to: "b", verdict: .verify,
                    reason: .digestToCheck(onDisk: 7), place: place(13), bytes: nil))),
        event(
            .attemptStarted(
                AttemptStarted(task: "iso", attempt: 1, url: "https://example.org/a", resumedFrom: 0, piece: 0..<60))),
        event(
            .attemptFailed(
                AttemptFailed(
                    task: "iso", attempt: 1, url: "https://example.org/a", resumedFrom: 40, piece: 40..<60,
                    failure: failure,
                    retryIn: .milliseconds(1500), nextURL: "https://mirror.example.net/a"))),
        event(
            .attemptFailed(
                AttemptFailed(
                    task: "iso", attempt: 2, url: "https://example.org/a", resumedFrom: 0,
                    failure: TaskFailure(.dns, message: "no such host"), retryIn: nil, nextURL: nil))),
        event(.taskProgress(TaskProgress(task: "iso", bytes: 50, total: 100, rate: 10))),
        event(.taskProgress(TaskProgress(task: "iso", bytes: 50, total: nil, rate: nil))),
        event(.taskFinished(full)),
        event(.taskFinished(finished("b", .upToDate, attempts: 0))),
        event(
            .runFinished(
                RunFinished(
                    outcome: .failed,
                    counts: Dictionary(uniqueKeysWithValues: TaskFinished.Outcome.allCases.map { ($0, 1) }),
                    bytes: 100, transferred: 60, duration: .milliseconds(2500), exitStatus: 1,
                    reason: "stopped after the first failure (limits.failures)", sent: 5))),
        event(
            .runFinished(
                RunFinished(
                    outcome: .succeeded, counts: [:], bytes: 0, transferred: 0, duration: .zero, exitStatus: 0))),
        event(.warning(RunWarning("the ledger was set aside"))),
    ]
}
