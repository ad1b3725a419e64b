internal import RunnerReport

/// Where the reports of runs go.
enum ReportSinks {
    /// The report that the command line asks for; nil for none.
    static func commandLine(_ report: String?, in context: Context) throws(ReportSinkError) -> ReportSink? {
        switch report {
        case nil: nil
        case "-": .standardOutput
        case .some(let path): try .file(context.absolute(path))
        }
    }

    /// The report of the command line, and a job's own beside it where that is another.
    ///
    /// - Parameter job: absolute path of the job's own report; nil where it asks for none.
    static func all(_ commandLine: ReportSink?, job: String?) throws(ReportSinkError) -> [ReportSink] {
        var sinks = commandLine.map { [$0] } ?? []
        if let job, !sinks.contains(where: { isFile($0, job) }) { sinks.append(try .file(job)) }
        return sinks
    }

    /// Whether a report goes to that file, under whatever name.
    private static func isFile(_ sink: ReportSink, _ path: String) -> Bool {
        // Standard output has words for a name.
        sink.name.utf8.first == UInt8(ascii: "/") && FilePlace(sink.name).isSame(as: FilePlace(path))
    }

    /// The report that is kept for `status` and `history`; a run can do without it.
    static func archive(_ path: String, in context: Context) -> ReportSink? {
        do throws(ReportSinkError) {
            return try .file(path)
        } catch {
            context.console.message([
                "runner: warning: no report is kept for `runner history`: \(error.subject.printable): \(error.cause)"
            ])
            return nil
        }
    }

    /// A warning of a report that is not whole; the run is what it is without it.
    static func warning(_ failure: ReportSinkError) -> String {
        "runner: warning: report \(failure.subject.printable) ends early: \(failure.cause)"
    }
}
