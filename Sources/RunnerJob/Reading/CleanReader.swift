/// Reads `clean`: what may be removed of what earlier runs left.
struct CleanReader {
    let fields: Fields

    private enum Key: String, CaseIterable {
        case olderThan = "older_than"
        case maxSize = "max_size"
        case keep
    }

    func clean(_ node: Node) -> CleanSection {
        var clean = CleanSection()
        guard let entries = fields.mapping(node, "clean", example: "{older_than: 30d}") else { return clean }
        fields.each(entries, of: "`clean`", as: Key.self) { key, entry in
            switch key {
            case .olderThan: clean.olderThan = fields.duration(entry.value, key.rawValue)
            case .maxSize: clean.maxSize = fields.size(entry.value, key.rawValue)
            case .keep:
                clean.keep = fields.list(entry.value, key.rawValue).compactMap { fields.line($0, key.rawValue) }
            }
        }
        return clean
    }
}
