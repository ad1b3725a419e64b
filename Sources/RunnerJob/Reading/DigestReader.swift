/// Collects the digests of one task from all the keys that can give them.
struct DigestReader {
    let fields: Fields
    let directory: PathRoot
    private(set) var digests: [Digest] = []
    private(set) var checksumList: ChecksumListReference?
    private var places: [DigestAlgorithm: Place] = [:]
    private var firstPlace: Place?

    init(fields: Fields, directory: PathRoot) {
        self.fields = fields
        self.directory = directory
    }

    /// Reads a key that is named after an algorithm.
    mutating func read(_ algorithm: DigestAlgorithm, _ entry: Node.Entry) {
        for node in fields.list(entry.value, entry.key) { read(node, algorithm, entry) }
    }

    private enum ListKey: String, CaseIterable { case file }

    /// Reads `digest`: a text, a list of texts, or `{file: …}`.
    mutating func read(_ entry: Node.Entry) {
        guard case .mapping(let entries) = entry.value.content else {
            for node in fields.list(entry.value, entry.key) { read(node, nil, entry) }
            return
        }
        var file: Node.Entry?
        let areKnown = fields.each(entries, of: "`digest`", as: ListKey.self) { _, entry in file = entry }
        guard let file else {
            if areKnown {
                fields.faults.error("`digest` wants a digest, or `{file: SHA256SUMS}`", at: entry.value.place)
            }
            return
        }
        guard let text = fields.text(file.value, file.key) else { return }
        let place = file.value.place
        if text.contains("://") {
            checksumList = fields.url(text, at: place).map { ChecksumListReference(.url($0), at: place) }
        } else {
            checksumList = fields.path(text, in: directory, at: place).map {
                ChecksumListReference(.path($0), at: place)
            }
        }
    }

    private mutating func read(_ node: Node, _ algorithm: DigestAlgorithm?, _ entry: Node.Entry) {
        guard let text = fields.text(node, entry.key) else { return }
        do throws(DigestFault) {
            for digest in try Digest.parse(text, algorithm: algorithm) { add(digest, at: node.place) }
        } catch {
            fields.faults.error(error.description, at: node.place)
        }
    }

    private mutating func add(_ digest: Digest, at place: Place) {
        if firstPlace == nil { firstPlace = place }
        if let known = digests.first(where: { $0.algorithm == digest.algorithm }) {
            guard known != digest else { return }
            fields.faults.error(
                "two different \(digest.algorithm.rawValue) digests for one file", at: place,
                notes: [Diagnostic.Note("the other is here", at: places[digest.algorithm])])
            return
        }
        places[digest.algorithm] = place
        digests.append(digest)
    }

    /// Warns when nothing guards the file against a digest that was made to fit.
    func warnIfWeak() {
        guard let firstPlace, checksumList == nil, digests.allSatisfy(\.algorithm.isWeak) else { return }
        let names = digests.map(\.algorithm.rawValue).joined(separator: " and ")
        fields.faults.warn(
            "\(names) alone guards against accidents, not against forgery; give sha256 where you can", at: firstPlace)
    }
}
