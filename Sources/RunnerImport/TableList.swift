internal import RunnerJob

/// Rows with a URL each, as CSV, TSV or JSON lines; the names of the columns say what is in them.
enum TableList {
    static func read(
        _ text: ListText, as format: RowFormat, named name: String, base: SourceURL?,
        _ findings: inout ImportFindings
    ) throws(ListFault) -> ImportedList {
        let rows: [MatrixRow]
        do throws(RowFault) {
            rows = try format.rows(of: text.bytes, fileName: name)
        } catch {
            throw ListFault(error.message, at: Place(line: Int32(clamping: error.line), column: 1))
        }
        var assembly = TaskAssembly(base: base, renames: false)
        var ids: [ExactText: Place] = [:]
        for row in rows { add(Row(row), &assembly, &ids, &findings) }
        return ImportedList(tasks: assembly.tasks)
    }

    /// The values of a row that mean something, and where it stands.
    private struct Row {
        var values: [(column: String, kind: TableColumn?, value: String)]
        var place: Place

        init(_ row: MatrixRow) {
            values = zip(row.columns, row.values).compactMap { column, value in
                value.flatMap { value in
                    let value = value.trimmingBlanks()
                    return value.isEmpty ? nil : (column, TableColumn(name: column), value)
                }
            }
            place = Place(line: Int32(clamping: row.line), column: 1)
        }
    }

    private static func add(
        _ row: Row, _ assembly: inout TaskAssembly, _ ids: inout [ExactText: Place], _ findings: inout ImportFindings
    ) {
        var urls: [SourceURL] = []
        var to: String?
        var fields: [ImportedField] = []
        for (column, kind, value) in row.values {
            switch kind {
            case .url:
                if let url = assembly.url(value, at: row.place, &findings),
                    !urls.contains(where: { $0.url == url.url })
                {
                    urls.append(url)
                }
            case .to:
                if let to, to != value { tellOfSecond(column, at: row.place, &findings) }
                to = to ?? value
            case .size: add(size(value, at: row.place, &findings), of: column, row, &fields, &findings)
            case .id: add([ImportedField("id", .text(value))], of: column, row, &fields, &findings)
            case .digest(let algorithm):
                add(digest(value, algorithm, at: row.place, &findings), of: column, row, &fields, &findings)
            case nil: findings.leaveOut("the column \(shown(column))", ImportWords.noCounterpart, at: row.place)
            }
        }
        guard let first = urls.first else {
            if !row.values.contains(where: { $0.kind == .url }) {
                findings.error("the row has no URL; its column is called `url`", at: row.place)
            }
            return
        }
        if let id = fields.first(where: { $0.key == "id" }), case .text(let text) = id.value {
            if let earlier = ids[ExactText(text)] {
                findings.error(
                    "the id \(shown(text)) is there twice", at: row.place, notes: [Diagnostic.Note("here", at: earlier)]
                )
            }
            ids[ExactText(text)] = row.place
        }
        assembly.add(
            urls, to: to, fields + ImportedSettings().fields(for: first, &findings), at: row.place, &findings)
    }

    /// Adds what a column says, unless one before it has said that.
    private static func add(
        _ found: [ImportedField], of column: String, _ row: Row, _ fields: inout [ImportedField],
        _ findings: inout ImportFindings
    ) {
        for field in found {
            if let earlier = fields.first(where: { $0.key == field.key }) {
                if earlier != field { tellOfSecond(column, at: row.place, &findings) }
            } else {
                fields.append(field)
            }
        }
    }

    private static func tellOfSecond(_ column: String, at place: Place, _ findings: inout ImportFindings) {
        findings.leaveOut(
            "the column \(shown(column))", "says something else than one before it, and was left out", at: place)
    }

    private static func size(
        _ text: String, at place: Place, _ findings: inout ImportFindings
    ) -> [ImportedField] {
        do throws(QuantityFault) {
            return [ImportedField("size", .text(String(try SizeText.parse(text))))]
        } catch {
            findings.error("the size \(shown(text)) \(error.description)", at: place)
            return []
        }
    }

    private static func digest(
        _ text: String, _ algorithm: DigestAlgorithm?, at place: Place, _ findings: inout ImportFindings
    ) -> [ImportedField] {
        do throws(DigestFault) {
            return try Digest.parse(text, algorithm: algorithm).map {
                ImportedField($0.algorithm.rawValue, .text($0.hex))
            }
        } catch {
            findings.error(error.description, at: place)
            return []
        }
    }
}

/// What stands in a column of a table.
enum TableColumn: Equatable {
    /// A URL; of several columns the first is asked first.
    case url
    /// Where the file goes.
    case to
    case size
    case id
    /// Of any algorithm where nil.
    case digest(DigestAlgorithm?)

    init?(name: String) {
        switch name.lowercased() {
        case "url", "uri", "link", "download", "source", "href", "mirror", "mirrors", "mirror_url": self = .url
        case "to", "name", "file", "filename", "file_name", "path", "output", "out", "dest", "destination", "target":
            self = .to
        case "size", "bytes", "length", "content_length": self = .size
        case "id": self = .id
        case "digest", "checksum", "hash": self = .digest(nil)
        case let name:
            guard let algorithm = DigestAlgorithm(spelling: name) else { return nil }
            self = .digest(algorithm)
        }
    }
}
