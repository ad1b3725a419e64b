/// How the rows of a matrix file are written.
///
/// The raw value is the word of the job file.
package enum RowFormat: String, CaseIterable, Sendable {
    case csv, tsv, jsonl, lines, checksums

    /// The format that the name of a file tells; anything that is not known is a list of lines.
    package init(fileName: String) {
        let name = fileName.lowercased()
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        switch suffix {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonl
        default:
            let isList = name.hasSuffix("sums") || name.hasSuffix("sums.txt") || Self.digestSuffixes.contains(suffix)
            self = isList ? .checksums : .lines
        }
    }

    private static let digestSuffixes = Set(DigestAlgorithm.ofJobs.map(\.rawValue) + ["b2", "checksums"])
}

/// One row of a matrix file.
package struct MatrixRow {
    /// The line that the row begins on, from 1.
    package var line: Int
    /// Those of all rows up to this one.
    package var columns: [String]
    /// In the order of the columns; nil where the row has no text for one.
    package var values: [String?]
}

/// Why a row of a matrix file cannot be read.
package struct RowFault: Error {
    package var line: Int
    package var message: String
}

/// Takes the bytes of a matrix file piece by piece and hands out its rows.
protocol RowParser {
    /// - Parameter emit: takes one row, and says whether more are wanted.
    /// - Returns: Whether more bytes are wanted.
    mutating func take(_ piece: ArraySlice<UInt8>, _ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool

    /// Takes the end of the file.
    mutating func end(_ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool
}

extension RowFormat {
    /// A parser for a file of this format.
    ///
    /// - Parameters:
    ///   - columns: Names in place of those that the file gives.
    ///   - fileName: Tells which algorithm the digests of a checksum list are of.
    func parser(columns: [String]?, fileName: String) -> any RowParser {
        switch self {
        case .csv: DelimitedParser(separator: UInt8(ascii: ","), hasQuotes: true, columns: columns)
        case .tsv: DelimitedParser(separator: UInt8(ascii: "\t"), hasQuotes: false, columns: columns)
        case .jsonl: LineParser(JSONLine())
        case .lines: LineParser(TextLine(column: columns?.first ?? "line"))
        case .checksums: LineParser(ChecksumLine(listName: fileName))
        }
    }

    /// The rows of a whole file.
    package func rows(of bytes: [UInt8], fileName: String) throws(RowFault) -> [MatrixRow] {
        var rows: [MatrixRow] = []
        func keep(_ row: MatrixRow) -> Bool {
            rows.append(row)
            return true
        }
        var parser = parser(columns: nil, fileName: fileName)
        _ = try parser.take(bytes[...], keep)
        _ = try parser.end(keep)
        return rows
    }
}
