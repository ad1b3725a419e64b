/// Reads job files.
public enum JobParser {
    /// Reads a job file, version 1: checks it, puts its variables in and fills in its defaults.
    ///
    /// Pure: everything of the outside world comes with the input. What lies between tasks (missing names in
    /// `needs`, cycles, two writers of one path) is left to the planner.
    /// - Throws: ``JobFaults`` with every fault of the file.
    public static func parse(_ input: JobInput) throws(JobFaults) -> Job {
        let bytes = SourceText.withoutMark(input.bytes)
        var sources = SourceMap()
        let file = sources.add(SourceMap.File(name: input.file == "-" ? "<stdin>" : input.file, bytes: bytes))
        if let fault = SourceText.fault(in: bytes, file: file) {
            throw JobFaults(diagnostics: [fault], sources: sources)
        }
        let faults = Faults()
        let lines = LineIndex(bytes)
        let (root, yamlFaults) = Composer.compose(bytes, lines: lines, file: file)
        for fault in yamlFaults { faults.add(fault) }
        let job = root.flatMap { JobReader(input: input, lines: lines, faults: faults).job($0) }
        guard var job, faults.errors.isEmpty else {
            throw JobFaults(diagnostics: Faults.sorted(faults.errors + faults.warnings), sources: sources)
        }
        job.sources = sources
        return job
    }
}
