/// Reads what a check has of its own.
struct CheckReader: ActionReader {
    static let kind = TaskKind.check
    static let keys: Set<TaskKey> = TaskKey.ofDigests.union([.check, .size, .expect])

    private let context: ReadingContext
    private var digests: DigestReader
    private var path: TargetPath?
    private var pathPlace: Place?
    private var size = ExactSize()
    private var expect = Expectations()

    init(_ context: ReadingContext) {
        self.context = context
        digests = DigestReader(fields: context.fields, directory: context.directory)
    }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let fields = context.fields, name = key.rawValue, node = entry.value
        switch key {
        case .check:
            pathPlace = node.place
            path = fields.filePath(node, name, in: context.directory)
        case .size: size.read(node, fields)
        case .expect: context.settings.readExpectations(node, into: &expect, isOfServer: false)
        case .digest: digests.read(entry)
        default:
            guard let algorithm = DigestAlgorithm(rawValue: name) else { return false }
            digests.read(algorithm, entry)
        }
        return true
    }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        digests.warnIfWeak()
        digests.warnIfOfNothing(size: size.bytes)
        size.check(against: expect, context.faults)
        guard let path else { return nil }
        var check = FileCheck(
            path: path, at: pathPlace ?? place, digests: digests.digests, size: size.bytes, expect: expect)
        if let list = digests.checksumList {
            switch list.source {
            case .path(let path): check.checksumList = ChecksumListFile(path, at: list.place, digests: list.digests)
            case .url:
                context.faults.error(
                    "a check takes the path of a checksum list, not its URL; fetch the list with a `download` task first",
                    at: list.place)
            }
        }
        return (.check(check), ExactText("check \(path)"))
    }
}
