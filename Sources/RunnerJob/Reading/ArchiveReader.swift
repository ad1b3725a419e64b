/// Reads what an archive task has of its own.
struct ArchiveReader: ActionReader {
    static let kind = TaskKind.archive
    static let keys: Set<TaskKey> = [
        .archive, .to, .strip, .prefix, .include, .exclude, .password, .level, .threads, .mtime,
    ]

    private let context: ReadingContext
    private var sources: [ArchiveCreation.Source] = []
    private var hasSources = false
    private var target: (path: TargetPath, place: Place)?
    private var hasTarget = false
    private var shape = EntryShape()
    private var prefix = ""
    private var passwordPlace: Place?
    private var level: Node?
    private var threads: (number: Int, place: Place)?
    private var time = ArchiveCreation.Time.zero

    init(_ context: ReadingContext) {
        self.context = context
    }

    private var fields: Fields { context.fields }

    mutating func read(_ key: TaskKey, _ entry: Node.Entry) -> Bool {
        let name = key.rawValue, node = entry.value
        switch key {
        case .archive:
            let items = fields.list(node, name)
            hasSources = !items.isEmpty
            sources = items.compactMap { source($0, name) }
        case .to:
            hasTarget = true
            target = fields.filePath(node, name, in: context.directory).map { ($0, node.place) }
        case .prefix: prefix = folderName(node, name) ?? prefix
        case .level: level = node
        case .threads: threads = fields.integer(node, name, in: 1...256).map { ($0, node.place) }
        case .mtime: time = modified(node, name) ?? time
        default:
            if key == .password { passwordPlace = entry.keyPlace }
            return shape.read(key, node, fields)
        }
        return true
    }

    private func source(_ node: Node, _ key: String) -> ArchiveCreation.Source? {
        guard let text = fields.text(node, key) else { return nil }
        if (try? TargetPath.normalize(context.directory.joined(text)))?.isEmpty == true {
            context.faults.error(
                "`archive` cannot pack the job's directory itself, where the archive and `.runner` lie; name what lies in"
                    + " it", at: node.place)
            return nil
        }
        guard let path = fields.path(text, in: context.directory, at: node.place)
        else { return nil }
        return ArchiveCreation.Source(path, at: node.place, isFolder: text.utf8.last == UInt8(ascii: "/"))
    }

    /// A relative path that leads nowhere but down.
    private func folderName(_ node: Node, _ key: String) -> String? {
        guard let text = fields.line(node, key) else { return nil }
        let parts = text.split(separator: "/")
        guard text.utf8.first != UInt8(ascii: "/"), !parts.isEmpty, !parts.contains(where: { $0 == ".." || $0 == "." })
        else {
            context.faults.error(
                "`\(key)` wants the name of a folder within the archive, such as release-1.0, not"
                    + " \(fields.written(node))", at: node.place)
            return nil
        }
        return parts.joined(separator: "/")
    }

    /// `0`, `file`, or seconds since 1970.
    private func modified(_ node: Node, _ key: String) -> ArchiveCreation.Time? {
        guard let text = fields.line(node, key) else { return nil }
        if text == "file" { return .ofFiles }
        // The last second that zip and ustar hold is later, in the year 2106.
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let seconds = Int64(text), seconds <= 0xFFFF_FFFF else {
            context.faults.error(
                "`\(key)` wants seconds since 1970, such as 1767225600, or `file` for each file's own time, not"
                    + " \(fields.written(node))", at: node.place)
            return nil
        }
        return seconds == 0 ? .zero : .fixed(seconds)
    }

    mutating func finish(_ settings: TaskSettings, at place: Place) -> (action: JobTask.Action, id: ExactText)? {
        if !hasTarget {
            context.faults.error("an `archive` task needs the file that it makes, such as `to: doc.tar.zst`", at: place)
        }
        if !hasSources { context.faults.error("`archive` names nothing to pack", at: place) }
        guard let target, hasSources else { return nil }
        guard let format = PackedFormat(name: target.path.name) else {
            let known = PackedFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", ")
            context.faults.error(
                "the name tells no format that archives are made in; it has to end in one of \(known)",
                at: target.place)
            return nil
        }
        checkFeatures(of: format)
        var creation = ArchiveCreation(sources: sources, to: target.path, format: format)
        creation.strip = shape.strip
        creation.prefix = prefix
        creation.selection = shape.selection
        creation.password = shape.password
        creation.level = levelNumber(of: format)
        creation.threads = threads?.number
        creation.time = time
        return (.archive(creation), target.path.path)
    }

    /// Refuses what libarchive cannot do in a format.
    private func checkFeatures(of format: PackedFormat) {
        if let passwordPlace, !format.takesPassword {
            let reason =
                format == .sevenZip
                ? "libarchive cannot write 7z archives that are encrypted"
                : "\(format.rawValue) archives cannot be encrypted"
            context.faults.error("\(reason); `password` is for .zip", at: passwordPlace)
        }
        if let threads, !format.takesThreads {
            context.faults.error(
                "\(format.rawValue) is compressed by one thread; `threads` is for .tar.xz and .tar.zst",
                at: threads.place)
        }
    }

    private func levelNumber(of format: PackedFormat) -> Int? {
        guard let level else { return nil }
        guard let levels = format.levels else {
            context.faults.error("\(format.rawValue) is not compressed and has no `level`", at: level.place)
            return nil
        }
        return fields.integer(level, "level", in: levels)
    }
}
