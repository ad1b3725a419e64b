/// Reads what one kind of task has of its own; one such reader is made for each task.
protocol ActionReader {
    static var kind: TaskKind { get }
    /// The keys that the kind takes beside those of every task.
    static var keys: Set<TaskKey> { get }
    /// Those of them that ``SettingsReader`` reads, so that many tasks can have one value in common.
    static var sharedKeys: Set<TaskKey> { get }

    init(_ context: ReadingContext)

    /// Reads a key; false where it is one that is shared with `defaults`.
    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool

    /// The whole, and the id of a task that is given none; nil after a fault that leaves nothing to go on with.
    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)?
}

extension ActionReader {
    static var sharedKeys: Set<TaskKey> { [] }
}

/// What readers of tasks have in common.
struct ReadingContext {
    let fields: Fields
    let settings: SettingsReader
    /// What holds for a task that says nothing.
    let defaults: TaskSettings
    let layering: RequestLayering
    /// Where the fields of ``defaults`` were given that are below `hosts`; nil unless a task is to be explained.
    var defaultsTrail: Trail?

    var faults: Faults { fields.faults }
    /// Root of the paths that tasks read and write.
    var directory: PathRoot { settings.directory }
}

extension TaskKind {
    /// Who reads tasks of this kind.
    var reader: any ActionReader.Type {
        switch self {
        case .download: DownloadReader.self
        case .check: CheckReader.self
        case .run: RunReader.self
        case .upload: UploadReader.self
        case .extract: ExtractReader.self
        case .archive: ArchiveReader.self
        }
    }

    /// Whether tasks of this kind ask a server.
    var usesNetwork: Bool {
        switch self {
        case .download, .upload: true
        case .check, .run, .extract, .archive: false
        }
    }
}
