import RunnerExecution
import RunnerJob
import RunnerPlan

/// Short ways to make the events and plans that tests of the screen need.
enum Events {
    static let place = Place(line: 4, column: 5)

    /// A plan of downloads with the given ids and sizes.
    static func plan(_ tasks: KeyValuePairs<String, Int64?>, verdict: Verdict = .fetch) -> Plan {
        let origin = Origin(scheme: "http", host: "h", port: 80)
        let planned = tasks.map { name, bytes in
            let url = SourceURL(url: "http://h/\(name)", origin: origin, place: place)
            let download = Download(sources: [url], destination: .file(TargetPath(normalized: name)))
            let task = JobTask(id: ExactText(name), place: place, action: .download(download))
            return PlannedTask(task: task, verdict: verdict, reason: .notOnDisk, bytes: bytes)
        }
        var sources = SourceMap()
        _ = sources.add(SourceMap.File(name: "job.yaml", bytes: []))
        let job = Job(
            name: "job", file: "job.yaml", folder: "/", directory: "/", tasks: planned.map(\.task), sources: sources)
        return Plan(job: job, tasks: planned, order: Array(planned.indices), warnings: [])
    }

    static func begun(tasks: Int, at time: Int64 = 0) -> RunEvent {
        RunEvent(
            time: time,
            kind: .runStarted(
                RunStarted(
                    run: "r", job: "job", file: "job.yaml", fileSHA256: "", version: "0", host: "h", pid: 1,
                    tasks: tasks, limits: Limits())))
    }

    static func started(_ name: String, at time: Int64 = 0, bytes: Int64? = nil) -> RunEvent {
        RunEvent(
            time: time,
            kind: .taskStarted(
                TaskStarted(
                    task: ExactText(name), kind: .download, source: "http://h/\(name)", to: name, verdict: .fetch,
                    reason: .notOnDisk, place: place, bytes: bytes)))
    }

    static func asked(_ name: String, at time: Int64 = 0, from offset: Int64 = 0) -> RunEvent {
        RunEvent(
            time: time,
            kind: .attemptStarted(
                AttemptStarted(task: ExactText(name), attempt: 1, url: "http://h/\(name)", resumedFrom: offset)))
    }

    static func broke(_ name: String, at time: Int64 = 0, retryIn: Duration?, _ message: String = "reset") -> RunEvent {
        RunEvent(
            time: time,
            kind: .attemptFailed(
                AttemptFailed(
                    task: ExactText(name), attempt: 1, url: "http://h/\(name)", resumedFrom: 0,
                    failure: TaskFailure(.reset, message: message), retryIn: retryIn, nextURL: nil)))
    }

    static func moved(_ name: String, at time: Int64 = 0, _ bytes: Int64, of total: Int64?, rate: Int64?) -> RunEvent {
        RunEvent(
            time: time,
            kind: .taskProgress(TaskProgress(task: ExactText(name), bytes: bytes, total: total, rate: rate)))
    }

    static func ended(
        _ name: String, _ outcome: TaskFinished.Outcome, at time: Int64 = 0, bytes: Int64? = nil,
        failure: TaskFailure? = nil, blockedBy: ExactText? = nil, took: Duration? = nil
    ) -> RunEvent {
        var timing = TaskFinished.Timing()
        timing.total = took
        return RunEvent(
            time: time,
            kind: .taskFinished(
                TaskFinished(
                    task: ExactText(name), outcome: outcome, isOptional: false, place: place, to: name, bytes: bytes,
                    transferred: bytes ?? 0, timing: timing, failure: failure, blockedBy: blockedBy)))
    }
}
