/// A node of a YAML document that knows where it stands.
///
/// A value: an alias shares the storage of what it stands for.
struct Node: Sendable {
    /// Where the node begins; for an alias, where the node that it stands for begins.
    // In this order and of these sizes a node takes 40 bytes.
    var place: Place
    /// Nodes in this one, itself included, with every alias counted as what it stands for.
    var weight: Int32
    var content: Content
    /// Levels of nesting: 1 for a scalar.
    var height: Int16

    enum Content: Sendable {
        case scalar(Scalar)
        case sequence([Node])
        case mapping([Entry])
    }

    /// A text as it was written; what it means is decided by the field that reads it.
    struct Scalar: Sendable {
        var text: String
        var isPlain: Bool
    }

    /// A key with its value.
    struct Entry: Sendable {
        var key: String
        var keyPlace: Place
        var value: Node
    }

    init(_ text: String, isPlain: Bool, at place: Place) {
        self.place = place
        content = .scalar(Scalar(text: text, isPlain: isPlain))
        weight = 1
        height = 1
    }

    init(_ items: [Node], at place: Place) {
        self.place = place
        content = .sequence(items)
        weight = items.reduce(1) { $0 &+ $1.weight }
        height = 1 &+ items.reduce(0) { max($0, $1.height) }
    }

    init(_ entries: [Entry], at place: Place) {
        self.place = place
        content = .mapping(entries)
        weight = entries.reduce(1) { $0 &+ 1 &+ $1.value.weight }
        height = 1 &+ entries.reduce(0) { max($0, $1.value.height) }
    }

    /// Whether a text in the node may hold `${…}`.
    var usesVariables: Bool {
        switch content {
        case .scalar(let scalar): scalar.text.holds(UInt8(ascii: "$"))
        case .sequence(let items): items.contains(where: \.usesVariables)
        case .mapping(let entries): entries.contains(where: \.value.usesVariables)
        }
    }

    /// Whether the node is a plain scalar without text: a key with nothing behind it.
    var isEmpty: Bool {
        if case .scalar(let scalar) = content { scalar.isPlain && scalar.text.isEmpty } else { false }
    }
}
