/// Reads the values of a job file as what their keys want, with variables put in.
///
/// Every reader returns nil after it has reported what is wrong, at the place where it is wrong. Messages quote what
/// stands in the file, never what a variable stands for.
final class Fields {
    let faults: Faults
    let variables: Variables
    /// Values that must never be printed.
    var secrets: Set<String> = []
    /// Id or destination of the task that is to be explained, and what there is to say of it.
    var explained: ExactText?
    var explanation: Explanation?
    /// How the URL began that libcurl read last.
    var knownAuthority: KnownAuthority?

    init(faults: Faults, variables: Variables) {
        self.faults = faults
        self.variables = variables
    }

    /// A text; an empty one only where it is in quotes.
    func value(_ node: Node, _ key: String) -> TextValue? {
        guard let scalar = scalar(node, key, wanted: "a text") else { return nil }
        return variables.expand(scalar.text, of: node)
    }

    /// A text; see ``value(_:_:)``.
    func text(_ node: Node, _ key: String) -> String? {
        value(node, key)?.text
    }

    /// A text that is not empty and holds no control character.
    func line(_ node: Node, _ key: String) -> String? {
        guard let text = text(node, key) else { return nil }
        if text.isEmpty {
            faults.error("`\(key)` must not be empty", at: node.place)
            return nil
        }
        guard Fields.isPrintable(text) else {
            faults.error("`\(key)` cannot hold a line break or another control character", at: node.place)
            return nil
        }
        return text
    }

    static func isPrintable(_ text: String) -> Bool {
        !text.holds { $0 < 0x20 || $0 == 0x7F }
    }

    /// What is written at a node that has to be a scalar.
    func scalar(_ node: Node, _ key: String, wanted: String) -> Node.Scalar? {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.isPlain, scalar.text.isEmpty else { return scalar }
            faults.error("`\(key)` has no value; write \(wanted) behind it", at: node.place)
        case .sequence:
            faults.error("`\(key)` wants \(wanted), not a list", at: node.place)
        case .mapping:
            faults.error(
                "`\(key)` wants \(wanted), not a mapping; put a text that begins with `{` or holds `: ` in quotes",
                at: node.place)
        }
        return nil
    }

    // MARK: Structures

    /// The entries of a mapping.
    func mapping(_ node: Node, _ key: String, example: String) -> [Node.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        faults.error("`\(key)` wants a mapping, such as `\(key): \(example)`", at: node.place)
        return nil
    }

    /// Names of tasks.
    func references(_ entry: Node.Entry) -> [Reference] {
        list(entry.value, entry.key).compactMap { item in
            line(item, entry.key).map { Reference(ExactText($0), at: item.place) }
        }
    }

    /// The items of a list; a single value counts as a list of one.
    func list(_ node: Node, _ key: String) -> [Node] {
        if case .sequence(let items) = node.content { return items }
        return [node]
    }

    /// The items of a list of what is to be checked; one without any is a fault, since it would check nothing.
    func checks(_ node: Node, _ key: String) -> [Node] {
        let items = list(node, key)
        if items.isEmpty {
            faults.error(
                "`\(key)` is an empty list, which checks nothing; leave it out if that is meant", at: node.place)
        }
        return items
    }

    /// Goes through a mapping whose keys are fixed; unknown keys are faults, keys that begin with `x-` are ignored.
    ///
    /// - Parameter owner: What the mapping belongs to, for the message: `a task`, `` `retry` ``.
    /// - Returns: Whether all keys were known.
    @discardableResult
    func each<Key: RawRepresentable<String> & CaseIterable>(
        _ entries: [Node.Entry], of owner: String, as type: Key.Type, _ read: (Key, Node.Entry) -> Void
    ) -> Bool {
        var areKnown = true
        for entry in entries {
            if let key = Key(rawValue: entry.key) {
                read(key, entry)
            } else if !entry.key.hasPrefix("x-") {
                unknown(entry, of: owner, known: Key.allCases.map(\.rawValue))
                areKnown = false
            }
        }
        return areKnown
    }

    /// What the files of other programs call these things.
    private static let wordsOfOthers: [String: [String]] = [
        "checksum": ["digest"], "hash": ["digest"], "integrity": ["digest"], "sha": ["sha256"], "sum": ["digest"],
        "url": ["download", "file"], "uri": ["download"], "src": ["download"], "source": ["download"],
        "dest": ["to"], "destination": ["to"], "output": ["to"], "out": ["to"], "path": ["to"], "filename": ["to"],
        "depends": ["needs"], "depends_on": ["needs"], "command": ["run"], "cmd": ["run"], "chmod": ["mode"],
    ]

    func unknown(_ entry: Node.Entry, of owner: String, known: [String]) {
        var message = "unknown key \(shown(entry.key)) in \(owner)"
        let blank = otherBlank(in: entry.key)
        var suggestion = blank.isEmpty ? didYouMean(entry.key, among: known) : blank
        if suggestion.isEmpty, let key = Self.wordsOfOthers[entry.key]?.first(where: known.contains) {
            suggestion = "; did you mean `\(key)`?"
        }
        if suggestion.isEmpty, known.count <= 8 {
            message += "; it takes " + known.map { "`\($0)`" }.joined(separator: ", ")
        }
        faults.error(message + suggestion, at: entry.keyPlace)
    }
}
