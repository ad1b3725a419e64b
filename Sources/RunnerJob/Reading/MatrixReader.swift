/// Reads `matrix`: the values that make many tasks of one item.
struct MatrixReader {
    let fields: Fields
    /// Root of the path of a matrix file.
    let folder: String
    /// The job file as messages show it, to show the path of a matrix file alike.
    let jobFile: String

    private static let example = "{arch: [amd64, arm64]}"
    private static let file = "file"
    private static let exclude = "exclude"

    func matrix(_ node: Node) -> Matrix? {
        guard let entries = fields.mapping(node, "matrix", example: Self.example) else { return nil }
        let errors = fields.faults.errors.count
        var matrix = Matrix()
        for entry in entries where entry.key != Self.exclude {
            if entry.key == Self.file {
                matrix.file = file(entry.value)
            } else if Template.isName(entry.key) {
                matrix.lists.append(Matrix.List(name: entry.key, values: values(entry)))
            } else {
                fields.faults.error(Variables.wrongName(entry.key), at: entry.keyPlace)
            }
        }
        if let exclude = entries.first(where: { $0.key == Self.exclude }) {
            matrix.exclusions = fields.list(exclude.value, Self.exclude).compactMap { exclusion($0, of: matrix) }
        }
        guard fields.faults.errors.count == errors else { return nil }
        guard !matrix.lists.isEmpty || matrix.file != nil else {
            fields.faults.error(
                "`matrix` has no values; write such as `matrix: \(Self.example)` or `matrix: {file: rows.csv}`",
                at: node.place)
            return nil
        }
        guard matrix.combinations != nil else {
            fields.faults.error("`matrix` stands for more than \(Matrix.ceiling) tasks", at: node.place)
            return nil
        }
        return matrix
    }

    // MARK: Lists

    /// The values of a variable: texts, and ranges put out.
    private func values(_ entry: Node.Entry) -> [TextValue] {
        var values: [TextValue] = []
        for node in fields.list(entry.value, entry.key) {
            guard let value = fields.value(node, entry.key) else { continue }
            do throws(ValueRangeFault) {
                if let range = try ValueRange(value.text) {
                    values += range.map { TextValue(text: $0, hasSecret: value.hasSecret) }
                } else {
                    values.append(value)
                }
            } catch {
                fields.faults.error("\(fields.written(node)) \(error.description)", at: node.place)
            }
        }
        if case .sequence(let items) = entry.value.content, items.isEmpty {
            fields.faults.error("`\(entry.key)` has no values; give it one at least", at: entry.value.place)
        }
        return values
    }

    // MARK: Exclusions

    private func exclusion(_ node: Node, of matrix: Matrix) -> Matrix.Exclusion? {
        guard let entries = fields.mapping(node, Self.exclude, example: "[{arch: arm64}]"), !entries.isEmpty else {
            return nil
        }
        let names = matrix.lists.map(\.name)
        var wanted: [(name: String, values: Set<String>)] = []
        for entry in entries {
            // The columns of a file are not known yet.
            guard names.contains(entry.key) || matrix.file != nil else {
                fields.faults.error(
                    "`exclude` names \(shown(entry.key)), which the matrix does not have"
                        + didYouMean(entry.key, among: names), at: entry.keyPlace)
                continue
            }
            wanted.append((entry.key, Set(values(entry).map(\.text))))
        }
        return Matrix.Exclusion(wanted: wanted, place: node.place)
    }

    // MARK: Files

    private enum FileKey: String, CaseIterable { case path, format, columns }

    /// A path, or `{path: …, format: …, columns: […]}`.
    private func file(_ node: Node) -> Matrix.RowFile? {
        guard case .mapping(let entries) = node.content else { return file(at: node, format: nil, columns: nil) }
        var path: Node?
        var format: RowFormat?
        var columns: [String]?
        fields.each(entries, of: "`file`", as: FileKey.self) { key, entry in
            switch key {
            case .path: path = entry.value
            case .format: format = fields.choice(entry.value, key.rawValue)
            case .columns: columns = self.columns(entry)
            }
        }
        guard let path else {
            fields.faults.error("`file` wants the path of a file with rows, such as `{path: rows.csv}`", at: node.place)
            return nil
        }
        return file(at: path, format: format, columns: columns)
    }

    private func columns(_ entry: Node.Entry) -> [String] {
        fields.list(entry.value, entry.key).compactMap { node in
            guard let name = fields.line(node, entry.key) else { return nil }
            if Template.isName(name) { return name }
            fields.faults.error(Variables.wrongName(name), at: node.place)
            return nil
        }
    }

    private func file(at node: Node, format: RowFormat?, columns: [String]?) -> Matrix.RowFile? {
        guard let text = fields.line(node, Self.file) else { return nil }
        let isInput = text == JobFiles.standardInput
        if isInput, jobFile == JobFiles.standardInput {
            fields.faults.error("standard input is the job file already; write the rows to a file", at: node.place)
            return nil
        }
        let path = isInput ? text : fields.absolutePath(text, in: folder, at: node.place)
        guard let path else { return nil }
        let format = format ?? RowFormat(fileName: text)
        let most = format == .lines ? 1 : .max
        if let columns, format == .jsonl || format == .checksums || columns.isEmpty || columns.count > most {
            fields.faults.error(
                format == .lines
                    ? "a list of lines has one column" : "`columns` names the columns of a CSV or TSV file",
                at: node.place)
            return nil
        }
        return Matrix.RowFile(
            path: path, name: isInput ? "<stdin>" : FileNaming.shown(text, beside: jobFile), format: format,
            columns: columns, place: node.place)
    }
}

/// How files that a job file names are shown in messages.
enum FileNaming {
    /// A path as seen from where the job file's own is seen from.
    static func shown(_ path: String, beside jobFile: String) -> String {
        guard path.utf8.first != UInt8(ascii: "/"), let slash = jobFile.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return path
        }
        return String(jobFile[...slash]) + path
    }
}
