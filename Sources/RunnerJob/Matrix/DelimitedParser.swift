/// Reads CSV (RFC 4180) and TSV: rows of fields, the first of them the names of the columns.
struct DelimitedParser: RowParser {
    /// nil until the first row was read.
    private var columns: [String]?
    private let separator: UInt8
    private let hasQuotes: Bool
    private var state = State.rowStart
    private var line = 1
    /// The line that the row begins on.
    private var firstLine = 1
    private var field: [UInt8] = []
    private var fields: [String?] = []
    /// Whether the last byte was a carriage return that ended a row, so that a line feed belongs to it.
    private var wasReturn = false
    /// The first bytes, while they may be a byte order mark; nil behind them.
    private var start: [UInt8]? = []
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private enum State {
        case rowStart
        case fieldStart
        case plain
        case quoted
        /// Behind a quote in a quoted field: its end, or the first half of a doubled one.
        case quoteSeen
    }

    init(separator: UInt8, hasQuotes: Bool, columns: [String]?) {
        self.separator = separator
        self.hasQuotes = hasQuotes
        self.columns = columns
    }

    mutating func take(_ piece: ArraySlice<UInt8>, _ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        guard var start else { return try takeText(piece, emit) }
        start += piece
        self.start = start
        if start.count < Self.mark.count, Self.mark.starts(with: start) { return true }
        return try takeStart(emit)
    }

    /// Goes on with the first bytes, once enough of them are there to know a byte order mark.
    private mutating func takeStart(_ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        guard let start else { return true }
        self.start = nil
        return try takeText(start.starts(with: Self.mark) ? start.dropFirst(Self.mark.count) : start[...], emit)
    }

    private mutating func takeText(
        _ rest: ArraySlice<UInt8>, _ emit: (MatrixRow) -> Bool
    ) throws(RowFault) -> Bool {
        var index = rest.startIndex
        while index < rest.endIndex {
            let byte = rest[index]
            index += 1
            if wasReturn {
                wasReturn = false
                if byte == UInt8(ascii: "\n") { continue }
            }
            switch state {
            case .quoted:
                if byte == UInt8(ascii: "\"") {
                    state = .quoteSeen
                } else {
                    if byte == UInt8(ascii: "\n") { line += 1 }
                    field.append(byte)
                }
            case .quoteSeen where byte == UInt8(ascii: "\""):
                field.append(byte)
                state = .quoted
            default:
                if try !takeOutsideQuotes(byte, emit) { return false }
            }
        }
        return true
    }

    /// Takes a byte outside of quotes; false when no more rows are wanted.
    private mutating func takeOutsideQuotes(
        _ byte: UInt8, _ emit: (MatrixRow) -> Bool
    ) throws(RowFault) -> Bool {
        switch byte {
        case separator:
            try endField()
            state = .fieldStart
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            wasReturn = byte == UInt8(ascii: "\r")
            return try endRow(emit)
        case UInt8(ascii: "\"") where hasQuotes && (state == .rowStart || state == .fieldStart):
            state = .quoted
        default:
            if state == .quoteSeen {
                throw RowFault(
                    line: line, message: "there is text behind a closing quote; double a quote that is meant")
            }
            field.append(byte)
            state = .plain
        }
        return true
    }

    mutating func end(_ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        guard try takeStart(emit) else { return false }
        if state == .quoted {
            throw RowFault(line: firstLine, message: "a quote of this row is not closed before the end of the file")
        }
        return try endRow(emit)
    }

    private mutating func endField() throws(RowFault) {
        guard let text = String(validating: field, as: UTF8.self) else {
            throw RowFault(line: firstLine, message: "the row is not in UTF-8; save the file with that encoding")
        }
        fields.append(text)
        field.removeAll(keepingCapacity: true)
    }

    private mutating func endRow(_ emit: (MatrixRow) -> Bool) throws(RowFault) -> Bool {
        defer {
            line += 1
            firstLine = line
            state = .rowStart
            fields.removeAll(keepingCapacity: true)
        }
        // A blank line is no row of one empty field.
        if state == .rowStart { return true }
        try endField()
        guard let columns else {
            self.columns = fields.map { ($0 ?? "").trimmingBlanks() }
            return true
        }
        guard fields.count == columns.count else {
            throw RowFault(
                line: firstLine,
                message:
                    "the row has \(counted(fields.count, "field")), but there \(columns.count == 1 ? "is" : "are")"
                    + " \(counted(columns.count, "column"));"
                    + " put a field in quotes that holds the separator, and leave no field out")
        }
        return emit(MatrixRow(line: firstLine, columns: columns, values: fields))
    }

    private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
