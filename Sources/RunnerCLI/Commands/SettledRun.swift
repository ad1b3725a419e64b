internal import Glibc
internal import RunnerExecution
internal import RunnerJob
internal import RunnerReport
internal import RunnerStorage

/// A run of a job that has nothing to do, told without reading the job: an earlier run has left word that all was in
/// place, and neither the job nor a file has changed since.
struct SettledRun {
    private let source: JobSource
    private let arguments: RunArguments
    private let context: Context
    private let job: SettledJob

    /// Finds what an earlier run left; nil where there is nothing that holds for this one.
    init?(_ source: JobSource, _ arguments: RunArguments, in context: Context) {
        self.source = source
        self.arguments = arguments
        self.context = context
        let path = context.absolute(source.name)
        guard !source.arguments.rehash, arguments.messages.verbosity != .verbose,
            let bytes = Self.regularFile(path, named: source.name),
            let job = SettledJob(
                identity: JobState.realPath(path), stateFolder: Self.stateFolder(source, bytes, context)),
            let digest = try? DigestSet.digest(of: bytes, by: .sha256).hex,
            let key = SettledKey(source: source, report: arguments.report, context: context).bytes(
                job: digest, variables: job.variables, files: Self.contents(job.inputs, context)),
            key == job.key,
            [arguments.report.map(context.absolute), job.report].allSatisfy({
                Self.isApart($0, from: [path] + job.inputs)
            })
        else { return nil }
        self.job = job
    }

    /// Carries it out; nil where files have changed after all, or where another run is at work.
    func run() async -> ExitStatus? {
        let began = context.now()
        let clock = ContinuousClock()
        let start = clock.now
        let name = RunIdentity.newRun()
        guard (try? job.site.occupy(run: name)) != nil else { return nil }
        defer { job.site.leave() }
        guard await job.isInPlace() else { return nil }
        let sinks: [ReportSink]
        do throws(ReportSinkError) {
            let report = try ReportSinks.commandLine(arguments.report, in: context)
            sinks = try ReportSinks.all(report, job: job.report)
        } catch {
            context.console.message(["runner: error: \(error.subject.printable): \(error.cause)"])
            return .cannotGoOn
        }
        let archive = ReportSinks.archive(job.site.reportPath(of: name), in: context)
        let writer = ReportWriter(ReportEncoder(run: name), to: sinks + (archive.map { [$0] } ?? []))
        let started = job.started(name, version: Program.version, concurrency: arguments.concurrency)
        var tally = RunTally()
        tally.addUpToDate(job.tasks, bytes: job.bytes)
        let finished = tally.runFinished(duration: clock.now - start)
        // The ledger is another file on the disk: it need not wait for the report.
        async let refusal = job.book(started, at: began, finished)
        writer.write(RunEvent(time: began, kind: .runStarted(started)))
        writer.write(endings: job.lines, at: context.now())
        if let refusal = await refusal {
            let warning = RunWarning("the ledger was not written: \(refusal)")
            writer.write(RunEvent(time: context.now(), kind: .warning(warning)))
            context.console.message(["runner: warning: " + warning.message])
        }
        writer.write(RunEvent(time: context.now(), kind: .runFinished(finished)))
        tell(Summary(started, tally, finished), writer.failures)
        return ExitStatus(rawValue: finished.exitStatus)
    }

    private func tell(_ summary: Summary, _ failures: [ReportSinkError]) {
        if arguments.messages.verbosity != .quiet {
            let style = arguments.messages.traits(in: context).style
            context.console.message(text: SummaryText(sources: SourceMap(), style: style).text(summary))
        }
        context.console.message(failures.map(ReportSinks.warning))
    }

    /// The bytes of a file; nil for a pipe, which can be read only once, and for what cannot be read.
    private static func regularFile(_ path: String, named name: String) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? FileContent.read(path, named: name)
    }

    /// Whether a report can be in nobody's way.
    ///
    /// An earlier run has made sure that it is not; links can have been made since.
    private static func isApart(_ report: String?, from files: [String]) -> Bool {
        guard let report else { return true }
        let places = FilePlace.all(of: report)
        guard let place = places.first, places.count == 1 else { return false }
        return !place.hasFurtherNames && !files.contains { place.isSame(as: FilePlace($0)) }
    }

    private static func contents(_ paths: [String], _ context: Context) -> [String: Reliance.FileContent] {
        let reading = ReadFiles()
        let files = reading.watching(.onDisk(context))
        for path in paths { try? files.read(path) { _ in true } }
        return reading.reliance(over: Reliance()).files
    }

    /// Where the state most likely lies: a job file says so in a line of its own.
    ///
    /// A wrong guess finds nothing.
    private static func stateFolder(_ source: JobSource, _ bytes: [UInt8], _ context: Context) -> String {
        if let state = source.arguments.state { return context.absolute(state) }
        if let directory = source.arguments.directory { return context.absolute(directory) + "/.runner" }
        return DirectoryLine.directory(of: bytes, in: source.folder(in: context)) + "/.runner"
    }
}
