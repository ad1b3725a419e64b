/// Breaks paragraphs into lines.
enum TextWrap {
    /// The words of a text in lines of at most `width` characters; a longer word gets a line of its own.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// Two columns: a term, and its explanation wrapped beside it, or below where the term is too long.
    static func columns(_ rows: [(term: String, text: String)], indent: Int = 2, at column: Int, width: Int) -> [String]
    {
        rows.flatMap { row in
            let wrapped = lines(row.text, width: width - column)
            let term = String(repeating: " ", count: indent) + row.term
            let margin = String(repeating: " ", count: column)
            guard term.count + 2 <= column, let first = wrapped.first else {
                return [term] + wrapped.map { margin + $0 }
            }
            let gap = String(repeating: " ", count: column - term.count)
            return [term + gap + first] + wrapped.dropFirst().map { margin + $0 }
        }
    }
}
