/// Reads what a check has of its own.
struct CheckReader: ActionReader {
    static let kind = TaskKind.check
    static let keys: Set<TaskKey> = TaskKey.ofDigests.union([.check, .size, .expect])

    private let context: ReadingContext
    private var digests: DigestReader
    private var path: TargetPath?
    private var pathPlace: Place?
    private var size: Int64?
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
        case .size: size = fields.size(node, name)
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
        guard let path else { return nil }
        var check = FileCheck(path: path, at: pathPlace ?? place, digests: digests.digests, size: size, expect: expect)
        switch digests.checksumList?.source {
        case .path(let list): check.checksumList = ChecksumListFile(list, at: digests.checksumList?.place ?? place)
        case .url:
            context.faults.error(
                "a check takes the path of a checksum list, not its URL; fetch the list with a `download` task first",
                at: digests.checksumList?.place ?? place)
        case nil: break
        }
        return (.check(check), ExactText("check \(path)"))
    }
}
