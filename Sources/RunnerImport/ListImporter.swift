package import RunnerJob

/// Makes job files of the lists of other programs.
package enum ListImporter {
    /// A list as a job file.
    package struct Outcome: Sendable {
        /// The job file.
        package var text: String
        package var format: ListFormat
        /// Tasks in it.
        package var count: Int
        /// What of the list is not in the job, in the order of the list.
        package var warnings: [Diagnostic]
        package var sources: SourceMap
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - name: of the file, as the user wrote it; tells the format where none is given.
    ///   - base: what relative URLs and the paths of a checksum list are resolved against.
    /// - Throws: ``JobFaults``, all of them at once.
    package static func read(
        _ content: [UInt8], named name: String, as format: ListFormat? = nil, base: SourceURL? = nil
    ) throws(JobFaults) -> Outcome {
        var findings = ImportFindings()
        let found: (ListFormat, ImportedList)?
        do throws(ListFault) {
            found = try list(content, named: name, as: format, base: base, &findings)
        } catch {
            findings.add(error.diagnostic)
            found = nil
        }
        let sources = sources(of: content, named: name, hiding: findings.secrets)
        guard let (format, list) = found, !findings.hasErrors else {
            throw JobFaults(diagnostics: findings.all(), sources: sources)
        }
        return Outcome(
            text: JobText(list).text(heading: "Made by `runner import` of \(format.title)."), format: format,
            count: list.tasks.count, warnings: findings.all(), sources: sources)
    }

    private static func list(
        _ content: [UInt8], named name: String, as format: ListFormat?, base: SourceURL?,
        _ findings: inout ImportFindings
    ) throws(ListFault) -> (ListFormat, ImportedList) {
        // XML says itself in which encoding it is.
        if format == .metalink || format == nil && ListFormat.isMetalink(fileName: name) {
            return try (.metalink, checked(MetalinkList.read(content, base: base, &findings), findings))
        }
        let text = try ListText(content)
        guard let format = format ?? ListFormat(fileName: name, text) else {
            throw ListFault(
                text.lines.contains { !$0.isBlank }
                    ? "what kind of list this is cannot be told; say it by --format" : "the list is empty",
                at: Place(line: 1, column: 1))
        }
        let list: ImportedList
        switch format {
        case .aria2: list = Aria2List.read(text, base: base, &findings)
        case .curl: list = CurlConfig.read(text, base: base, &findings)
        case .metalink: list = try MetalinkList.read(content, base: base, &findings)
        case .urls: list = URLList.read(text, base: base, &findings)
        case .checksums: list = ChecksumImport.read(text, named: name, base: base, &findings)
        case .csv: list = try TableList.read(text, as: .csv, named: name, base: base, &findings)
        case .tsv: list = try TableList.read(text, as: .tsv, named: name, base: base, &findings)
        case .jsonl: list = try TableList.read(text, as: .jsonl, named: name, base: base, &findings)
        }
        return try (format, checked(list, findings))
    }

    private static func checked(_ list: ImportedList, _ findings: ImportFindings) throws(ListFault) -> ImportedList {
        guard list.tasks.isEmpty, !findings.hasErrors else { return list }
        throw ListFault("nothing in the list can be fetched", at: Place(line: 1, column: 1))
    }

    private static func sources(of content: [UInt8], named name: String, hiding secrets: Set<String>) -> SourceMap {
        var sources = SourceMap()
        let isText = String(validating: content, as: UTF8.self) != nil
        let bytes = content.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(content.dropFirst(3)) : content
        _ = sources.add(SourceMap.File(name: name, bytes: isText ? bytes : []))
        sources.secrets = secrets
        return sources
    }
}
