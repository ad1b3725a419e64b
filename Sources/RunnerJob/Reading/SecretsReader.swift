/// Reads `secrets`: where `${secret:NAME}` is looked for behind the environment.
struct SecretsReader {
    let fields: Fields
    /// Root of relative paths.
    let folder: String

    private enum Key: String, CaseIterable { case file, folder, command }

    func read(_ node: Node, into store: SecretStore) {
        guard let entries = fields.mapping(node, "secrets", example: "{folder: /run/secrets}") else { return }
        fields.each(entries, of: "`secrets`", as: Key.self) { key, entry in
            switch key {
            case .file: store.file = location(entry)
            case .folder: store.folder = location(entry)
            case .command: store.command = command(entry)
            }
        }
    }

    private func location(_ entry: Node.Entry) -> SecretStore.Location? {
        guard let text = fields.line(entry.value, entry.key),
            let path = fields.absolutePath(text, in: folder, at: entry.value.place)
        else { return nil }
        let name = text.hasSuffix("/") && text != "/" ? String(text.dropLast()) : text
        return SecretStore.Location(path: path, name: name, place: entry.value.place)
    }

    private func command(_ entry: Node.Entry) -> (words: [String], place: Place)? {
        guard case .sequence(let nodes) = entry.value.content, !nodes.isEmpty else {
            fields.faults.error(
                "`command` wants a list of words, such as `command: [pass, show]`; the secret's name is added to them",
                at: entry.value.place)
            return nil
        }
        var words = nodes.compactMap { fields.text($0, entry.key) }
        guard words.count == nodes.count, let program = words.first else { return nil }
        if program.holds(UInt8(ascii: "/")) {
            guard let path = fields.absolutePath(program, in: folder, at: nodes[0].place) else { return nil }
            words[0] = path
        }
        return (words, entry.value.place)
    }
}
