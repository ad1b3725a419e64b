internal import FoundationEssentials

/// A line of a report as it was read: every member of every event that a reader asks for.
///
/// Members that a later version adds are passed over.
struct ReportLine: Decodable {
    /// `timing`, as far as it is read.
    struct Timing: Decodable {
        var total: Double?
    }

    struct Failure: Decodable {
        var `class`: String?
        var code: String?
        var message: String?
        var advice: String?
    }

    var schema: String
    var run: String
    var time: String
    var event: String

    var job: String?
    var file: String?
    var version: String?
    var host: String?
    var pid: Int32?
    var tasks: Int?

    var task: String?
    var kind: String?
    var to: String?
    var line: Int32?
    var outcome: String?
    var optional: Bool?
    var bytes: Int64?
    var transferred: Int64?
    var attempts: Int?
    var attempt: Int?
    var digest: String?
    var url: String?
    var error: Failure?
    var blockedBy: String?
    var retryIn: Double?
    var timing: Timing?

    var message: String?
    var counts: [String: Int64]?
    var duration: Double?
    var exitStatus: Int64?
    var reason: String?

    enum CodingKeys: String, CodingKey {
        case schema, run, time, event, job, file, version, host, pid, tasks, task, kind, to, line, outcome, optional
        case bytes, transferred, attempts, attempt, digest, url, error, timing, message, counts, reason
        case blockedBy = "blocked_by"
        case retryIn = "retry_in_ms"
        case duration = "duration_ms"
        case exitStatus = "exit_status"
    }

    /// Reads the lines of a report, those of a torn or foreign line left out.
    static func lines(of bytes: [UInt8]) -> [ReportLine] {
        let decoder = JSONDecoder()
        return bytes.split(separator: 0x0A).compactMap { line in
            guard let read = try? decoder.decode(ReportLine.self, from: Data(line)),
                read.schema == ReportEncoder.schema
            else { return nil }
            return read
        }
    }
}
