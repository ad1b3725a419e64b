internal import Glibc
package import RunnerJob
internal import RunnerReport

/// A job file that the user named, and how to read it.
package struct JobSource: Hashable, Sendable {
    /// Standard input as a job file.
    package static let standardInput = "-"

    /// The path as the user wrote it.
    package var name: String
    package var arguments: JobArguments

    /// Why a job could not be read.
    package enum Fault: Error {
        case unreadable(FileFault)
        case faulty(JobFaults)
    }

    package init(_ name: String, _ arguments: JobArguments) {
        self.name = name
        self.arguments = arguments
    }

    /// The name as messages show it.
    package var shownName: String { name == Self.standardInput ? "standard input" : name.printable }

    /// Reads and parses the job; relative paths start from the folder of the file, of standard input from the current
    /// one.
    package func load(in context: Context) throws(Fault) -> Job {
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes = try read(in: context)
        } catch {
            throw .unreadable(error)
        }
        let reading = ReadFiles()
        var input = JobInput(
            file: name, bytes: bytes, folder: folder(in: context), directory: arguments.directory.map(context.absolute),
            overrides: arguments.overrides,
            variableFiles: arguments.variableFiles.map { .init(name: $0, path: context.absolute($0)) },
            environment: context.environment, files: reading.watching(.onDisk(context)),
            clock: .local(now: context.now() / 1000))
        input.explains = arguments.explains
        do throws(JobFaults) {
            var job = try JobParser.parse(input)
            job.reliance = reading.reliance(over: job.reliance)
            if arguments.forbidsPrograms { try refusePrograms(of: job) }
            return job
        } catch {
            throw .faulty(error)
        }
    }

    private func refusePrograms(of job: Job) throws(JobFaults) {
        let tasks = job.tasks.filter { $0.kind == .run }
        guard !tasks.isEmpty else { return }
        throw JobFaults(
            diagnostics: tasks.map {
                Diagnostic(.error, "this task runs a program, which --no-run forbids", at: $0.place)
            }, sources: job.sources)
    }

    private func read(in context: Context) throws(FileFault) -> [UInt8] {
        if name == Self.standardInput { return try context.readInput() }
        return try FileContent.read(context.absolute(name), named: name)
    }

    /// Absolute folder of the file; the current one for standard input.
    func folder(in context: Context) -> String {
        guard name != Self.standardInput else { return context.workingDirectory }
        let path = context.absolute(name)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension JobClock {
    /// A clock whose local time is that of the zone which `TZ` or the system names.
    static func local(now: Int64) -> JobClock {
        JobClock(now: now) { seconds in
            var time = time_t(seconds)
            var fields = tm()
            guard localtime_r(&time, &fields) != nil else { return LocalTime(universal: seconds) }
            return LocalTime(
                year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
                hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec),
                offset: fields.tm_gmtoff, zone: fields.tm_zone.map { String(cString: $0) } ?? "")
        }
    }
}
