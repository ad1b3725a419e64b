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
        for node in fields.checks(entry.value, entry.key) { read(node, algorithm, entry) }
    }

    /// What `digest: {…}` takes: where the list is, and what it must hash to itself.
    private enum ListKey: RawRepresentable, CaseIterable {
        case file, digest
        case algorithm(DigestAlgorithm)

        static let allCases: [ListKey] = [.file, .digest] + DigestAlgorithm.ofJobs.map { .algorithm($0) }

        init?(rawValue: String) {
            guard let key = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = key
        }

        var rawValue: String {
            switch self {
            case .file: "file"
            case .digest: "digest"
            case .algorithm(let algorithm): algorithm.rawValue
            }
        }
    }

    /// Reads `digest`: a text, a list of texts, or `{file: …}`.
    mutating func read(_ entry: Node.Entry) {
        guard case .mapping(let entries) = entry.value.content else {
            for node in fields.checks(entry.value, entry.key) { read(node, nil, entry) }
            return
        }
        var file: Node.Entry?
        var pin = DigestReader(fields: fields, directory: directory)
        let areKnown = fields.each(entries, of: "`digest`", as: ListKey.self) { key, entry in
            switch key {
            case .file: file = entry
            case .digest: for node in fields.checks(entry.value, entry.key) { pin.read(node, nil, entry) }
            case .algorithm(let algorithm): pin.read(algorithm, entry)
            }
        }
        guard let file else {
            if areKnown, !pin.digests.isEmpty {
                fields.faults.error(
                    "`digest` takes these beside `file` only, for the list itself; a file's own digest is a key of the"
                        + " task, such as `sha256`", at: entry.value.place)
            } else if areKnown {
                fields.faults.error("`digest` wants a digest, or `{file: SHA256SUMS}`", at: entry.value.place)
            }
            return
        }
        guard let text = fields.text(file.value, file.key) else { return }
        let place = file.value.place
        let source: ChecksumListReference.Source? =
            text.contains("://")
            ? fields.url(text, at: place).map { .url($0) }
            : fields.path(text, in: directory, at: place).map { .path($0) }
        pin.warnIfWeak()
        checksumList = source.map { ChecksumListReference($0, at: place, digests: pin.digests) }
    }

    private mutating func read(_ node: Node, _ algorithm: DigestAlgorithm?, _ entry: Node.Entry) {
        guard let text = fields.text(node, entry.key) else { return }
        do throws(DigestFault) {
            for digest in try Digest.parse(text, algorithm: algorithm) { add(digest, at: node.place) }
        } catch {
            let isList = algorithm == nil && (error == .notHexadecimal || text.contains("://"))
            fields.faults.error(
                isList ? "this is no digest; a checksum list is named by `digest: {file: …}`" : error.description,
                at: node.place)
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

    /// Warns of a digest of no bytes at all, unless the file is to be empty: it was made of a download that failed.
    func warnIfOfNothing(size: Int64?) {
        guard size != 0, let digest = digests.first(where: \.isOfNothing), let place = places[digest.algorithm] else {
            return
        }
        fields.faults.warn(
            "this is the \(digest.algorithm.rawValue) digest of an empty file; write `size: 0` if that is meant",
            at: place)
    }

    /// Warns when nothing guards the file against a digest that was made to fit.
    func warnIfWeak() {
        guard let firstPlace, checksumList == nil, digests.allSatisfy(\.algorithm.isWeak) else { return }
        let names = digests.map(\.algorithm.rawValue).joined(separator: " and ")
        fields.faults.warn(
            "\(names) alone guards against accidents, not against forgery; give sha256 where you can", at: firstPlace)
    }
}
