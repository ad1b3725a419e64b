/// Reads what a download has of its own.
struct DownloadReader: ActionReader {
    static let kind = TaskKind.download
    static let keys = Set(TaskKey.allCases).subtracting(TaskKey.ofAll).subtracting([
        .check, .run, .env, .cwd, .inputs, .outputs, .upload, .form, .saveResponse, .matrix, .tasks,
    ]).subtracting(TaskKey.ofArchives)
    static let sharedKeys = Set(TaskKey.ofDefaults).subtracting(TaskKey.ofAll).subtracting([.digest])

    private let context: ReadingContext
    private var digests: DigestReader
    private var source: SourceURL?
    private var mirrors: [SourceURL] = []
    private var target: Node?
    private var size: Int64?

    init(_ context: ReadingContext) {
        self.context = context
        digests = DigestReader(fields: context.fields, directory: context.directory)
    }

    private var fields: Fields { context.fields }
    private var faults: Faults { context.faults }

    /// Reads a task that is a URL and nothing else.
    mutating func readURL(_ node: Node) {
        source = fields.url(node, "a task")
    }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let name = key.rawValue, node = entry.value
        switch key {
        case .download: source = fields.url(node, name)
        case .mirrors: mirrors = fields.list(node, name).compactMap { fields.url($0, name) }
        case .to: target = node
        case .name: _ = fields.choice(node, name, of: NameSource.self)
        case .size: size = fields.size(node, name)
        case .digest: digests.read(entry)
        default:
            guard let algorithm = DigestAlgorithm(rawValue: name) else { return false }
            digests.read(algorithm, entry)
        }
        return true
    }

    /// Where the name of a file comes from when `to` is a folder.
    private enum NameSource: String, CaseIterable { case url }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        let destination = source.flatMap { self.destination(of: $0, at: place) }
        if source == nil, let target {
            // The path may be wrong as well.
            _ = fields.text(target, "to").flatMap { checkedFile($0, at: target.place) }
        }
        digests.warnIfWeak()
        guard let source, let destination else { return nil }
        if settings.request.body != nil, settings.request.method == "GET" {
            faults.error("a task with a `body` needs a `method`, such as POST", at: place)
        }
        var download = Download(sources: [source] + mirrors, destination: .file(destination))
        download.digests = digests.digests
        download.checksumList = digests.checksumList ?? defaultList(for: destination)
        download.size = size
        download.expect = settings.expect
        download.exists = settings.exists
        let layers = context.layering.layers(for: settings)
        download.layers = layers
        download.request = context.layering.request(settings, layers, source)
        download.rate = settings.rate
        download.segments = settings.segments
        download.mode = settings.mode
        download.modificationTime = settings.modificationTime
        download.backup = settings.backup
        return (.download(download), destination.path)
    }

    /// The list of `defaults`, unless the task has a digest of its own or writes the list.
    private func defaultList(for destination: TargetPath) -> ChecksumListReference? {
        guard digests.digests.isEmpty, let list = context.defaults.checksumList else { return nil }
        return list.source == .path(destination) ? nil : list
    }

    // MARK: Destinations

    private func destination(of url: SourceURL, at place: Place) -> TargetPath? {
        guard let target else { return path(namedAfter: url, in: ".", at: place) }
        guard let text = fields.text(target, "to") else { return nil }
        guard text.utf8.last == UInt8(ascii: "/") else { return checkedFile(text, at: target.place) }
        return path(namedAfter: url, in: text, at: target.place)
    }

    private func checkedFile(_ text: String, at place: Place) -> TargetPath? {
        if text.utf8.last == UInt8(ascii: "/") { return nil }
        return fields.path(text, in: context.directory, at: place)
    }

    private func path(namedAfter url: SourceURL, in folder: String, at place: Place) -> TargetPath? {
        guard let name = url.fileName else {
            faults.error("the URL gives the file no name; write it, such as `to: folder/name`", at: place)
            return nil
        }
        do throws(PathFault) {
            let path = try TargetPath(folder: context.directory.joined(folder), name: name)
            return path.isAbsolute ? fields.path(path.text, in: context.directory, at: place) : path
        } catch {
            faults.error(error.description, at: place)
            return nil
        }
    }
}
