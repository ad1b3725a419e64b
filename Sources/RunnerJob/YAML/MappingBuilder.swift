/// Collects the entries of one mapping: notices duplicate keys and resolves merge keys.
///
/// Merging follows https://yaml.org/type/merge.html: own keys win wherever `<<` stands, then the earlier mapping.
struct MappingBuilder {
    private var entries: [Node.Entry] = []
    private var sources: [[Node.Entry]] = []
    private var merge: Node.Entry?
    /// The keys of a large mapping; a small one is looked through.
    private var keys: Set<ExactText> = []

    /// Number of entries that are written in the mapping itself.
    var ownCount: Int { entries.count }

    /// Takes an entry; returns what is wrong with it.
    mutating func add(_ entry: Node.Entry, isMerge: Bool) -> Diagnostic? {
        isMerge ? addMerge(entry) : addOwn(entry)
    }

    private mutating func addOwn(_ entry: Node.Entry) -> Diagnostic? {
        if append(entry) { return nil }
        return duplicate(entry, first: entries.first { ExactText($0.key) == ExactText(entry.key) })
    }

    /// Takes an entry unless its key is there already.
    private mutating func append(_ entry: Node.Entry) -> Bool {
        if entries.count < 16 {
            let isKnown = entries.contains { $0.key == entry.key && ExactText($0.key) == ExactText(entry.key) }
            if isKnown { return false }
        } else {
            if keys.isEmpty { keys = Set(entries.map { ExactText($0.key) }) }
            if !keys.insert(ExactText(entry.key)).inserted { return false }
        }
        entries.append(entry)
        return true
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
            for entry in source { _ = append(entry) }
        }
        return entries
    }
}
