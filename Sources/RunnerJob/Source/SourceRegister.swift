/// The texts that a job is read from, with an index of their lines.
final class SourceRegister {
    private(set) var map = SourceMap()
    private var lines: [LineIndex] = []

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
}
