import RunnerJob

/// Reads job texts for tests: in the folder `/jobs`, at 2026-03-01 12:34:56 universal time unless told otherwise.
enum JobText {
    static let noon = JobClock.utc(now: 1_772_368_496)

    static func input(
        _ text: String, file: String = "job.yaml", directory: String? = nil, overrides: [String: String] = [:],
        variableFiles: [String] = [], environment: [String: String] = [:], files: [String: String] = [:],
        clock: JobClock = noon
    ) -> JobInput {
        JobInput(
            file: file, bytes: Array(text.utf8), folder: "/jobs", directory: directory, overrides: overrides,
            variableFiles: variableFiles.map { .init(name: $0, path: "/here/" + $0) }, environment: environment,
            files: reader(files), clock: clock)
    }

    /// Files by their absolute paths, handed over in pieces of a few bytes; a command is the path of its output.
    static func reader(_ files: [String: String]) -> JobFiles {
        JobFiles(
            read: { (path, take) throws(JobFileFault) in
                guard let text = files[path] else {
                    throw JobFileFault(reason: "No such file or directory", isMissing: true)
                }
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(3)
                    rest = rest.dropFirst(3)
                    if !take(piece) { return }
                }
            },
            run: { (words) throws(JobFileFault) in
                guard let text = files[words.joined(separator: " ")] else {
                    throw JobFileFault(reason: "the command ended with status 1")
                }
                return Array(text.utf8)
            })
    }

    /// The faults of an input with the names of their files, as they are printed.
    static func report(_ input: JobInput) -> String {
        do throws(JobFaults) {
            let job = try JobParser.parse(input)
            let renderer = DiagnosticRenderer(job.sources)
            return job.warnings.map { renderer.text($0) }.joined()
        } catch {
            let renderer = DiagnosticRenderer(error.sources)
            return error.diagnostics.map { renderer.text($0) }.joined()
        }
    }

    static func parse(
        _ text: String, overrides: [String: String] = [:], environment: [String: String] = [:],
        files: [String: String] = [:], clock: JobClock = noon
    ) throws(JobFaults) -> Job {
        try JobParser.parse(
            input(text, overrides: overrides, environment: environment, files: files, clock: clock))
    }

    /// A job with one task that has these further lines.
    static func task(_ lines: String...) -> String {
        let fields = lines.map { "    " + $0 }.joined(separator: "\n")
        return "version: 1\ntasks:\n  - download: http://h/a\n" + fields + "\n"
    }

    /// The only task of a job made by ``task(_:)``.
    static func parseTask(_ lines: String..., environment: [String: String] = [:]) throws(JobFaults) -> JobTask? {
        let fields = lines.map { "    " + $0 }.joined(separator: "\n")
        let text = "version: 1\ntasks:\n  - download: http://h/a\n" + fields + "\n"
        return try parse(text, environment: environment).tasks.first
    }

    /// The faults of a text as `line:column: message`; empty when it is good.
    static func faults(
        _ text: String, overrides: [String: String] = [:], environment: [String: String] = [:],
        files: [String: String] = [:], clock: JobClock = noon
    ) -> [String] {
        do throws(JobFaults) {
            _ = try parse(text, overrides: overrides, environment: environment, files: files, clock: clock)
            return []
        } catch {
            return error.diagnostics.map { fault in
                (fault.place.map { "\($0.line):\($0.column): " } ?? "") + fault.message
            }
        }
    }
}

extension JobTask {
    /// The task as a download; one that no test expects where it is of another kind.
    var download: Download {
        if case .download(let download) = action { return download }
        return Download(sources: [], destination: .file(TargetPath(normalized: "not a download")))
    }
}
