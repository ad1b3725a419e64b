/// Reads the items of `tasks`: finds out of which kind each is, and what every kind has.
struct TaskReader {
    private let context: ReadingContext
    /// What every task of the group needs.
    let needs: [Reference]

    init(fields: Fields, settings: SettingsReader, defaults: TaskSettings, hosts: Hosts) {
        var group = defaults
        // From here on only what groups and tasks give is noted.
        group.overlay = RequestOverlay()
        if defaults.trail != nil { group.trail = Trail() }
        let layering = RequestLayering(defaults: defaults.request, hosts: hosts, group: group)
        context = ReadingContext(
            fields: fields, settings: settings, defaults: group, layering: layering, defaultsTrail: defaults.trail)
        needs = []
    }

    private init(
        _ outer: TaskReader, settings: SettingsReader, defaults: TaskSettings, needs: [Reference]
    ) {
        context = ReadingContext(
            fields: outer.fields, settings: settings, defaults: defaults,
            layering: outer.context.layering.inside(defaults), defaultsTrail: outer.context.defaultsTrail)
        self.needs = needs
    }

    /// A reader for the tasks of a group.
    func inside(_ settings: SettingsReader, _ defaults: TaskSettings, needs: [Reference]) -> TaskReader {
        TaskReader(self, settings: settings, defaults: defaults, needs: needs)
    }

    /// Reads the fields of an item that are the same in all tasks which a matrix makes of it.
    ///
    /// - Returns: A reader for which they are defaults, and the fields that are left.
    func takingShared(_ entries: [Node.Entry]) -> (TaskReader, [Node.Entry]) {
        let kind = entries.lazy.compactMap { TaskKind(rawValue: $0.key) }.first
        // What is about servers means something else, or nothing, in tasks that ask none.
        guard kind?.usesNetwork ?? true else { return (self, entries) }
        var defaults = defaults
        var own: [Node.Entry] = []
        for entry in entries {
            if let key = TaskKey(rawValue: entry.key), !entry.value.usesVariables,
                kind.map({ TaskKey.ofAll.contains(key) || $0.reader.sharedKeys.contains(key) }) ?? true,
                settings.read(key, entry.value, into: &defaults)
            {
                continue
            }
            own.append(entry)
        }
        return (inside(settings, defaults, needs: needs), own)
    }

    var settings: SettingsReader { context.settings }
    /// What holds for a task that says nothing.
    var defaults: TaskSettings { context.defaults }
    private var fields: Fields { context.fields }
    private var faults: Faults { context.faults }

    /// One task; nil after a fault was reported that leaves nothing to go on with.
    func task(_ node: Node) -> JobTask? {
        switch node.content {
        case .mapping(let entries): return task(entries, at: node.place)
        case .scalar(let scalar):
            if let kind = TaskKind.allCases.first(where: { scalar.text.hasPrefix($0.rawValue + ":") }) {
                faults.error("a blank is missing behind `\(kind.rawValue):`", at: node.place)
                return nil
            }
            var reader = DownloadReader(context)
            reader.readURL(node)
            var draft = Draft(settings: context.defaults)
            draft.settings.trail?.note(.download, node)
            return finish(&reader, draft, at: node.place)
        case .sequence:
            faults.error("a task is a mapping, such as `download: URL`, or a URL; this is a list", at: node.place)
            return nil
        }
    }

    /// What every kind of task has, while its keys are being read.
    private struct Draft {
        var settings: TaskSettings
        var id: String?
        var needs: [Reference] = []
    }

    func task(_ entries: [Node.Entry], at place: Place) -> JobTask? {
        switch kind(of: entries, at: place) {
        case .download?: return task(entries, DownloadReader(context), at: place)
        case .check?: return task(entries, CheckReader(context), at: place)
        case .run?: return task(entries, RunReader(context), at: place)
        case .upload?: return task(entries, UploadReader(context), at: place)
        case .extract?: return task(entries, ExtractReader(context), at: place)
        case .archive?: return task(entries, ArchiveReader(context), at: place)
        case nil: return nil
        }
    }

    // MARK: Kinds

    /// The kind by the one verb that a task has; nil after a fault was reported.
    private func kind(of entries: [Node.Entry], at place: Place) -> TaskKind? {
        var verb: (kind: TaskKind, entry: Node.Entry)?
        for entry in entries {
            guard let kind = TaskKind(rawValue: entry.key) else { continue }
            if let first = verb {
                faults.error(
                    "a task does one thing; `\(entry.key)` is another than `\(first.entry.key)`", at: entry.keyPlace,
                    notes: [Diagnostic.Note("`\(first.entry.key)` is here", at: first.entry.keyPlace)])
                return nil
            }
            verb = (kind, entry)
        }
        if let verb { return verb.kind }
        var draft = Draft(settings: context.defaults)
        let areKnown = fields.each(entries, of: "a task", as: TaskKey.self) { key, entry in
            readCommon(key, entry, into: &draft)
        }
        // An unknown key may be the misspelt verb.
        if areKnown { faults.error("the task does nothing; say what with `download: URL`", at: place) }
        return nil
    }

    private func task<Reader: ActionReader>(
        _ entries: [Node.Entry], _ reader: Reader, at place: Place
    ) -> JobTask? {
        var reader = reader
        var draft = Draft(settings: context.defaults)
        for entry in entries {
            guard let key = TaskKey(rawValue: entry.key) else {
                if !entry.key.hasPrefix("x-") {
                    let known = TaskKey.allCases.filter {
                        TaskKey.ofAll.contains($0) || Reader.keys.contains($0) || [.matrix, .tasks].contains($0)
                    }
                    fields.unknown(entry, of: "a task", known: known.map(\.rawValue))
                }
                continue
            }
            draft.settings.trail?.note(key, entry.value)
            if TaskKey.ofAll.contains(key) {
                readCommon(key, entry, into: &draft)
                if !Reader.kind.usesNetwork { refuseNetworkPolicy(key, entry, Reader.kind) }
            } else if !Reader.keys.contains(key) {
                reportForeign(key, entry, to: Reader.kind)
            } else if !reader.read(key, entry) {
                _ = context.settings.read(key, entry.value, into: &draft.settings)
            }
        }
        return finish(&reader, draft, at: place)
    }

    /// A key that other kinds of task have.
    private func reportForeign(_ key: TaskKey, _ entry: Node.Entry, to kind: TaskKind) {
        let owners = TaskKind.allCases.filter { $0.reader.keys.contains(key) }.map { "`\($0.rawValue)`" }
        let names =
            owners.count < 2
            ? owners.joined() : owners.dropLast().joined(separator: ", ") + " and " + owners[owners.count - 1]
        faults.error(
            "`\(entry.key)` is a key of \(names) tasks, not of `\(kind.rawValue)` tasks",
            at: entry.keyPlace)
    }

    /// Refuses what is about servers in a task that asks none.
    private func refuseNetworkPolicy(_ key: TaskKey, _ entry: Node.Entry, _ kind: TaskKind) {
        guard case .mapping(let entries) = entry.value.content else { return }
        let refused: [String] =
            switch key {
            case .timeout: ["connect", "stall"]
            case .retry: ["max_wait"]
            default: []
            }
        for entry in entries where refused.contains(entry.key) {
            faults.error(
                "`\(entry.key)` is about a server, and a `\(kind.rawValue)` task asks none", at: entry.keyPlace)
        }
    }

    private func readCommon(_ key: TaskKey, _ entry: Node.Entry, into draft: inout Draft) {
        let name = key.rawValue, node = entry.value
        switch key {
        case .id: draft.id = fields.line(node, name)
        case .needs:
            draft.needs = fields.references(entry)
        default: _ = context.settings.read(key, node, into: &draft.settings)
        }
    }

    // MARK: The whole

    private func finish<Reader: ActionReader>(_ reader: inout Reader, _ draft: Draft, at place: Place) -> JobTask? {
        guard let (action, id) = reader.finish(draft.settings, at: place) else { return nil }
        let settings = draft.settings
        let task = JobTask(
            id: draft.id.map { ExactText($0) } ?? id, place: fields.variables.row ?? place, needs: needs + draft.needs,
            isOptional: settings.isOptional, priority: settings.priority, policies: settings.policies, action: action)
        if fields.explained != nil { explain(task, settings.trail ?? Trail()) }
        return task
    }

    /// Keeps what there is to say of a task that is to be explained; an id goes before a destination.
    private func explain(_ task: JobTask, _ own: Trail) {
        guard let wanted = fields.explained else { return }
        let isMeant = task.id == wanted || ExactText(task.action.work.targetText) == wanted
        guard isMeant, fields.explanation == nil || task.id == wanted else { return }
        fields.explanation = Explanation(
            of: task, own: own, defaults: context.defaultsTrail ?? Trail(), hosts: context.layering.hosts)
    }
}
