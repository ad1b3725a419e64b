/// Reads the items of `tasks`.
struct TaskReader {
    let fields: Fields
    let settings: SettingsReader
    /// What holds for a task that says nothing.
    let defaults: TaskSettings
    private let layering: RequestLayering
    /// What every task of the group needs.
    let needs: [Reference]

    init(fields: Fields, settings: SettingsReader, defaults: TaskSettings, hosts: Hosts) {
        self.fields = fields
        self.settings = settings
        var group = defaults
        // From here on only what groups and tasks give is noted.
        group.overlay = RequestOverlay()
        layering = RequestLayering(defaults: defaults.request, hosts: hosts, group: group)
        self.defaults = group
        needs = []
    }

    private init(
        _ outer: TaskReader, settings: SettingsReader, defaults: TaskSettings, needs: [Reference]
    ) {
        fields = outer.fields
        self.settings = settings
        self.defaults = defaults
        layering = outer.layering.inside(defaults)
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
        var defaults = defaults
        var own: [Node.Entry] = []
        for entry in entries {
            if let key = TaskKey(rawValue: entry.key), !entry.value.usesVariables,
                settings.read(key, entry.value, into: &defaults)
            {
                continue
            }
            own.append(entry)
        }
        return (inside(settings, defaults, needs: needs), own)
    }

    private var faults: Faults { fields.faults }
    private var directory: PathRoot { settings.directory }

    /// One task; nil after a fault was reported that leaves nothing to go on with.
    func task(_ node: Node) -> JobTask? {
        switch node.content {
        case .mapping(let entries): return task(entries, at: node.place)
        case .scalar:
            guard let url = fields.url(node, "a task"), let path = path(namedAfter: url, in: ".", at: node.place)
            else { return nil }
            var draft = Draft(settings: defaults, digests: DigestReader(fields: fields, directory: directory))
            draft.sources = [url]
            draft.destination = path
            return finish(draft, at: node.place)
        case .sequence:
            faults.error("a task is a mapping, such as `download: URL`, or a URL; this is a list", at: node.place)
            return nil
        }
    }

    /// A task while its keys are being read.
    private struct Draft {
        var settings: TaskSettings
        var digests: DigestReader
        var id: String?
        var needs: [Reference] = []
        var sources: [SourceURL] = []
        var mirrors: [SourceURL] = []
        var destination: TargetPath?
        var size: Int64?
        var target: Node?
        var download: Node?
    }

    func task(_ entries: [Node.Entry], at place: Place) -> JobTask? {
        var draft = Draft(settings: defaults, digests: DigestReader(fields: fields, directory: directory))
        let areKnown = fields.each(entries, of: "a task", as: TaskKey.self) { key, entry in
            if settings.read(key, entry.value, into: &draft.settings) { return }
            read(key, entry, into: &draft)
        }
        guard let download = draft.download else {
            // An unknown key may be the misspelt verb.
            if areKnown { faults.error("the task does nothing; say what with `download: URL`", at: place) }
            return nil
        }
        if let url = fields.url(download, TaskKey.download.rawValue) {
            draft.sources = [url]
            draft.destination = destination(draft.target, of: url, at: place)
        } else if let target = draft.target {
            // The path may be wrong as well.
            _ = fields.text(target, "to").flatMap { checkedFile($0, at: target.place) }
        }
        return finish(draft, at: place)
    }

    private func read(_ key: TaskKey, _ entry: Node.Entry, into draft: inout Draft) {
        let name = key.rawValue, node = entry.value
        switch key {
        case .id: draft.id = fields.line(node, name)
        case .needs:
            draft.needs = fields.references(entry)
        case .download: draft.download = node
        case .mirrors: draft.mirrors = fields.list(node, name).compactMap { fields.url($0, name) }
        case .to: draft.target = node
        case .name: _ = fields.choice(node, name, of: NameSource.self)
        case .size: draft.size = fields.size(node, name)
        case .digest: draft.digests.read(entry)
        default:
            if let algorithm = DigestAlgorithm(rawValue: name) { draft.digests.read(algorithm, entry) }
        }
    }

    /// Where the name of a file comes from when `to` is a folder.
    private enum NameSource: String, CaseIterable { case url }

    // MARK: Destinations

    private func destination(_ target: Node?, of url: SourceURL, at place: Place) -> TargetPath? {
        guard let target else { return path(namedAfter: url, in: ".", at: place) }
        guard let text = fields.text(target, "to") else { return nil }
        guard text.utf8.last == UInt8(ascii: "/") else { return checkedFile(text, at: target.place) }
        return path(namedAfter: url, in: text, at: target.place)
    }

    private func checkedFile(_ text: String, at place: Place) -> TargetPath? {
        if text.utf8.last == UInt8(ascii: "/") { return nil }
        return fields.path(text, in: directory, at: place)
    }

    private func path(namedAfter url: SourceURL, in folder: String, at place: Place) -> TargetPath? {
        guard let name = url.fileName else {
            faults.error("the URL gives the file no name; write it, such as `to: folder/name`", at: place)
            return nil
        }
        do throws(PathFault) {
            let path = try TargetPath(folder: directory.joined(folder), name: name)
            return path.isAbsolute ? fields.path(path.text, in: directory, at: place) : path
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }

    // MARK: The whole

    private func finish(_ draft: Draft, at place: Place) -> JobTask? {
        draft.digests.warnIfWeak()
        guard !draft.sources.isEmpty, let destination = draft.destination else { return nil }
        let settings = draft.settings
        if settings.request.body != nil, settings.request.method == "GET" {
            faults.error("a task with a `body` needs a `method`, such as POST", at: place)
        }
        var download = Download(sources: draft.sources + draft.mirrors, destination: .file(destination))
        download.digests = draft.digests.digests
        download.checksumList = draft.digests.checksumList ?? defaultList(for: destination, draft.digests)
        download.size = draft.size
        download.expect = settings.expect
        download.exists = settings.exists
        let layers = layering.layers(for: settings)
        download.layers = layers
        download.request = draft.sources.first.map { layering.request(settings, layers, $0) } ?? settings.request
        download.rate = settings.rate
        download.segments = settings.segments
        download.mode = settings.mode
        download.modificationTime = settings.modificationTime
        return JobTask(
            id: draft.id.map { ExactText($0) } ?? destination.path, place: fields.variables.row ?? place,
            needs: needs + draft.needs,
            isOptional: settings.isOptional, priority: settings.priority, retry: settings.retry,
            timeout: settings.timeout, action: .download(download))
    }

    /// The list of `defaults`, unless the task has a digest of its own or writes the list.
    private func defaultList(for destination: TargetPath, _ digests: DigestReader) -> ChecksumListReference? {
        guard digests.digests.isEmpty, let list = defaults.checksumList else { return nil }
        return list.source == .path(destination) ? nil : list
    }
}
