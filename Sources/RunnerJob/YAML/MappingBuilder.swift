/// Collects the entries of one mapping: notices duplicate keys and resolves merge keys.
///
/// Merging follows https://yaml.org/type/merge.html: own keys win wherever `<<` stands, then the earlier mapping.
struct MappingBuilder {
    private var entries: [Node.Entry] = []
    private var sources: [[Node.Entry]] = []
    private var merge: Node.Entry?
    private var keys = KeySet()

    /// Number of entries that are written in the mapping itself.
    var ownCount: Int { entries.count }

    /// Takes an entry; returns what is wrong with it.
    mutating func add(_ entry: Node.Entry, isMerge: Bool) -> Diagnostic? {
        isMerge ? addMerge(entry) : addOwn(entry)
    }

    private mutating func addOwn(_ entry: Node.Entry) -> Diagnostic? {
        guard keys.insert(entry.key) else {
            let first = entries.first { ExactText($0.key) == ExactText(entry.key) }
            return duplicate(entry, first: first)
        }
        entries.append(entry)
        return nil
    }

    private mutating func addMerge(_ entry: Node.Entry) -> Diagnostic? {
        if let merge { return duplicate(entry, first: merge) }
        merge = entry
        let nodes: [Node] =
            switch entry.value.content {
            case .sequence(let nodes): nodes
            default: [entry.value]
            }
        for node in nodes {
            guard case .mapping(let entries) = node.content else {
                return Diagnostic(
                    .error, "`<<` takes a mapping or a list of mappings, such as `<<: *name`; this is something else",
                    at: node.place)
            }
            sources.append(entries)
        }
        return nil
    }

    private func duplicate(_ entry: Node.Entry, first: Node.Entry?) -> Diagnostic {
        Diagnostic(
            .error, "the key \(shown(entry.key)) is there twice; remove one of them", at: entry.keyPlace,
            notes: [Diagnostic.Note("the first is here", at: first?.keyPlace)])
    }

    /// The own entries, then what the merge keys add.
    consuming func merged() -> [Node.Entry] {
        for source in sources {
            for entry in source where keys.insert(entry.key) { entries.append(entry) }
        }
        return entries
    }
}

/// The keys of a mapping, compared byte for byte; most mappings are so small that looking through them is fastest.
private struct KeySet {
    private var few: [String] = []
    private var many: Set<ExactText> = []

    /// Returns false for a key that is there already.
    mutating func insert(_ key: String) -> Bool {
        if !many.isEmpty { return many.insert(ExactText(key)).inserted }
        // Strings that are equal byte for byte are equal; the reverse is checked only then.
        if few.contains(where: { $0 == key && ExactText($0) == ExactText(key) }) { return false }
        few.append(key)
        if few.count > 16 { many = Set(few.map { ExactText($0) }) }
        return true
    }
}
