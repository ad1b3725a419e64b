/// Reads what a task that runs a program has of its own.
struct RunReader: ActionReader {
    static let kind = TaskKind.run
    static let keys: Set<TaskKey> = [.run, .env, .cwd, .inputs, .outputs, .expect]

    private let context: ReadingContext
    private var arguments: [ProgramRun.Argument] = []
    private var run = ProgramRun(arguments: [])

    init(_ context: ReadingContext) {
        self.context = context
    }

    private var fields: Fields { context.fields }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let name = key.rawValue, node = entry.value
        switch key {
        case .run: readArguments(node)
        case .env: readEnvironment(node)
        case .cwd:
            run.folder = fields.text(node, name).flatMap { fields.path($0, in: context.directory, at: node.place) }
                .map { PathInput($0, at: node.place, as: .workplace, shape: .folder) }
        case .inputs:
            run.reads = fields.list(node, name).compactMap { node in
                path(node, name).map {
                    PathInput($0.path, at: node.place, as: .source, shape: $0.isFolder ? .folder : .any)
                }
            }
        case .outputs:
            run.outputs = fields.list(node, name).compactMap { node in
                path(node, name).map { PathOutput($0.path, isFolder: $0.isFolder) }
            }
        case .expect: readExpectations(node)
        default: return false
        }
        return true
    }

    private func path(_ node: Node, _ key: String) -> (path: TargetPath, isFolder: Bool)? {
        guard let text = fields.text(node, key), let path = fields.path(text, in: context.directory, at: node.place)
        else { return nil }
        return (path, text.utf8.last == UInt8(ascii: "/"))
    }

    private mutating func readArguments(_ node: Node) {
        guard case .sequence(let items) = node.content, !items.isEmpty else {
            fields.faults.error(
                "`run` wants a program and its arguments as a list, such as `run: [make, -j4]`; no shell reads them",
                at: node.place)
            return
        }
        for item in items {
            guard let value = fields.value(item, "run") else { continue }
            if value.text.utf8.contains(0) {
                fields.faults.error("an argument cannot hold a zero byte", at: item.place)
                continue
            }
            arguments.append(ProgramRun.Argument(value.text, hasSecret: value.hasSecret))
        }
        if arguments.first?.text.isEmpty == true {
            fields.faults.error("the program's name is empty", at: items[0].place)
        }
        if arguments.first?.hasSecret == true {
            fields.faults.error("the program's name cannot be a secret", at: items[0].place)
        }
        run.arguments = arguments
    }

    private mutating func readEnvironment(_ node: Node) {
        guard let entries = fields.mapping(node, "env", example: "{CC: gcc}") else { return }
        for entry in entries {
            let isName =
                entry.key.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
                && entry.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }
            guard isName else {
                fields.faults.error("\(shown(entry.key)) is no name of an environment variable", at: entry.keyPlace)
                continue
            }
            guard let value = fields.value(entry.value, entry.key) else { continue }
            if value.text.utf8.contains(0) {
                fields.faults.error("a variable cannot hold a zero byte", at: entry.value.place)
                continue
            }
            run.environment.append(
                NamedValue(name: entry.key, value: value.text, hasSecret: value.hasSecret))
        }
    }

    private enum ExpectKey: String, CaseIterable { case status }

    private mutating func readExpectations(_ node: Node) {
        guard let entries = fields.mapping(node, "expect", example: "{status: 0}") else { return }
        fields.each(entries, of: "`expect` of a `run` task", as: ExpectKey.self) { key, entry in
            let statuses = fields.checks(entry.value, key.rawValue).compactMap {
                fields.integer($0, key.rawValue, in: 0...255)
            }
            if !statuses.isEmpty { run.statuses = Set(statuses) }
        }
    }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        guard !run.arguments.isEmpty else { return nil }
        return (.run(run), run.outputs.first?.path.path ?? ExactText("run \(run.sourceText)"))
    }
}
