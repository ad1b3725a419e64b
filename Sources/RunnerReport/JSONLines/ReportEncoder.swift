public import RunnerExecution
public import RunnerJob
internal import RunnerPlan

/// Writes the events of one run as lines of the report, schema `runner.report/1`.
///
/// Names and meanings are in `docs/report.md`. Times of `timing` and the members that end in `_ms` are milliseconds;
/// sizes are bytes. A value that is not known is left out.
public struct ReportEncoder: Sendable {
    /// The schema of every line.
    public static let schema = "runner.report/1"

    /// Unique name of the run.
    public let run: String
    private let redactor: Redactor
    private let sources: SourceMap
    private var sequence: Int64 = 0
    /// What all lines begin with, up to the number.
    private let beginning: [UInt8]
    /// The member with the time of the last line, from its comma on.
    private var time: (milliseconds: Int64, member: [UInt8])

    /// Begins a run; texts that come from outside pass the redactor once more.
    ///
    /// - Parameter sources: the texts that the places of tasks lie in.
    public init(run: String, redactor: Redactor = Redactor(), sources: SourceMap = SourceMap()) {
        self.run = run
        self.sources = sources
        self.redactor = redactor
        var json = JSONWriter()
        json.object { json in
            json.member("schema", Self.schema)
            json.member("run", run)
            json.key("seq")
        }
        beginning = json.bytes.dropLast()
        time = (0, Self.member(time: 0))
    }

    /// The line of the next event, its line feed included.
    public mutating func line(_ event: RunEvent) -> [UInt8] {
        var json = JSONWriter()
        writeLine(event, to: &json)
        return json.bytes
    }

    /// Writes the line of the next event, its line feed included.
    mutating func writeLine(_ event: RunEvent, to json: inout JSONWriter) {
        sequence += 1
        // Many events have the same time.
        if event.time != time.milliseconds { time = (event.time, Self.member(time: event.time)) }
        json.beginning(beginning)
        json.integer(sequence)
        json.members(time.member)
        write(event.kind, &json)
        json.endObject()
        json.newLine()
    }

    private static func member(time: Int64) -> [UInt8] {
        Array(",\"time\":\"\(Timestamp.text(time))\"".utf8)
    }

    /// The part of an event's line that is the same in every run: all behind the time, the line feed included.
    public func ending(_ kind: RunEvent.Kind) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in write(kind, &json) }
        json.newLine()
        return Array(json.bytes.dropFirst())
    }

    /// The lines of the next events, whose ``ending(_:)`` are given one after the other; they are taken out.
    ///
    /// - Parameter enough: length at which the rest is left for the next call.
    mutating func lines(endings: inout ArraySlice<UInt8>, at time: Int64, enough: Int) -> [UInt8] {
        let middle = Self.member(time: time) + ",".utf8
        var lines: [UInt8] = []
        lines.reserveCapacity(enough + 4096)
        while lines.count < enough, let end = endings.firstIndex(of: UInt8(ascii: "\n")) {
            sequence += 1
            lines += beginning
            lines += String(sequence).utf8
            lines += middle
            lines += endings[...end]
            endings = endings[(end + 1)...]
        }
        return lines
    }

    private func write(_ kind: RunEvent.Kind, _ json: inout JSONWriter) {
        switch kind {
        case .runStarted(let event): write(event, &json)
        case .taskStarted(let event): write(event, &json)
        case .attemptStarted(let event): write(event, &json)
        case .attemptFailed(let event): write(event, &json)
        case .taskProgress(let event): write(event, &json)
        case .taskFinished(let event): write(event, &json)
        case .warning(let event): write(event, &json)
        case .runFinished(let event): write(event, &json)
        }
    }

    private func write(_ event: RunStarted, _ json: inout JSONWriter) {
        json.member("event", "run.started")
        json.member("job", masked(event.job))
        json.member("file", masked(event.file))
        json.member("file_sha256", event.fileSHA256)
        json.member("version", event.version)
        json.member("host", event.host)
        json.member("pid", event.pid)
        json.member("tasks", event.tasks)
        json.key("limits")
        json.object { json in
            json.member("concurrency", event.limits.concurrency)
            json.member("per_host", event.limits.perHost)
            json.member("cpu", event.limits.cpu)
        }
    }

    private func write(_ event: RunWarning, _ json: inout JSONWriter) {
        json.member("event", "run.warning")
        json.member("message", masked(event.message))
    }

    private func write(_ event: TaskStarted, _ json: inout JSONWriter) {
        json.member("event", "task.started")
        json.member("task", masked(event.task.text))
        json.member("kind", event.kind.rawValue)
        json.member("source", event.source.isEmpty ? nil : maskedURL(event.source))
        json.member("to", event.to.isEmpty ? nil : maskedURL(event.to))
        json.member("verdict", event.verdict.rawValue)
        json.member("reason", event.reason.words(masked: redactor))
        json.member("bytes", event.bytes)
        write(event.place, &json)
    }

    /// The line of a task, and the file where that is another than the job file.
    private func write(_ place: Place, _ json: inout JSONWriter) {
        json.member("line", place.line)
        json.member("file", sources.otherName(of: place).map { masked($0) })
    }

    private func write(_ event: AttemptStarted, _ json: inout JSONWriter) {
        json.member("event", "attempt.started")
        json.member("task", masked(event.task.text))
        json.member("attempt", event.attempt)
        json.member("url", maskedURL(event.url))
        json.member("resumed_from", event.resumedFrom)
        write(event.piece, &json)
    }

    /// The part of the file that a segment's request is for.
    private func write(_ piece: Range<Int64>?, _ json: inout JSONWriter) {
        guard let piece else { return }
        json.key("segment")
        json.object { json in
            json.member("start", piece.lowerBound)
            json.member("end", piece.upperBound)
        }
    }

    private func write(_ event: AttemptFailed, _ json: inout JSONWriter) {
        json.member("event", "attempt.failed")
        json.member("task", masked(event.task.text))
        json.member("attempt", event.attempt)
        json.member("url", maskedURL(event.url))
        json.member("resumed_from", event.resumedFrom)
        write(event.piece, &json)
        write(event.failure, &json)
        json.member("retry_in_ms", event.retryIn)
        json.member("next_url", event.nextURL.map { maskedURL($0) })
    }

    private func write(_ event: TaskProgress, _ json: inout JSONWriter) {
        json.member("event", "task.progress")
        json.member("task", masked(event.task.text))
        json.member("bytes", event.bytes)
        json.member("total", event.total)
        json.member("rate", event.rate)
    }

    private func write(_ event: TaskFinished, _ json: inout JSONWriter) {
        json.member("event", "task.finished")
        json.member("task", masked(event.task.text))
        json.member("kind", event.kind.rawValue)
        json.member("outcome", event.outcome.rawValue)
        if event.isOptional { json.flag("optional") }
        json.member("to", event.to.isEmpty ? nil : maskedURL(event.to))
        json.member("bytes", event.bytes)
        json.member("transferred", event.transferred)
        json.member("sent", event.sent)
        json.member("resumed_from", event.resumedFrom)
        json.member("digest", event.digest?.description)
        json.member("url", event.url.map { maskedURL($0) })
        json.member("final_url", event.finalURL.map { maskedURL($0) })
        if let http = event.http { write(http, &json) }
        write(event.timing, &json)
        json.member("attempts", event.attempts)
        if let failure = event.failure { write(failure, &json) }
        json.member("reply", event.reply.map { masked($0) })
        json.member("output", event.output.map { masked($0) })
        json.member("blocked_by", event.blockedBy.map { masked($0.text) })
        write(event.place, &json)
    }

    private func write(_ event: RunFinished, _ json: inout JSONWriter) {
        json.member("event", "run.finished")
        json.member("outcome", event.outcome.rawValue)
        json.counts { event.counts[$0] }
        json.member("bytes", event.bytes)
        json.member("transferred", event.transferred)
        if event.sent > 0 { json.member("sent", event.sent) }
        json.member("duration_ms", event.duration)
        json.member("exit_status", event.exitStatus)
        json.member("reason", event.reason)
    }

    private func write(_ failure: TaskFailure, _ json: inout JSONWriter) {
        json.key("error")
        json.object { json in
            json.member("class", failure.faultClass.rawValue)
            json.member("code", failure.code)
            json.member("message", masked(failure.message))
            json.member("advice", failure.advice.map { masked($0) })
            json.member("http_status", failure.httpStatus)
            json.member("bytes", failure.bytes)
            guard !failure.differences.isEmpty else { return }
            json.key("differences")
            json.array(of: failure.differences) { json, difference in
                json.object { json in
                    json.member("name", difference.name)
                    json.member("wanted", difference.wanted)
                    json.member("found", difference.found)
                }
            }
        }
    }

    private func write(_ http: TaskFinished.HTTP, _ json: inout JSONWriter) {
        json.key("http")
        json.object { json in
            json.member("status", http.status)
            json.member("version", http.version)
            json.member("etag", http.etag.map { masked($0) })
            json.member("last_modified", http.lastModified.map { masked($0) })
            json.member("content_type", http.contentType.map { masked($0) })
        }
    }

    private func write(_ timing: TaskFinished.Timing, _ json: inout JSONWriter) {
        guard timing != TaskFinished.Timing() else { return }
        json.key("timing")
        json.object { json in
            json.member("queued", timing.queued)
            json.member("dns", timing.dns)
            json.member("connect", timing.connect)
            json.member("tls", timing.tls)
            json.member("first_byte", timing.firstByte)
            json.member("transfer", timing.transfer)
            json.member("verify", timing.verify)
            json.member("publish", timing.publish)
            json.member("total", timing.total)
        }
    }

    private func masked(_ text: String) -> String { redactor.text(text) }
    private func maskedURL(_ url: String) -> String { redactor.url(url) }
}
