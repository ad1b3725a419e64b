/// A job file, or one that it includes, taken apart by the keys of its top level.
struct JobFile {
    /// The keys of the top level.
    enum Key: String, CaseIterable {
        case version, name, description, directory, report, vars, params, include, limits, defaults, hosts, secrets
        case clean, hooks, tasks

        /// What a file may say that another includes; its name is its own affair.
        var mayBeIncluded: Bool {
            switch self {
            case .version, .name, .description, .vars, .params, .include, .defaults, .hosts, .tasks: true
            case .directory, .report, .limits, .secrets, .clean, .hooks: false
            }
        }
    }

    /// As messages show it; `-` for standard input.
    let name: String
    /// Absolute folder of the file: root of the paths that configure.
    let folder: String
    /// Absolute path; nil for standard input.
    let path: String?
    let place: Place
    private var nodes: [Key: Node.Entry] = [:]

    /// Takes a tree apart; nil after a fault was reported that leaves nothing to go on with.
    init?(_ root: Node, name: String, folder: String, path: String?, fields: Fields) {
        self.name = name
        self.folder = folder
        self.path = path
        place = root.place
        guard case .mapping(let entries) = root.content else {
            fields.faults.error(
                "a job file is a mapping that begins with `version: 1`; this is something else", at: root.place)
            return nil
        }
        let version = entries.first { $0.key == Key.version.rawValue }
        // Another version may mean something else by every key.
        guard Self.check(version, at: root.place, fields) else { return nil }
        var nodes: [Key: Node.Entry] = [:]
        fields.each(entries, of: "the job", as: Key.self) { key, entry in nodes[key] = entry }
        self.nodes = nodes
    }

    subscript(key: Key) -> Node.Entry? { nodes[key] }

    private static func check(_ entry: Node.Entry?, at place: Place, _ fields: Fields) -> Bool {
        guard let entry else {
            fields.faults.error("`version` is missing; begin the file with `version: 1`", at: place)
            return true
        }
        guard let scalar = fields.scalar(entry.value, "version", wanted: "1") else { return false }
        if scalar.text == "1" { return true }
        fields.faults.error(
            "version \(shown(scalar.text)) is not known; this program reads version 1", at: entry.value.place)
        return false
    }
}
