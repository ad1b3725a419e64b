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
        let reader = JobReader(input: input, lines: lines, faults: faults)
        let job = root.flatMap { reader.job($0) }
        guard var job, faults.errors.isEmpty else {
            let diagnostics = masked(faults.errors + faults.warnings, reader.secrets)
            throw JobFaults(diagnostics: Faults.sorted(diagnostics), sources: sources)
        }
        job.warnings = masked(job.warnings, reader.secrets)
        job.sources = sources
        return job
    }

    /// Messages quote what is written, but the name of a wrong scheme or unit may come out of a secret.
    private static func masked(_ diagnostics: [Diagnostic], _ secrets: Set<String>) -> [Diagnostic] {
        if secrets.isEmpty { return diagnostics }
        let redactor = Redactor(secrets: secrets)
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.message = redactor.text(diagnostic.message)
            for index in diagnostic.notes.indices {
                diagnostic.notes[index].message = redactor.text(diagnostic.notes[index].message)
            }
            return diagnostic
        }
    }
}
