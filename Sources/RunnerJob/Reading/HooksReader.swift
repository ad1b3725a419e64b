/// Reads `hooks`: what is run after a run.
struct HooksReader {
    let fields: Fields

    private enum Key: String, CaseIterable { case success, failure, always, timeout }

    func hooks(_ node: Node) -> HookSet {
        var hooks = HookSet()
        guard let entries = fields.mapping(node, "hooks", example: "{failure: [notify, me]}") else { return hooks }
        fields.each(entries, of: "`hooks`", as: Key.self) { key, entry in
            if let occasion = HookSet.Occasion(rawValue: key.rawValue) {
                hooks.commands[occasion] = command(entry.value, key.rawValue)
            } else {
                hooks.timeout = fields.duration(entry.value, key.rawValue) ?? hooks.timeout
            }
        }
        return hooks
    }

    /// A program with its arguments; a lone text is a program without any.
    private func command(_ node: Node, _ key: String) -> [String]? {
        let items = fields.list(node, key)
        guard let first = items.first else {
            fields.faults.error(
                "`\(key)` is empty; write a program and its arguments, such as [notify, me]", at: node.place)
            return nil
        }
        guard let program = fields.line(first, key) else { return nil }
        if items.count == 1, program.holds(UInt8(ascii: " ")), case .scalar = node.content {
            fields.faults.error(
                "`\(key)` is run without a shell; write program and arguments as a list, such as"
                    + " [\(program.split(separator: " ").joined(separator: ", "))]", at: node.place)
            return nil
        }
        let arguments = items.dropFirst().compactMap { fields.text($0, key) }
        return arguments.contains { $0.utf8.contains(0) } ? nil : [program] + arguments
    }
}
