internal import RunnerJob

/// The input file of aria2: the URLs of a file on one line, parted by tabs, and below it, moved in, its options
/// (aria2c(1), Input File).
enum Aria2List {
    /// One file, while its lines are read.
    private struct Entry {
        var urls: [SourceURL]
        var place: Place
        var folder = ""
        var name: String?
        var digest: ImportedField?
        var settings = ImportedSettings()
        /// None could be fetched, or one was at fault.
        var isSkipped: Bool { urls.isEmpty }
    }

    static func read(_ text: ListText, base: SourceURL?, _ findings: inout ImportFindings) -> ImportedList {
        var assembly = TaskAssembly(base: base, renames: true)
        var entry: Entry?
        for line in text.lines where !line.isBlank {
            if line.isComment { continue }
            if line.isMovedIn {
                guard entry != nil else {
                    findings.error("an option stands below the URL that it is for; there is none above", at: line.place)
                    continue
                }
                take(line, &entry, &findings)
            } else {
                finish(entry, &assembly, &findings)
                entry = begin(line, assembly, &findings)
            }
        }
        finish(entry, &assembly, &findings)
        return ImportedList(tasks: assembly.tasks)
    }

    private static func begin(
        _ line: ListText.Line, _ assembly: TaskAssembly, _ findings: inout ImportFindings
    ) -> Entry {
        var urls: [SourceURL] = []
        var known: Set<String> = []
        for part in line.text.split(separator: "\t") {
            let written = String(part).trimmingBlanks()
            guard !written.isEmpty, let url = assembly.url(written, at: line.place(of: part), &findings),
                known.insert(url.url.text).inserted
            else { continue }
            urls.append(url)
        }
        return Entry(urls: urls, place: line.place)
    }

    private static func take(_ line: ListText.Line, _ entry: inout Entry?, _ findings: inout ImportFindings) {
        let option = line.text.trimmingBlanks()
        guard let equals = option.firstIndex(of: "=") else {
            findings.error("an option is written `name=value`", at: line.place)
            return
        }
        var name = String(option[..<equals]).trimmingBlanks()
        if name.hasPrefix("--") { name = String(name.dropFirst(2)) }
        let value = String(option[option.index(after: equals)...]).trimmingBlanks()
        switch name {
        case "out": entry?.name = value
        case "dir": entry?.folder = value
        case "checksum":
            do throws(DigestFault) {
                for digest in try Digest.parse(value) {
                    entry?.digest = ImportedField(digest.algorithm.rawValue, .text(digest.hex))
                }
            } catch {
                findings.error(error.description, at: line.place)
            }
        default:
            guard let option = Aria2Option.all[name] else {
                return findings.leaveOut(option: name, value, at: line.place)
            }
            guard var settings = entry?.settings else { return }
            if !option.take(value, line.place, &settings) {
                findings.refuse(value, of: name, wanted: option.wanted, at: line.place)
            }
            entry?.settings = settings
        }
    }

    private static func finish(_ entry: Entry?, _ assembly: inout TaskAssembly, _ findings: inout ImportFindings) {
        guard let entry, let first = entry.urls.first else { return }
        let folder = entry.folder.isEmpty || entry.folder.hasSuffix("/") ? entry.folder : entry.folder + "/"
        // A name with a slash before it is one below the folder there.
        let to = entry.name.map { (folder.isEmpty ? "./" : folder) + $0 } ?? (folder.isEmpty ? nil : folder)
        let fields = (entry.digest.map { [$0] } ?? []) + entry.settings.fields(for: first, &findings)
        assembly.add(entry.urls, to: to, fields, at: entry.place, &findings)
    }
}

/// Words of findings that several lists share.
enum ImportWords {
    static let noCounterpart = "has no counterpart in a job file and was left out"

    /// Whether the name of an option, or of a field of a body, tells that its value may be a secret.
    static func speakOfSecrets(_ name: String) -> Bool {
        let name = name.lowercased()
        return [
            "user", "pass", "pwd", "token", "bearer", "cookie", "header", "proxy", "auth", "secret", "key", "sigv4",
            "data", "json", "credential",
        ].contains { name.contains($0) }
    }
}
