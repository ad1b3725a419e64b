/// What a job is read from: a text, and everything of the outside world that the text may refer to.
public struct JobInput: Sendable {
    /// The job file as the user named it; `-` for standard input.
    public var file: String
    /// The content of the file.
    public var bytes: [UInt8]
    /// Absolute folder of the job file; the current folder for standard input.
    public var folder: String
    /// Absolute root of relative paths, instead of the file's own `directory` (`--directory`).
    public var directory: String?
    /// Values of variables that take the place of the file's own (`--set`).
    public var overrides: [String: String]
    /// Files with values of variables that come before the job's own (`--vars`); later ones win.
    public var variableFiles: [VariableFile]
    /// What `${env:…}` and `${secret:…}` read.
    public var environment: [String: String]
    /// How the files are read that the job names.
    public var files: JobFiles
    /// Id or destination of a task that is to be explained (`--explain`).
    public var explains: String?
    /// When the run began, for `${date:…}`.
    public var clock: JobClock

    public init(
        file: String, bytes: [UInt8], folder: String, directory: String? = nil, overrides: [String: String] = [:],
        variableFiles: [VariableFile] = [], environment: [String: String] = [:], files: JobFiles = .none,
        clock: JobClock
    ) {
        self.file = file
        self.bytes = bytes
        self.folder = folder
        self.directory = directory
        self.overrides = overrides
        self.variableFiles = variableFiles
        self.environment = environment
        self.files = files
        self.clock = clock
    }

    /// A file of variables.
    public struct VariableFile: Hashable, Sendable {
        /// As the user named it.
        public var name: String
        /// Absolute.
        public var path: String

        public init(name: String, path: String) {
            self.name = name
            self.path = path
        }
    }
}
