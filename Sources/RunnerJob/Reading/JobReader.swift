/// Reads the tree of a job file.
struct JobReader {
    private let input: JobInput
    private let sources: SourceRegister
    private let faults: Faults
    private let variables: Variables
    private let fields: Fields

    private enum TopKey: String, CaseIterable {
        case version, name, description, directory, report, vars, limits, defaults, hosts, tasks
    }

    init(input: JobInput, sources: SourceRegister, faults: Faults) {
        self.input = input
        self.sources = sources
        self.faults = faults
        variables = Variables(input: input, sources: sources, faults: faults)
        fields = Fields(faults: faults, variables: variables)
    }

    /// Values that were read so far and must never be printed.
    var secrets: Set<String> { variables.secrets.union(fields.secrets) }

    /// The job; without meaning when a fault was reported.
    func job(_ root: Node) -> Job? {
        guard case .mapping(let entries) = root.content else {
            faults.error(
                "a job file is a mapping that begins with `version: 1`; this is something else", at: root.place)
            return nil
        }
        var nodes: [TopKey: Node.Entry] = [:]
        let version = entries.first { $0.key == TopKey.version.rawValue }
        // Another version may mean something else by every key.
        guard checkVersion(version, at: root.place) else { return nil }
        fields.each(entries, of: "the job", as: TopKey.self) { key, entry in nodes[key] = entry }
        return job(nodes, at: root.place)
    }

    private func checkVersion(_ entry: Node.Entry?, at place: Place) -> Bool {
        guard let entry else {
            faults.error("`version` is missing; begin the file with `version: 1`", at: place)
            return true
        }
        guard let scalar = fields.scalar(entry.value, "version", wanted: "1") else { return false }
        if scalar.text == "1" { return true }
        faults.error("version \(shown(scalar.text)) is not known; this program reads version 1", at: entry.value.place)
        return false
    }

    private func job(_ nodes: [TopKey: Node.Entry], at place: Place) -> Job {
        if let name = nodes[.name] {
            variables.declare(Variables.nameOfJob, as: name.value)
        } else {
            variables.declareName(nameOfFile)
        }
        declareVariables(nodes[.vars]?.value)
        let name = name(nodes[.name])
        if let description = nodes[.description] { _ = fields.text(description.value, description.key) }
        let directory = directory(nodes[.directory])
        let root = PathRoot(directory: directory)
        let settings = SettingsReader(fields: fields, directory: root, folder: input.folder)
        var job = Job(name: name, file: input.file, folder: input.folder, directory: directory, tasks: [])
        job.report = nodes[.report].flatMap { entry in
            fields.text(entry.value, entry.key).flatMap { fields.path($0, in: root, at: entry.value.place)?.text }
        }
        if let limits = nodes[.limits] { job.limits = LimitsReader(fields: fields).limits(limits.value) }
        if let hosts = nodes[.hosts] { job.hosts = HostsReader(fields: fields, settings: settings).hosts(hosts.value) }
        let defaults = nodes[.defaults].map { self.defaults($0.value, settings) } ?? TaskSettings()
        job.tasks = tasks(
            nodes[.tasks], at: place,
            TaskReader(fields: fields, settings: settings, defaults: defaults, hosts: job.hosts))
        variables.reportUnusedOverrides()
        job.secrets = secrets
        job.warnings = Faults.sorted(faults.warnings)
        return job
    }

    // MARK: Names and places

    private func declareVariables(_ node: Node?) {
        guard let node, let entries = fields.mapping(node, "vars", example: "{release: \"12.5\"}") else { return }
        for entry in entries {
            if Template.isName(entry.key) {
                variables.declare(entry.key, as: entry.value)
            } else {
                faults.error(Variables.wrongName(entry.key), at: entry.keyPlace)
            }
        }
        for entry in entries where Template.isName(entry.key) {
            _ = variables.value(of: entry.key, at: entry.keyPlace)
        }
    }

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
        let name = input.file.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? input.file
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.utf8.count > suffix.utf8.count {
            return String(name.dropLast(suffix.count))
        }
        return name
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

    private func defaults(_ node: Node, _ reader: SettingsReader) -> TaskSettings {
        var settings = TaskSettings()
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

    private func tasks(_ entry: Node.Entry?, at place: Place, _ reader: TaskReader) -> [JobTask] {
        guard let entry else {
            faults.error("`tasks` is missing; a job without work has `tasks: []`", at: place)
            return []
        }
        guard case .sequence(let items) = entry.value.content else {
            faults.error(
                entry.value.isEmpty
                    ? "`tasks` has no value; a job without work has `tasks: []`"
                    : "`tasks` wants a list; begin each task with `- `", at: entry.value.place)
            return []
        }
        var tasks: [JobTask] = []
        tasks.reserveCapacity(items.count)
        let matrices = MatrixReader(fields: fields, folder: input.folder, jobFile: input.file)
        ItemReader(fields: fields, matrices: matrices, files: input.files, sources: sources)
            .read(items, reader, into: &tasks)
        checkIDs(tasks)
        return tasks
    }

    /// Two tasks that write one path are the planner's business, two that were given one name are ours.
    private func checkIDs(_ tasks: [JobTask]) {
        var matrices: Set<Place> = []
        var firsts: [ExactText: Int] = Dictionary(minimumCapacity: tasks.count)
        for (index, task) in tasks.enumerated() {
            guard let first = firsts[task.id] else {
                firsts[task.id] = index
                continue
            }
            let other = tasks[first]
            if task.hasOwnPathAsID, other.hasOwnPathAsID { continue }
            if task.place == other.place {
                guard matrices.insert(task.place).inserted else { continue }
                faults.error(
                    "two tasks of one matrix have the id \(shown(task.id.text)); put a variable of the matrix into `id`",
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
        if case .download(let download) = action { return download.path.path == id }
        return action.work.outputs.contains { $0.path.path == id }
    }
}
