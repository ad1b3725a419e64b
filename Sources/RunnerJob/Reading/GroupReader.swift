/// Reads what an item with `tasks` says for the tasks inside it.
struct GroupReader {
    let fields: Fields

    private static let directory = "directory"

    /// A reader for the tasks of a group.
    func reader(for entries: [Node.Entry], in outer: TaskReader) -> TaskReader {
        var settings = outer.defaults
        var root = outer.settings.directory
        var needs = outer.needs
        // Other paths of the group begin there.
        if let entry = entries.first(where: { $0.key == Self.directory }) {
            root.folder = folder(entry.value, in: root) ?? root.folder
        }
        let reader = outer.settings.inside(root)
        for entry in entries where !entry.key.hasPrefix("x-") && entry.key != Self.directory {
            switch TaskKey(rawValue: entry.key) {
            case .tasks: continue
            case .needs: needs += fields.references(entry)
            case let key?:
                DefaultsReader(settings: reader, owner: .group).read(key, entry, into: &settings)
            case nil:
                fields.unknown(
                    entry, of: "a group (an item with `tasks`)",
                    known: [Self.directory] + ([.tasks, .needs, .matrix] + TaskKey.ofDefaults).map(\.rawValue))
            }
        }
        return outer.inside(reader, settings, needs: needs)
    }

    private func folder(_ node: Node, in root: PathRoot) -> String? {
        guard let text = fields.text(node, Self.directory) else { return nil }
        do throws(PathFault) {
            return try TargetPath.normalize(root.joined(text))
        } catch {
            fields.faults.error(error.description, at: node.place)
            return nil
        }
    }
}
