/// The options that say how a run is carried out and told.
package struct RunArguments: Hashable, Sendable {
    /// Most slots that can be asked for; more would run out of file descriptors.
    package static let mostJobs = 1000

    /// Start nothing more once a required task has failed.
    package var failFast = false
    /// Busy slots instead of the job's own number; nil for that.
    package var concurrency: Int?
    /// Wait for another run of the same job to end.
    package var waits = false
    /// `--keep-bad`, as written.
    package var keepBad: String?
    /// `--report`: a path, or `-` for standard output.
    package var report: String?
    package var reportsProgress = false
    package var messages = MessageArguments()

    /// The options as a command's table lists them.
    static let options: [OptionSpec] =
        [.jobs, .failFast, .wait, .keepBad, .report, .reportProgress] + MessageArguments.options

    package init() {}

    init(_ arguments: ParsedArguments) throws(UsageError) {
        failFast = arguments.has(.failFast)
        concurrency = try arguments.number(.jobs, in: 1...Self.mostJobs)
        waits = arguments.has(.wait)
        keepBad = arguments.value(.keepBad)
        if keepBad == "" {
            throw .invalidValue(option: OptionSpec.keepBad.spelling, value: "", wanted: "a folder")
        }
        report = arguments.value(.report)
        if report == "" {
            throw .invalidValue(
                option: OptionSpec.report.spelling, value: "", wanted: "a file, or - for standard output")
        }
        reportsProgress = arguments.has(.reportProgress)
        messages = try MessageArguments(arguments)
    }
}
