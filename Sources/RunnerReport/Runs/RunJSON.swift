public import RunnerExecution

/// Past runs for programs: one JSON object; a value that is not known is left out.
public enum RunJSON {
    /// The schemas of the objects.
    public static let statusSchema = "runner.status/1"
    public static let historySchema = "runner.history/1"
    public static let comparisonSchema = "runner.comparison/1"

    /// A run with its tasks; no run where none is known.
    public static func status(_ run: PastRun?, tasks: [RecordedTask], report: String?) -> String {
        text { json in
            json.member("schema", statusSchema)
            if let run {
                json.key("run")
                write(run, report: report, &json)
            }
            json.key("tasks")
            json.array(of: tasks) { json, task in write(task, isLive: run?.isGoingOn ?? false, &json) }
        }
    }

    /// Runs, the last one first.
    public static func history(_ runs: [PastRun]) -> String {
        text { json in
            json.member("schema", historySchema)
            json.key("runs")
            json.array(of: runs) { json, run in write(run, report: nil, &json) }
        }
    }

    /// Two runs, and the tasks that they tell of differently.
    public static func comparison(_ before: PastRun, _ after: PastRun, _ comparison: RunComparison) -> String {
        text { json in
            json.member("schema", comparisonSchema)
            json.key("before")
            write(before, report: nil, &json)
            json.key("after")
            write(after, report: nil, &json)
            json.member("same", comparison.same)
            json.key("changes")
            json.array(of: comparison.changes) { json, change in
                json.object { json in
                    json.member("task", change.id)
                    for (name, task) in [("before" as StaticString, change.before), ("after", change.after)] {
                        guard let task else { continue }
                        json.key(name)
                        write(task, isLive: false, &json)
                    }
                }
            }
        }
    }

    private static func text(_ members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 4096)
        json.object(members)
        json.newLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ run: PastRun, report: String?, _ json: inout JSONWriter) {
        json.object { json in
            json.member("run", run.run)
            json.member("job", run.job)
            json.member("file", run.file)
            json.member("state", run.state.word)
            if case .running(let host, let pid) = run.state {
                json.member("host", host)
                json.member("pid", pid)
            }
            json.member("started", Timestamp.text(run.started))
            json.member("finished", run.finished.map(Timestamp.text))
            json.member("duration_ms", run.finished.map { $0.subtractingReportingOverflow(run.started).partialValue })
            json.member("outcome", run.outcome)
            json.member("exit_status", run.exitStatus)
            if run.finished != nil {
                json.counts { run.counts[$0.rawValue] }
            }
            json.member("bytes", run.bytes)
            json.member("transferred", run.transferred)
            json.member("report", report)
        }
    }

    private static func write(_ task: RecordedTask, isLive: Bool, _ json: inout JSONWriter) {
        json.object { json in
            json.member("task", task.id)
            json.member("outcome", task.outcome ?? (isLive ? "running" : "unfinished"))
            if task.isOptional { json.flag("optional") }
            json.member("to", task.to.isEmpty ? nil : task.to)
            json.member("bytes", task.bytes)
            json.member("transferred", task.transferred)
            json.member("digest", task.digest)
            json.member("attempts", task.attempts)
            json.member("blocked_by", task.blockedBy)
            json.member("line", task.line)
            guard let failure = task.failure else { return }
            json.key("error")
            json.object { json in
                json.member("class", failure.faultClass)
                json.member("code", failure.code)
                json.member("message", failure.message)
                json.member("advice", failure.advice)
            }
        }
    }
}
