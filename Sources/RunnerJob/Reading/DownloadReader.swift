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
    private var nameSource = NameSource.url
    private var namePlace: Place?
    private var size = ExactSize()
    /// The task's own fields that mean something to HTTP alone.
    private var ofHTTP: [(name: String, place: Place)] = []

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
        case .name:
            nameSource = fields.choice(node, name) ?? .url
            namePlace = node.place
        case .size: size.read(node, fields)
        case .digest: digests.read(entry)
        default:
            guard let algorithm = DigestAlgorithm(rawValue: name) else {
                note(key, entry)
                return false
            }
            digests.read(algorithm, entry)
        }
        return true
    }

    /// Notes a field that would have no effect where another protocol is spoken.
    private mutating func note(_ key: TaskKey, _ entry: Node.Entry) {
        switch key {
        case .method, .body, .headers, .cookies, .saveCookies, .userAgent: ofHTTP.append((entry.key, entry.keyPlace))
        case .auth:
            guard case .mapping(let kinds) = entry.value.content else { return }
            for kind in kinds where ["bearer", "digest", "aws_sigv4"].contains(kind.key) {
                ofHTTP.append((kind.key, entry.keyPlace))
            }
        default: break
        }
    }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        let destinations = DestinationReader(
            fields: fields, directory: context.directory, nameSource: nameSource, namePlace: namePlace)
        let destination = source.flatMap { destinations.destination(target, of: $0, at: place) }
        // The path may be wrong as well.
        if source == nil, let target { destinations.check(target) }
        digests.warnIfWeak()
        digests.warnIfOfNothing(size: size.bytes)
        size.check(against: settings.expect, faults)
        guard let named = source, let destination else { return nil }
        let source = context.route(named)
        if !source.origin.isHTTP, !mirrors.contains(where: \.origin.isHTTP) {
            for field in ofHTTP {
                faults.error("`\(field.name)` is for http and https, not for \(source.origin.scheme)", at: field.place)
            }
        }
        if settings.request.body != nil, settings.request.method == "GET" {
            faults.error("a task with a `body` needs a `method`, such as POST", at: place)
        }
        var download = Download(sources: [source] + mirrors.map(context.route), destination: destination)
        download.digests = digests.digests
        download.checksumList = digests.checksumList ?? defaultList(for: download)
        if let list = download.checksumList, download.serverName != nil {
            faults.error(
                "a checksum list is looked through by name, which with `name: server` is not known before; write the name"
                    + " in `to`", at: list.place)
        }
        if case .url(let url)? = download.checksumList?.source {
            download.checksumList?.source = .url(context.route(url))
        }
        download.size = size.bytes
        download.sharedExpect = settings.sharedExpect
        download.exists = settings.exists
        let layers = context.layering.layers(for: settings)
        download.layers = layers
        download.request = context.layering.request(settings, layers, source)
        download.rate = settings.rate
        download.segments = settings.segments
        download.mode = settings.mode
        download.modificationTime = settings.modificationTime
        download.backup = settings.backup
        return (.download(download), download.serverName == nil ? download.path.path : named.url)
    }

    /// The list of `defaults`, unless the task has a digest of its own or writes the list.
    private func defaultList(for download: Download) -> ChecksumListReference? {
        guard digests.digests.isEmpty, let list = context.defaults.checksumList else { return nil }
        return list.source == .path(download.path) ? nil : list
    }
}
