/// Reads job files.
public enum JobParser {
    /// Reads a job file, version 1: checks it, puts its variables in and fills in its defaults.
    ///
    /// Pure: everything of the outside world comes with the input. What lies between tasks (missing names in
    /// `needs`, cycles, two writers of one path) is left to the planner.
    /// - Throws: ``JobFaults`` with every fault of the file.
    public static func parse(_ input: JobInput) throws(JobFaults) -> Job {
        let sources = SourceRegister()
        let faults = Faults()
        let root = sources.compose(input.file == "-" ? "<stdin>" : input.file, input.bytes, faults: faults)
        let reader = JobReader(input: input, sources: sources, faults: faults)
        let job = root.flatMap { reader.job($0) }
        guard var job, faults.errors.isEmpty else {
            let told = faults.errors + faults.warnings
            let secrets = reader.secrets.union(sources.literalCredentials(besides: told))
            throw JobFaults(
                diagnostics: Faults.sorted(masked(told, secrets)), sources: sources.map(hiding: secrets))
        }
        job.warnings = masked(job.warnings, reader.secrets)
        job.sources = sources.map(hiding: job.secrets)
        return job
    }

    /// Notes quote rows of data, which may hold credentials.
    ///
    /// Messages quote what is written, but the name of a wrong scheme or unit may come out of a secret.
    private static func masked(_ diagnostics: [Diagnostic], _ secrets: Set<String>) -> [Diagnostic] {
        let redactor = Redactor(secrets: secrets)
        return diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if !secrets.isEmpty { diagnostic.message = redactor.text(diagnostic.message) }
            for index in diagnostic.notes.indices {
                diagnostic.notes[index].message = redactor.text(diagnostic.notes[index].message)
            }
            return diagnostic
        }
    }
}
