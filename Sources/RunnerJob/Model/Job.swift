/// A job file, read, checked and expanded: what is wanted, with every default filled in.
public struct Job: Sendable {
    /// The job's `name`, else its file's name without suffix.
    public var name: String
    /// The job file as the user named it; `-` for standard input.
    public var file: String
    /// Absolute folder of the job file: the root of paths that configure.
    public var folder: String
    /// Absolute root of the paths that tasks read and write.
    public var directory: String
    /// The job's `report:`, relative to ``directory`` unless absolute.
    public var report: String?
    public var limits: Limits
    public var hosts = Hosts()
    public var clean = CleanSection()
    public var hooks = HookSet()
    public var tasks: [JobTask]
    /// Values that must never be printed: every `${secret:…}` that was read, passwords, user info of URLs.
    public var secrets: Set<String>
    /// The texts behind every ``Place`` of this job.
    public var sources: SourceMap
    /// What holds for the task that was to be explained; nil where there is none.
    public var explanation: Explanation?
    /// What of the outside world the tasks come from; the caller adds the files that were read.
    public var reliance = Reliance()
    /// What is allowed but worth saying, such as a download that only md5 guards.
    public var warnings: [Diagnostic]

    /// Absolute path of the job file; nil for standard input.
    public var path: String? {
        guard file != "-" else { return nil }
        let name =
            file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[file.utf8.index(after: $0)...]) } ?? file
        return (folder == "/" ? "" : folder) + "/" + name
    }

    /// Absolute path of the job's own report; nil where it asks for none.
    public var absoluteReport: String? {
        report.map { $0.utf8.first == UInt8(ascii: "/") ? $0 : directory + "/" + $0 }
    }

    public init(
        name: String, file: String, folder: String, directory: String, report: String? = nil,
        limits: Limits = Limits(), tasks: [JobTask], secrets: Set<String> = [], sources: SourceMap = SourceMap(),
        warnings: [Diagnostic] = []
    ) {
        self.name = name
        self.file = file
        self.folder = folder
        self.directory = directory
        self.report = report
        self.limits = limits
        self.tasks = tasks
        self.secrets = secrets
        self.sources = sources
        self.warnings = warnings
    }
}
