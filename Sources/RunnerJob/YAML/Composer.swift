internal import LibYAML

/// Builds the tree of a document from libyaml's events: resolves aliases and merge keys, refuses duplicate keys.
///
/// Faults that leave the rest readable are collected; the others end the reading.
struct Composer: ~Copyable {
    /// Levels of nesting that a file may have, aliases included.
    static let depthCeiling = 100
    /// Nodes that aliases and merge keys may add to those that are written out.
    static let aliasCeiling = 2_000_000

    private var parser: EventParser
    private let file: Int32
    private let lines: LineIndex
    private var anchors: [String: Node] = [:]
    /// Anchors of the nodes that are being read.
    private var openAnchors: [String] = []
    private var depth = 0
    /// Nodes that aliases and merge keys have added.
    private var added = 0
    private var faults: [Diagnostic] = []

    /// The end of the reading, told by the last of the collected faults.
    private struct Stop: Error {}

    private init(_ bytes: [UInt8], lines: LineIndex, file: Int32) throws(ParseError) {
        parser = try EventParser(bytes)
        self.lines = lines
        self.file = file
    }

    /// Reads a text that holds one document.
    ///
    /// - Parameter bytes: Text in which ``SourceText`` found no fault.
    /// - Returns: The tree, nil where it cannot be made, and the faults.
    static func compose(
        _ bytes: [UInt8], lines: LineIndex, file: Int32, mayBeEmpty: Bool = false
    ) -> (root: Node?, faults: [Diagnostic]) {
        do throws(ParseError) {
            var composer = try Composer(bytes, lines: lines, file: file)
            let root = composer.document(mayBeEmpty: mayBeEmpty)
            return (root, composer.faults)
        } catch {
            return (nil, [Diagnostic(.error, error.problem, at: Place(file: file, line: 1, column: 1))])
        }
    }

    private mutating func document(mayBeEmpty: Bool) -> Node? {
        do throws(Stop) {
            var root: Node?
            while true {
                let event = try next()
                switch event.kind {
                case .streamStart, .documentEnd: continue
                case .documentStart:
                    guard root == nil else {
                        throw stop("a second document begins here; a job file holds one", at: place(event.mark))
                    }
                    root = try node(try next())
                default:
                    if root == nil, !mayBeEmpty {
                        throw stop("the file is empty; it begins with `version: 1`", at: place(event.mark))
                    }
                    return root
                }
            }
        } catch {
            return nil
        }
    }

    // MARK: Nodes

    private mutating func node(_ event: Event) throws(Stop) -> Node {
        let place = place(event.mark)
        switch event.kind {
        case .scalar(let text, let style, let properties):
            check(properties, at: place)
            return anchor(Node(text, isPlain: style == .plain, at: place), properties)
        case .alias(let name):
            return try alias(name, at: place)
        case .sequenceStart(let properties):
            try open(properties, at: place)
            let items = try items()
            return close(Node(items, at: place), properties)
        case .mappingStart(let properties):
            try open(properties, at: place)
            let entries = try entries()
            return close(Node(entries, at: place), properties)
        default:
            // libyaml never gives the end of something here; were it to, the tree would be wrong.
            throw stop("the structure of the file cannot be read here", at: place)
        }
    }

    private mutating func items() throws(Stop) -> [Node] {
        var items: [Node] = []
        while true {
            let event = try next()
            if event.kind == .sequenceEnd { return items }
            items.append(try node(event))
            try checkHeight(items[items.count - 1])
        }
    }

    private mutating func entries() throws(Stop) -> [Node.Entry] {
        var mapping = MappingBuilder()
        while true {
            let event = try next()
            if event.kind == .mappingEnd { break }
            let key = try node(event)
            let value = try node(try next())
            try checkHeight(value)
            guard case .scalar(let scalar) = key.content else {
                faults.append(YAMLTraps.collectionAsKey(at: place(event.mark), in: lines))
                continue
            }
            let entry = Node.Entry(key: scalar.text, keyPlace: place(event.mark), value: value)
            if let fault = mapping.add(entry, isMerge: scalar.isPlain && scalar.text == "<<") { faults.append(fault) }
        }
        let own = mapping.ownCount
        let entries = mapping.merged()
        try count(entries.dropFirst(own).reduce(0) { $0 + 1 + Int($1.value.weight) }, at: entries.last?.keyPlace)
        return entries
    }

    // MARK: Anchors and ceilings

    private mutating func alias(_ name: String, at place: Place) throws(Stop) -> Node {
        guard let node = anchors[name] else {
            throw stop(YAMLTraps.unknownAnchor(name, isOpen: openAnchors.contains(name), at: place))
        }
        try count(Int(node.weight), at: place)
        return node
    }

    private mutating func anchor(_ node: Node, _ properties: NodeProperties) -> Node {
        if let name = properties.anchor { anchors[name] = node }
        return node
    }

    private mutating func open(_ properties: NodeProperties, at place: Place) throws(Stop) {
        check(properties, at: place)
        if let name = properties.anchor {
            openAnchors.append(name)
            // Inside the node its anchor stands for nothing, not for an earlier node of that name.
            anchors[name] = nil
        }
        depth += 1
        if depth > Self.depthCeiling { throw tooDeep(at: place) }
    }

    private mutating func close(_ node: Node, _ properties: NodeProperties) -> Node {
        depth -= 1
        if properties.anchor != nil { openAnchors.removeLast() }
        return anchor(node, properties)
    }

    private mutating func checkHeight(_ node: Node) throws(Stop) {
        if depth + Int(node.height) > Self.depthCeiling + 1 { throw tooDeep(at: node.place) }
    }

    private mutating func tooDeep(at place: Place) -> Stop {
        stop("nested too deeply: more than \(Self.depthCeiling) levels", at: place)
    }

    private mutating func count(_ nodes: Int, at place: Place?) throws(Stop) {
        added = added &+ nodes
        guard added > Self.aliasCeiling else { return }
        throw stop(
            "aliases and merge keys make the file larger than it is written by more than \(Self.aliasCeiling) nodes",
            at: place)
    }

    /// Every value is text to begin with, so that no other tag can mean anything.
    private mutating func check(_ properties: NodeProperties, at place: Place) {
        guard let tag = properties.tag, tag != "tag:yaml.org,2002:str", tag != "!" else { return }
        faults.append(
            Diagnostic(.error, "the tag \(shown(tag)) is not allowed; only `!!str` is, and it is not needed", at: place)
        )
    }

    // MARK: Events and faults

    private mutating func next() throws(Stop) -> Event {
        do throws(ParseError) {
            return try parser.next()
        } catch {
            let fault = YAMLTraps.explain(error, file: file, in: lines)
            // What libyaml stumbles over has often been explained a moment before.
            if faults.contains(where: { $0.place?.line == fault.place?.line }) { throw Stop() }
            throw stop(fault)
        }
    }

    private func place(_ mark: Mark) -> Place {
        Place(mark, file: file)
    }

    private mutating func stop(_ message: String, at place: Place?) -> Stop {
        stop(Diagnostic(.error, message, at: place))
    }

    private mutating func stop(_ fault: Diagnostic) -> Stop {
        faults.append(fault)
        return Stop()
    }
}

extension Place {
    init(_ mark: Mark, file: Int32) {
        self.init(file: file, line: Int32(clamping: mark.line), column: Int32(clamping: mark.column))
    }
}
