public import RunnerExecution
public import RunnerJob

/// What `runner verify` found, for programs: one JSON object, schema `runner.verify/1`.
///
/// A value that is not known is left out.
public struct VerifyJSON: Sendable {
    /// The schema of the object.
    public static let schema = "runner.verify/1"

    private let job: Job
    private let checks: [OutputCheck]
    private let redactor: Redactor

    /// Secrets of the job are masked.
    public init(_ job: Job, _ checks: [OutputCheck]) {
        self.job = job
        self.checks = checks
        redactor = Redactor(secrets: job.secrets)
    }

    /// The object, ended by a line feed.
    public var text: String {
        var json = JSONWriter(capacity: 256 * (checks.count + 2))
        json.object { json in
            json.member("schema", Self.schema)
            json.member("job", redactor.text(job.name))
            json.member("file", redactor.text(job.file))
            json.key("files")
            json.array(of: checks) { json, check in write(check, &json) }
            json.key("counts")
            json.object { json in
                json.member("ok", count(.ok))
                json.member("unverified", count(.unverified))
                json.member("differs", count(.differs))
                json.member("changed", count(.changed))
                json.member("missing", count(.missing))
                json.member("unreadable", count(.unreadable))
            }
        }
        json.newLine()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func count(_ status: OutputCheck.Status) -> Int { checks.count { $0.status == status } }

    private func write(_ check: OutputCheck, _ json: inout JSONWriter) {
        json.object { json in
            json.member("id", redactor.text(check.task.text))
            json.member("to", redactor.text(check.path))
            json.member("status", check.status.rawValue)
            json.member("bytes", check.bytes)
            json.member("digest", check.digest?.description)
            json.key("witnesses")
            json.array(of: check.witnesses) { json, witness in json.string(witness.rawValue) }
            json.key("differences")
            json.array(of: check.differences) { json, difference in
                json.object { json in
                    json.member("name", difference.name)
                    json.member("wanted", difference.wanted)
                    json.member("found", difference.found)
                }
            }
            json.member("message", check.message)
            if check.isOptional { json.flag("optional") }
            json.member("line", check.place.line)
            json.member("file", job.sources.otherName(of: check.place))
        }
    }
}
