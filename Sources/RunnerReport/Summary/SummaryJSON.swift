internal import RunnerExecution
public import RunnerJob

/// What a run came to, for programs: one line of JSON, schema `runner.summary/1`.
public struct SummaryJSON: Sendable {
    /// The schema of the object.
    public static let schema = "runner.summary/1"
    /// Failures that are told; the report has them all.
    public static let failureCeiling = 50

    private let job: Job
    private let redactor: Redactor

    /// Secrets of the job are masked.
    public init(_ job: Job) {
        self.job = job
        redactor = Redactor(secrets: job.secrets)
    }

    /// The object, without a line feed.
    ///
    /// - Parameter report: absolute path of the report that is kept.
    public func text(_ summary: Summary, run: String, report: String) -> String {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.member("schema", Self.schema)
            json.member("run", run)
            json.member("job", masked(job.name))
            json.member("file", masked(job.file))
            json.member("directory", masked(job.directory))
            if let finished = summary.finished { write(finished, &json) }
            json.member("report", report)
            json.key("failures")
            json.array(of: (summary.failures + summary.blocked).prefix(Self.failureCeiling)) { json, task in
                write(task, &json)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(_ finished: RunFinished, _ json: inout JSONWriter) {
        json.member("outcome", finished.outcome.rawValue)
        json.member("exit_status", finished.exitStatus)
        json.counts { finished.counts[$0] }
        json.member("bytes", finished.bytes)
        json.member("transferred", finished.transferred)
        json.member("duration_ms", finished.duration)
        json.member("reason", finished.reason.map(masked))
    }

    private func write(_ task: TaskFinished, _ json: inout JSONWriter) {
        json.object { json in
            json.member("task", masked(task.task.text))
            json.member("outcome", task.outcome.rawValue)
            if task.isOptional { json.flag("optional") }
            json.member("to", task.to.isEmpty ? nil : masked(task.to))
            json.member("line", task.place.line)
            json.member("blocked_by", task.blockedBy.map { masked($0.text) })
            json.member("class", task.failure?.faultClass.rawValue)
            json.member("code", task.failure?.code)
            json.member("message", task.failure.map { masked($0.message) })
        }
    }

    private func masked(_ text: String) -> String { redactor.text(text) }
}
