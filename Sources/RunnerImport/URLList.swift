internal import RunnerJob

/// A list with a URL a line, as `wget --input-file` takes it.
enum URLList {
    static func read(_ text: ListText, base: SourceURL?, _ findings: inout ImportFindings) -> ImportedList {
        var assembly = TaskAssembly(base: base, renames: true)
        for line in text.lines where !line.isBlank && !line.isComment {
            let written = line.text.trimmingBlanks()
            guard let url = assembly.url(written, at: line.place, &findings) else { continue }
            let fields = ImportedSettings().fields(for: url, &findings)
            assembly.add([url], to: nil, fields, at: line.place, &findings)
        }
        return ImportedList(tasks: assembly.tasks)
    }
}
