/// A terminal that knows just the sequences which the program may send, and records a fault for any other.
struct FakeTerminal {
    let columns: Int
    private(set) var faults: [String] = []
    private var cells: [[Character]] = [[]]
    private var row = 0
    private var column = 0

    init(columns: Int) {
        self.columns = columns
    }

    /// The rows from the first to the one that the cursor is on or anything was written to.
    var rows: [String] { cells.map { String($0) } }

    mutating func feed(_ text: String) {
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}": escape(&rest)
            case "\r": column = 0
            case "\n": lineFeed()
            default: put(character)
            }
        }
    }

    private mutating func put(_ character: Character) {
        if column == columns { lineFeed() }
        while cells[row].count <= column { cells[row].append(" ") }
        cells[row][column] = character
        column += 1
    }

    private mutating func lineFeed() {
        row += 1
        column = 0
        if row == cells.count { cells.append([]) }
    }

    private mutating func escape(_ rest: inout Substring) {
        guard rest.popFirst() == "[", let end = rest.firstIndex(where: \.isLetter) else {
            return faults.append("not a control sequence")
        }
        let parameter = String(rest[..<end])
        let kind = rest[end]
        rest = rest[rest.index(after: end)...]
        switch kind {
        case "A": row = max(0, row - (Int(parameter) ?? 1))
        case "K" where parameter.isEmpty: cells[row] = Array(cells[row].prefix(column))
        case "J" where parameter.isEmpty:
            cells[row] = Array(cells[row].prefix(column))
            cells.removeSubrange((row + 1)...)
        case "m": break
        default: faults.append("ESC [ \(parameter) \(kind)")
        }
    }
}
