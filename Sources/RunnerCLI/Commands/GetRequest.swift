internal import RunnerJob
internal import RunnerReport

/// What `runner get` is asked for, as a job file.
///
/// Going through the text of a job file gives URLs, names and digests the same reading everywhere.
struct GetRequest: Hashable, Sendable {
    private var urls: [String]
    private var output: String?
    private var sha256: String?
    private var digests: [String]
    private var directory: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        urls = arguments.operands
        output = arguments.value(.outputFile)
        directory = arguments.value(.directory)
        sha256 = arguments.value(.sha256)
        digests = arguments.values(.digest)
        if let output, output.isEmpty || output == "-" {
            throw .invalidValue(option: OptionSpec.outputFile.spelling, value: output, wanted: "the name of a file")
        }
        if directory == "" {
            throw .invalidValue(option: OptionSpec.directory.spelling, value: "", wanted: "a folder")
        }
        guard urls.count > 1 else { return }
        if let output, !Self.isFolder(output) {
            throw .conflict("\(OptionSpec.outputFile.spelling) \(output)", "more than one URL")
        }
        if sha256 != nil || !digests.isEmpty { throw .conflict("a digest", "more than one URL") }
    }

    /// The URL of a line of the text.
    func url(atLine line: Int32) -> String? {
        let index = Int(line) - 1
        return urls.indices.contains(index) ? Redactor().url(urls[index]).printable : nil
    }

    /// URLs that have a folder at their end, so that the command has to name the file, as they may be printed; the
    /// job would ask for its `to`.
    var namelessURLs: [String] {
        if let output, !Self.isFolder(output) { return [] }
        let place = Place(file: 0, line: 1, column: 1)
        return urls.filter { url in
            guard let source = try? SourceURL(url, at: place) else { return false }
            return source.fileName == nil
        }.map { Redactor().url($0).printable }
    }

    /// The job: one URL a line, so that a line's number leads back to its URL.
    func input(in context: Context) -> JobInput {
        let (folder, name) = target(in: context)
        let tasks = urls.map { url in
            let fields =
                ["download: " + Self.quoted(url)] + (name.map { ["to: " + Self.quoted($0)] } ?? [])
                + (sha256.map { ["sha256: " + Self.quoted($0)] } ?? [])
                + (digests.isEmpty ? [] : ["digest: [" + digests.map(Self.quoted).joined(separator: ", ") + "]"])
            return "{" + fields.joined(separator: ", ") + "}"
        }
        let text = "{version: 1, name: get, tasks: [" + tasks.joined(separator: ",\n") + "]}\n"
        return JobInput(
            file: "command line", bytes: Array(text.utf8), folder: context.workingDirectory, directory: folder,
            environment: context.environment, clock: .local(now: context.now() / 1000))
    }

    /// The folder that `--output` lies in, and the file's name in it; nil for the URL's.
    private func target(in context: Context) -> (folder: String, name: String?) {
        let base = directory.map(context.absolute) ?? context.workingDirectory
        guard let output else { return (base, nil) }
        let path = output.hasPrefix("/") ? output : base + "/" + output
        guard !Self.isFolder(output), let slash = path.lastIndex(of: "/") else { return (path, nil) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Whether a path can only be meant as a folder.
    private static func isFolder(_ path: String) -> Bool {
        path.hasSuffix("/") || ["", ".", ".."].contains(path.split(separator: "/").last ?? "")
    }

    /// A text as a scalar in which no variable is meant.
    private static func quoted(_ text: String) -> String {
        YAMLScalar.quoted(YAMLScalar.withoutVariables(text))
    }
}
