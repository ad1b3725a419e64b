internal import RunnerReport

/// Draws a ``ProgressBoard`` for a window: one line a task at work, then one for the whole.
package enum ProgressLines {
    /// The lines, each narrower than the window, so that none wraps.
    ///
    /// The line for the whole is last; of the others as many as fit below a line of what came before.
    package static func draw(_ board: ProgressBoard, now: Int64, size: TerminalSize) -> [String] {
        let width = max(1, size.columns - 1)
        let rows = board.running
        let room = max(0, size.rows - 2)
        let shown = rows.count <= room ? rows[...] : rows.prefix(max(0, room - 1))
        var lines = shown.map { line($0, now: now, width: width) }
        if shown.count < rows.count, room > 0 { lines.append("and \(rows.count - shown.count) more".cut(to: width)) }
        lines.append(total(board, now: now).cut(to: width))
        return lines
    }

    /// The line for the whole, also of the quiet mode: `12/40 tasks, 3.4 GiB, 85.0 MiB/s, 2m05s left, 1 failed`.
    package static func total(_ board: ProgressBoard, now: Int64) -> String {
        var parts = ["\(board.ended)/\(board.tasks) tasks", ByteCount.text(board.arrived)]
        let rate = board.rate
        if rate > 0 { parts.append(ByteCount.rate(rate)) }
        if let left = Quantity.timeLeft(board.remaining, rate: rate) { parts.append(left + " left") }
        parts.append(Quantity.time(from: board.started, to: now) + " gone")
        if board.failed > 0 { parts.append("\(board.failed) failed") }
        return parts.joined(separator: ", ")
    }

    private static func line(_ row: ProgressBoard.Row, now: Int64, width: Int) -> String {
        switch row.phase {
        case .waiting(let until, let reason):
            return described(
                row, "again in \(Quantity.time(from: now, to: until.saturatingAdd(999))): \(reason)",
                width: width)
        case .asking where row.bytes == 0:
            return described(row, "waiting for the server, \(Quantity.time(from: row.started, to: now))", width: width)
        case .asking, .receiving:
            return transfer(row, width: width)
        }
    }

    private static func described(_ row: ProgressBoard.Row, _ text: String, width: Int) -> String {
        (name(of: row, Columns(width: width)) + text.printable).cut(to: width)
    }

    private static func transfer(_ row: ProgressBoard.Row, width: Int) -> String {
        let columns = Columns(width: width)
        var line = name(of: row, columns)
        if columns.hasBar { line += bar(row.bytes, of: row.total) + " " }
        let total = row.total.map { " / " + ByteCount.text($0) } ?? ""
        line += (ByteCount.text(row.bytes) + total).aligned(toWidth: Columns.amount)
        if columns.hasRate {
            line += (row.rate > 0 ? ByteCount.rate(row.rate) : "").aligned(toWidth: Columns.rate)
        }
        if columns.hasTime {
            let remaining = row.total.map { $0.saturatingSubtract(row.bytes) }
            line += (Quantity.timeLeft(remaining, rate: row.rate) ?? "").aligned(toWidth: Columns.time)
        }
        return columns.name > 0 ? line : row.name.printable.cut(to: width)
    }

    private static func name(of row: ProgressBoard.Row, _ columns: Columns) -> String {
        row.name.printable.cut(to: columns.name).padded(toWidth: columns.name + Columns.gap)
    }

    /// `[=====>    ]`; empty where the size is unknown.
    private static func bar(_ bytes: Int64, of total: Int64?) -> String {
        let inner = Columns.bar - 2
        guard let total, total > 0 else { return "[" + String(repeating: " ", count: inner) + "]" }
        let share = min(1, max(0, Double(bytes) / Double(total)))
        let filled = Int(share * Double(inner))
        let head = filled < inner && bytes > 0 ? ">" : ""
        let rest = inner - filled - head.count
        return "[" + String(repeating: "=", count: filled) + head + String(repeating: " ", count: rest) + "]"
    }
}

/// What fits into a line: in a narrow window the bar goes first, then the time left, then the rate.
private struct Columns {
    static let gap = 2
    static let bar = 18
    static let amount = 19
    static let rate = 11
    static let time = 8
    /// The least that is left for a name before another column is shown.
    private static let leastName = 18

    /// Cells for the name.
    private(set) var name: Int
    let hasBar: Bool
    let hasRate: Bool
    let hasTime: Bool

    init(width: Int) {
        name = width - Self.amount - Self.gap
        hasRate = name >= Self.rate + Self.leastName
        if hasRate { name -= Self.rate }
        hasTime = hasRate && name >= Self.time + Self.leastName
        if hasTime { name -= Self.time }
        hasBar = hasTime && name >= Self.bar + 1 + Self.leastName
        if hasBar { name -= Self.bar + 1 }
        name = max(0, name)
    }
}
