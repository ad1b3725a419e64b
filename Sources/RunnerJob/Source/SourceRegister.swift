/// The texts that a job is read from, with an index of their lines.
final class SourceRegister {
    private(set) var map = SourceMap()
    private var lines: [LineIndex] = []
    /// The numbers of the texts that were read as YAML.
    private var documents: [Int32] = []

    /// Adds a text and returns the number that its places carry.
    func add(_ name: String, _ bytes: [UInt8]) -> Int32 {
        lines.append(LineIndex(bytes))
        return map.add(SourceMap.File(name: name, bytes: bytes))
    }

    /// The texts, with what must not be shown of them.
    func map(hiding secrets: Set<String>) -> SourceMap {
        var map = map
        map.secrets = secrets
        return map
    }

    /// Adds a file that is too large to be kept: its places have a name, but no line to show.
    func addUnkept(_ name: String) -> Int32 {
        add(name, [])
    }

    /// The line that a place lies on.
    func line(of place: Place) -> String? {
        lines.indices.contains(Int(place.file)) ? lines[Int(place.file)].line(Int(place.line)) : nil
    }

    /// Reads a text as YAML; reports what is wrong with it, and returns nil where no tree can be made of it.
    ///
    /// - Parameter mayBeEmpty: Whether a text without a document is no fault.
    func compose(_ name: String, _ content: [UInt8], mayBeEmpty: Bool = false, faults: Faults) -> Node? {
        let bytes = SourceText.withoutMark(content)
        let file = add(name, bytes)
        documents.append(file)
        if let fault = SourceText.fault(in: bytes, file: file) {
            faults.add(fault)
            return nil
        }
        let (root, found) = Composer.compose(bytes, lines: lines[Int(file)], file: file, mayBeEmpty: mayBeEmpty)
        if !found.isEmpty, let conflict = SourceText.conflict(in: bytes, file: file) {
            // What YAML makes of such a file leads nowhere.
            faults.add(conflict)
            return nil
        }
        for fault in found { faults.add(fault) }
        return root
    }

    /// Credentials that are written out in the texts, or, where one is no YAML, in the lines that faults speak of.
    ///
    /// Reads the texts once more: their trees are not kept for this.
    func literalCredentials(besides faults: [Diagnostic]) -> Set<String> {
        var found: Set<String> = []
        let places = faults.flatMap { [$0.place] + $0.notes.map(\.place) }.compactMap { $0 }
        for file in documents {
            let bytes = map.files[Int(file)].bytes
            if SourceText.fault(in: bytes, file: file) == nil,
                let root = Composer.compose(bytes, lines: lines[Int(file)], file: file).root
            {
                found.formUnion(LiteralCredentials.find(in: root))
                continue
            }
            for line in Set(places.filter { $0.file == file }.compactMap { self.line(of: $0) }) {
                found.formUnion(LiteralCredentials.find(inLine: line))
            }
        }
        return found
    }
}
