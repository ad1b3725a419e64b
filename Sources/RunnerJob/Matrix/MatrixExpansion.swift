/// Goes through the combinations of a matrix: rows of its file outermost, the last of its lists innermost.
///
/// Rows are read as they are needed, so that a long file takes no memory.
struct MatrixExpansion {
    let matrix: Matrix
    let fields: Fields
    let files: JobFiles
    let sources: SourceRegister

    /// Calls a closure for each combination, with the variables bound to it.
    func each(_ body: () -> Void) {
        let binding = Binding(matrix.lists.map(\.name))
        fields.variables.bind(binding) {
            var used = Array(repeating: false, count: matrix.exclusions.count)
            if let file = matrix.file {
                eachRow(of: file, binding) { combine(0, binding, &used, body) }
            } else {
                combine(0, binding, &used, body)
                for (exclusion, isUsed) in zip(matrix.exclusions, used) where !isUsed {
                    fields.faults.warn("this `exclude` leaves nothing out", at: exclusion.place)
                }
            }
        }
    }

    // MARK: Lists

    private func combine(_ depth: Int, _ binding: Binding, _ used: inout [Bool], _ body: () -> Void) {
        guard depth < matrix.lists.count else {
            if isExcluded(binding, &used) { return }
            body()
            return
        }
        for value in matrix.lists[depth].values {
            binding.values[depth] = value
            combine(depth + 1, binding, &used, body)
        }
    }

    private func isExcluded(_ binding: Binding, _ used: inout [Bool]) -> Bool {
        for (index, exclusion) in matrix.exclusions.enumerated() {
            let isMet = exclusion.wanted.allSatisfy { name, values in
                binding.names[name].flatMap { binding.values[$0] }.map { values.contains($0.text) } ?? false
            }
            if isMet {
                used[index] = true
                return true
            }
        }
        return false
    }

    // MARK: Rows

    private func eachRow(of file: Matrix.RowFile, _ binding: Binding, _ body: () -> Void) {
        let number = sources.addUnkept(file.name)
        var parser = file.format.parser(columns: file.columns, fileName: file.name)
        var columns = RowColumns(of: file)
        func emit(_ row: MatrixRow) -> Bool {
            let place = Place(file: number, line: Int32(clamping: row.line), column: 1)
            guard columns.follow(row.columns, binding, at: place, fields.faults) else { return false }
            binding.place = place
            columns.put(row, into: binding)
            body()
            return true
        }
        var goesOn = true
        do throws(JobFileFault) {
            try files.read(file.path) { piece in
                goesOn = guarded(number) { () throws(RowFault) in try parser.take(piece, emit) }
                return goesOn
            }
            if goesOn { _ = guarded(number) { () throws(RowFault) in try parser.end(emit) } }
        } catch {
            fields.faults.error("\(shown(file.name)) cannot be read: \(error.reason)", at: file.place)
        }
    }

    /// Reports the fault that a closure ends with; whether it ended without one, and wants more.
    private func guarded(_ file: Int32, _ body: () throws(RowFault) -> Bool) -> Bool {
        do throws(RowFault) {
            return try body()
        } catch {
            fields.faults.error(error.message, at: Place(file: file, line: Int32(clamping: error.line), column: 1))
            return false
        }
    }
}

/// Which variable each column of a file is.
private struct RowColumns {
    private let file: Matrix.RowFile
    /// Of each column the index of its variable; nil for a column whose name no variable could have.
    private var indices: [Int?] = []

    init(of file: Matrix.RowFile) {
        self.file = file
    }

    /// Takes up columns that are new; false after a fault was reported.
    mutating func follow(_ columns: [String], _ binding: Binding, at place: Place, _ faults: Faults) -> Bool {
        guard columns.count > indices.count else { return true }
        for name in columns[indices.count...] {
            guard Template.isName(name) else {
                if columns.count == 1, let separator = Self.separator(name, in: file.format) {
                    faults.error(
                        "the columns of \(shown(file.name)) are parted by \(separator), not by commas; save it with those"
                            + ", or with tabs and `format: tsv`", at: place)
                    return false
                }
                indices.append(nil)
                continue
            }
            if binding.isTaken(name) {
                faults.error(
                    "the column \(shown(name)) of \(shown(file.name)) has the name of another column or list of the matrix;"
                        + " rename one of them", at: file.place)
                return false
            }
            indices.append(binding.add(name))
        }
        return true
    }

    /// What the names of columns are parted by where a comma was looked for, as spreadsheets of many countries write it.
    private static func separator(_ name: String, in format: RowFormat) -> String? {
        guard format == .csv else { return nil }
        return name.contains(";") ? "semicolons" : name.contains("\t") ? "tabs" : nil
    }

    func put(_ row: MatrixRow, into binding: Binding) {
        for (column, index) in indices.enumerated() {
            guard let index else { continue }
            let value = column < row.values.count ? row.values[column] : nil
            binding.values[index] = value.map { TextValue(text: $0) }
        }
    }
}
