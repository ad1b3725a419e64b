/// Reads what an extract task has of its own.
struct ExtractReader: ActionReader {
    static let kind = TaskKind.extract
    static let keys: Set<TaskKey> = [.extract, .to, .strip, .include, .exclude, .password, .exists, .limits]

    private let context: ReadingContext
    private var archive: (path: TargetPath, place: Place)?
    private var target: TargetPath?
    private var hasTarget = false
    private var shape = EntryShape()
    private var existing: Extraction.Existing?
    private var limits = Extraction.Limits()

    init(_ context: ReadingContext) {
        self.context = context
    }

    private var fields: Fields { context.fields }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let name = key.rawValue, node = entry.value
        switch key {
        case .extract:
            archive = fields.filePath(node, name, in: context.directory).map { ($0, node.place) }
        case .to:
            hasTarget = true
            target = fields.folderPath(node, name, in: context.directory)
        case .exists: existing = fields.choice(node, name)
        case .limits: readLimits(node)
        default: return shape.read(key, node, fields)
        }
        return true
    }

    private enum LimitKey: String, CaseIterable { case entries, bytes, ratio }

    private mutating func readLimits(_ node: Node) {
        guard let entries = fields.mapping(node, "limits", example: "{bytes: 2TiB}") else { return }
        fields.each(entries, of: "`limits` of a task", as: LimitKey.self) { key, entry in
            let name = key.rawValue, value = entry.value
            switch key {
            case .entries:
                limits.entries = fields.integer(value, name, in: 1...Int.max).map { Int64($0) } ?? limits.entries
            case .bytes: limits.bytes = fields.size(value, name) ?? limits.bytes
            case .ratio: limits.ratio = fields.integer(value, name, in: 1...Int.max).map { Int64($0) } ?? limits.ratio
            }
        }
    }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        if !hasTarget {
            context.faults.error("an `extract` task needs the folder that it makes, such as `to: tree/`", at: place)
        }
        guard let archive, let target else { return nil }
        var extraction = Extraction(archive: archive.path, at: archive.place, to: target)
        extraction.strip = shape.strip
        extraction.selection = shape.selection
        extraction.password = shape.password
        extraction.existing = existing
        extraction.limits = limits
        return (.extract(extraction), ExactText(extraction.targetText))
    }
}

/// The keys that packing and unpacking share.
struct EntryShape {
    var strip = 0
    var selection = EntrySelection()
    var password: String?

    /// False where a key is none of these.
    mutating func read(_ key: TaskKey, _ node: Node, _ fields: Fields) -> Bool {
        let name = key.rawValue
        switch key {
        case .strip: strip = fields.integer(node, name, in: 0...1000) ?? strip
        case .include: selection.include = patterns(node, name, fields)
        case .exclude: selection.exclude = patterns(node, name, fields)
        case .password:
            guard let text = fields.line(node, name) else { return true }
            fields.secrets.insert(text)
            password = text
        default: return false
        }
        return true
    }

    private func patterns(_ node: Node, _ key: String, _ fields: Fields) -> [String] {
        fields.list(node, key).compactMap { item in
            guard let text = fields.line(item, key) else { return nil }
            guard text.utf8.first == UInt8(ascii: "/") else { return text }
            fields.faults.error(
                "no name in an archive begins with `/`, so that \(shown(text)) fits none", at: item.place)
            return nil
        }
    }
}

extension Fields {
    /// A path of a folder that a task writes as a whole; a final slash may be left out.
    func folderPath(_ node: Node, _ key: String, in root: PathRoot) -> TargetPath? {
        guard let text = text(node, key) else { return nil }
        let isRoot = root.folder.isEmpty && !text.isEmpty && text.split(separator: "/").allSatisfy { $0 == "." }
        if !isRoot {
            guard let path = path(text, in: root, at: node.place) else { return nil }
            // The job's directory, and what it lies in, hold more than one task makes.
            let directory = root.directory == "/" ? "/" : root.directory + "/"
            if !path.isAbsolute || !directory.hasPrefix(path.text + "/") { return path }
        }
        faults.error(
            "`\(key)` is the folder that the task makes as a whole; name one below the job's directory", at: node.place)
        return nil
    }
}
