/// What a line of a matrix file with one row a line says.
protocol RowLine {
    var columns: [String] { get }

    /// The values of a line without its break; nil for a line that is no row.
    mutating func values(_ line: ArraySlice<UInt8>) throws(RowLineFault) -> [String?]?
}

/// Why a line is no row.
struct RowLineFault: Error {
    var message: String

    static let notUTF8 = RowLineFault(message: "the line is not in UTF-8; save the file with that encoding")
}

/// Cuts a matrix file into lines, and has each read.
struct LineParser<Line: RowLine>: RowParser {
    private var reader: Line
    private var number = 0
    /// The beginning of a line whose end has not come yet.
    private var pending: [UInt8] = []

    init(_ reader: Line) {
        self.reader = reader
    }

    mutating func take(_ piece: ArraySlice<UInt8>, _ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        var rest = piece
        while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<feed]
            rest = rest[(feed + 1)...]
            if pending.isEmpty {
                if try !row(line, emit) { return false }
            } else {
                pending += line
                let whole = pending
                pending.removeAll()
                if try !row(whole[...], emit) { return false }
            }
        }
        pending += rest
        return true
    }

    mutating func end(_ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        pending.isEmpty ? true : try row(pending[...], emit)
    }

    private mutating func row(_ line: ArraySlice<UInt8>, _ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        number += 1
        var line = line
        if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        do throws(RowLineFault) {
            guard let values = try reader.values(line) else { return true }
            return emit(MatrixRow(line: number, columns: reader.columns, values: values))
        } catch {
            throw RowFault(line: number, message: error.message)
        }
    }
}

/// A line that is the value itself; blank lines and those that begin with `#` are none.
struct TextLine: RowLine {
    let columns: [String]

    init(column: String) {
        columns = [column]
    }

    func values(_ line: ArraySlice<UInt8>) throws(RowLineFault) -> [String?]? {
        guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
        let value = text.trimmingBlanks()
        return value.isEmpty || value.utf8.first == UInt8(ascii: "#") ? nil : [value]
    }
}

/// A line of a checksum list: a digest, the path as it is listed, and the path's last part.
struct ChecksumLine: RowLine {
    private let parser: ChecksumLineParser

    init(listName: String) {
        parser = ChecksumLineParser(listName: listName)
    }

    let columns = ["digest", "path", "name"]

    func values(_ line: ArraySlice<UInt8>) throws(RowLineFault) -> [String?]? {
        switch parser.parse(line) {
        case .nothing: return nil
        case .unreadable:
            throw RowLineFault(message: "this is no line of a checksum list, such as `DIGEST  path`")
        case .entry(let name, let digest):
            guard let name else { return [digest.description, nil, nil] }
            guard let path = String(validating: name, as: UTF8.self) else { throw .notUTF8 }
            let last = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
            return [digest.description, path, last]
        }
    }
}
