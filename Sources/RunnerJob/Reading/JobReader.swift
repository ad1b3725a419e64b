/// Reads the tree of a job file.
struct JobReader {
    private let input: JobInput
    private let sources: SourceRegister
    private let faults: Faults
    private let variables: Variables
    private let fields: Fields

    init(input: JobInput, sources: SourceRegister, faults: Faults) {
        self.input = input
        self.sources = sources
        self.faults = faults
        variables = Variables(input: input, sources: sources, faults: faults)
        fields = Fields(faults: faults, variables: variables)
        fields.explained = input.explains.map { ExactText($0) }
    }

    /// Values that were read so far and must never be printed.
    var secrets: Set<String> { variables.secrets.union(fields.secrets) }

    /// The job; without meaning when a fault was reported.
    func job(_ root: Node) -> Job? {
        let path = input.file == JobFiles.standardInput ? nil : input.folder + "/" + lastPart(of: input.file)
        guard let file = JobFile(root, name: input.file, folder: input.folder, path: path, fields: fields) else {
            return nil
        }
        let declarations = DeclarationReader(fields: fields, variables: variables)
        if let name = file[.name] {
            variables.declare(Variables.nameOfJob, as: name.value)
        } else {
            variables.declareName(nameOfFile)
        }
        giveVariables(declarations)
        let files = IncludeReader(fields: fields, files: input.files, sources: sources, declarations: declarations)
            .files(of: file)
        if let secrets = file[.secrets] {
            SecretsReader(fields: fields, folder: file.folder).read(secrets.value, into: variables.store)
        }
        variables.settle()
        return job(file, files)
    }

    private func job(_ file: JobFile, _ files: [JobFile]) -> Job {
        let name = name(file[.name])
        for file in files {
            if let description = file[.description] { _ = fields.text(description.value, description.key) }
        }
        let root = PathRoot(directory: directory(file[.directory]))
        var job = Job(name: name, file: input.file, folder: input.folder, directory: root.directory, tasks: [])
        job.report = file[.report].flatMap { entry in
            fields.text(entry.value, entry.key).flatMap { fields.path($0, in: root, at: entry.value.place)?.text }
        }
        if let limits = file[.limits] { job.limits = LimitsReader(fields: fields).limits(limits.value) }
        if let hooks = file[.hooks] { job.hooks = HooksReader(fields: fields).hooks(hooks.value) }
        if let clean = file[.clean] { job.clean = CleanReader(fields: fields).clean(clean.value) }
        job.hosts = Hosts(files.flatMap { hosts($0, root) })
        let settings = SettingsReader(fields: fields, directory: root, folder: file.folder)
        var standard = TaskSettings()
        standard.trail = fields.explained == nil ? nil : Trail()
        let defaults = file[.defaults].map { self.defaults($0.value, settings, over: standard) } ?? standard
        for part in files {
            let isIncluded = part.place.file != file.place.file
            let own = tasks(of: part, isIncluded: isIncluded, root, defaults, job.hosts)
            // Most jobs have one file, whose tasks need not be copied.
            if job.tasks.isEmpty { job.tasks = own } else { job.tasks += own }
        }
        if file[.tasks] == nil, file[.include] == nil {
            faults.error("`tasks` is missing; a job without work has `tasks: []`", at: file.place)
        }
        checkIDs(job.tasks)
        variables.reportUnusedOverrides()
        job.explanation = fields.explanation
        job.secrets = secrets
        job.reliance = variables.reliance
        job.warnings = Faults.sorted(faults.warnings)
        return job
    }

    /// Takes up the files of `--vars`, the last one first.
    private func giveVariables(_ declarations: DeclarationReader) {
        for file in input.variableFiles.reversed() {
            do throws(JobFileFault) {
                let content = try input.files.content(of: file.path, atMost: SourceText.ceiling)
                let root = sources.compose(file.name, content, mayBeEmpty: true, faults: faults)
                if let root { declarations.give(root) }
            } catch {
                faults.error("--vars \(file.name): \(error.reason)", at: nil)
            }
        }
    }

    // MARK: Names and places

    private func name(_ entry: Node.Entry?) -> String {
        guard let entry, let value = variables.value(of: Variables.nameOfJob, at: entry.keyPlace) else {
            return nameOfFile
        }
        guard !value.text.isEmpty, Fields.isPrintable(value.text) else {
            faults.error("`name` must be a text on one line that is not empty", at: entry.value.place)
            return nameOfFile
        }
        return value.text
    }

    /// The job file's name without folder and suffix.
    private var nameOfFile: String {
        guard input.file != "-" else { return "stdin" }
        let name = lastPart(of: input.file)
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    private func lastPart(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }

    private func directory(_ entry: Node.Entry?) -> String {
        let own = entry.flatMap { entry in
            fields.text(entry.value, entry.key).flatMap {
                fields.absolutePath($0, in: input.folder, at: entry.value.place)
            }
        }
        return input.directory ?? own ?? input.folder
    }

    // MARK: Sections

    private func hosts(_ file: JobFile, _ root: PathRoot) -> [HostSection] {
        guard let entry = file[.hosts] else { return [] }
        let settings = SettingsReader(fields: fields, directory: root, folder: file.folder)
        return HostsReader(fields: fields, settings: settings).sections(entry.value)
    }

    private func defaults(_ node: Node, _ reader: SettingsReader, over outer: TaskSettings) -> TaskSettings {
        var settings = outer
        guard let entries = fields.mapping(node, "defaults", example: "{retry: {attempts: 5}}") else {
            return settings
        }
        for entry in entries where !entry.key.hasPrefix("x-") {
            guard let key = TaskKey(rawValue: entry.key) else {
                fields.unknown(entry, of: "`defaults`", known: TaskKey.ofDefaults.map(\.rawValue))
                continue
            }
            DefaultsReader(settings: reader, owner: .defaults).read(key, entry, into: &settings)
        }
        return settings
    }

    /// The tasks of one file; an included one has its own defaults over those of the job.
    private func tasks(
        of file: JobFile, isIncluded: Bool, _ root: PathRoot, _ defaults: TaskSettings, _ hosts: Hosts
    ) -> [JobTask] {
        guard let entry = file[.tasks] else { return [] }
        guard case .sequence(let items) = entry.value.content else {
            faults.error(
                entry.value.isEmpty
                    ? "`tasks` has no value; a job without work has `tasks: []`"
                    : "`tasks` wants a list; begin each task with `- `", at: entry.value.place)
            return []
        }
        let settings = SettingsReader(fields: fields, directory: root, folder: file.folder)
        var own = defaults
        if isIncluded, let entry = file[.defaults] { own = self.defaults(entry.value, settings, over: defaults) }
        let reader = TaskReader(fields: fields, settings: settings, defaults: own, hosts: hosts)
        var tasks: [JobTask] = []
        tasks.reserveCapacity(items.count)
        let matrices = MatrixReader(fields: fields, folder: file.folder, jobFile: file.name)
        ItemReader(fields: fields, matrices: matrices, files: input.files, sources: sources)
            .read(items, reader, into: &tasks)
        return tasks
    }

    /// Two tasks that write one path are the planner's business, two that were given one name are ours.
    private func checkIDs(_ tasks: [JobTask]) {
        var matrices: Set<Place> = []
        var firsts: [ExactText: Int] = Dictionary(minimumCapacity: tasks.count)
        // By index: a copy of each task would cost more than all the rest.
        for index in tasks.indices {
            guard let first = firsts[tasks[index].id] else {
                firsts[tasks[index].id] = index
                continue
            }
            let (task, other) = (tasks[index], tasks[first])
            if task.hasOwnPathAsID, other.hasOwnPathAsID { continue }
            if task.place == other.place {
                guard matrices.insert(task.place).inserted else { continue }
                faults.error(
                    "two tasks of one item have the id \(shown(task.id.text)); put a variable of its matrix into `id`, or,"
                        + " where an alias repeats the item, write it anew with another `id`",
                    at: task.place)
                continue
            }
            faults.error(
                "two tasks have the id \(shown(task.id.text)); an id is the destination unless the task has an `id`",
                at: task.place, notes: [Diagnostic.Note("the other is here", at: other.place)])
        }
    }
}

extension JobTask {
    /// Whether the id is a path that the task writes.
    fileprivate var hasOwnPathAsID: Bool {
        if case .download(let download) = action { return download.partPath.path == id }
        return action.work.outputs.contains { $0.path.path == id }
    }
}
