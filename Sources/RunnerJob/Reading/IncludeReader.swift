/// Reads the files that a job file includes, and those that they include, each once.
final class IncludeReader {
    private let fields: Fields
    private let files: JobFiles
    private let sources: SourceRegister
    private let declarations: DeclarationReader
    /// Paths of the files that were read.
    private var known: Set<String> = []
    /// The files that are being read, outermost first.
    private var chain: [(path: String?, name: String, place: Place)] = []

    /// Files that may include each other in a row.
    private static let depthCeiling = 50

    init(fields: Fields, files: JobFiles, sources: SourceRegister, declarations: DeclarationReader) {
        self.fields = fields
        self.files = files
        self.sources = sources
        self.declarations = declarations
    }

    /// A file and all that it includes, in the order of their tasks: what is included comes first.
    ///
    /// Variables are declared on the way, so that those of a file come before those of the files it includes.
    func files(of file: JobFile) -> [JobFile] {
        if let path = file.path { known.insert(path) }
        declarations.declare(file)
        var result = [file]
        guard let entry = file[.include] else { return result }
        // Backwards, since of two included files the later one wins.
        for node in fields.list(entry.value, entry.key).reversed() {
            chain.append((file.path, file.name, node.place))
            result = included(node, by: file) + result
            chain.removeLast()
        }
        return result
    }

    private func included(_ node: Node, by outer: JobFile) -> [JobFile] {
        guard let text = fields.line(node, JobFile.Key.include.rawValue),
            let path = fields.absolutePath(text, in: outer.folder, at: node.place)
        else { return [] }
        let name = FileNaming.shown(text, beside: outer.name)
        if chain.contains(where: { $0.path == path }) {
            reportCycle(path, name, at: node.place)
            return []
        }
        guard chain.count <= Self.depthCeiling else {
            fields.faults.error("files include each other over more than \(Self.depthCeiling) steps", at: node.place)
            return []
        }
        guard !known.contains(path), let file = read(path, name, at: node.place) else { return [] }
        return files(of: file)
    }

    private func read(_ path: String, _ name: String, at place: Place) -> JobFile? {
        let content: [UInt8]
        do throws(JobFileFault) {
            content = try files.content(of: path, atMost: SourceText.ceiling)
        } catch {
            fields.faults.error("\(shown(name)) cannot be read: \(error.reason)", at: place)
            return nil
        }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        let file = sources.compose(name, content, faults: fields.faults).flatMap {
            JobFile($0, name: name, folder: folder.isEmpty ? "/" : folder, path: path, fields: fields)
        }
        guard let file else { return nil }
        for key in JobFile.Key.allCases where !key.mayBeIncluded {
            guard let entry = file[key] else { continue }
            fields.faults.error(
                "`\(key.rawValue)` belongs to the job file itself, not to one that is included", at: entry.keyPlace,
                notes: [Diagnostic.Note("it is included here", at: place)])
        }
        return file
    }

    private func reportCycle(_ path: String, _ name: String, at place: Place) {
        let start = chain.firstIndex { $0.path == path } ?? 0
        let names = chain[start...].map(\.name) + [chain[start].name]
        fields.faults.error(
            "files include each other in a cycle: " + names.joined(separator: " → "), at: place,
            notes: chain[start...].dropLast().map { Diagnostic.Note("\(shown($0.name)) includes here", at: $0.place) })
    }
}
