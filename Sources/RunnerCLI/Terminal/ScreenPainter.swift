/// Turns lines that are redrawn in place into the bytes for a terminal (ECMA-48 control sequences).
package struct ScreenPainter: Sendable {
    /// Widths of the lines that stand on the screen now; the cursor is at the end of the last.
    private var standing: [Int] = []

    package init() {}

    /// Replaces what was drawn last by `lines`, below `scrolled`, which stay.
    ///
    /// Every row is overwritten and its rest cleared, instead of clearing all first, so that nothing flickers.
    package mutating func paint(scrolled: [String] = [], lines: [String], columns: Int) -> String {
        var text = backToStart(columns: columns)
        for line in scrolled { text += line + "\u{1B}[K\n" }
        text += lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
        text += "\u{1B}[J"
        standing = lines.map { DisplayWidth.of($0.withoutEscapes) }
        return text
    }

    /// Moves the cursor to the first row drawn.
    ///
    /// A window made narrower since has wrapped the rows that no longer fit.
    private func backToStart(columns: Int) -> String {
        guard !standing.isEmpty else { return "" }
        let rows = standing.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
        return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
    }
}

extension String {
    /// The text without its colour sequences (`ESC [ … m`), for measuring.
    package var withoutEscapes: String {
        guard utf8.contains(0x1B) else { return self }
        var result = ""
        var rest = self[...]
        while let escape = rest.firstIndex(of: "\u{1B}") {
            result += rest[..<escape]
            let end = rest[escape...].firstIndex(of: "m")
            rest = end.map { rest[rest.index(after: $0)...] } ?? ""
        }
        return result + rest
    }
}
