/// Writes diagnostics as text: `file:line:column: error: message`, the source line, and a caret below it.
///
/// Keeps an index of the lines, so that many diagnostics of one file cost no more than its size.
public struct DiagnosticRenderer {
    /// Columns of a source line that are shown.
    private static let width = 160

    private let sources: SourceMap
    private let lines: [LineIndex]
    /// A line may hold a password that is written in it.
    private let redactor: Redactor

    public init(_ sources: SourceMap) {
        self.sources = sources
        redactor = Redactor(secrets: sources.secrets)
        lines = sources.files.map { LineIndex($0.bytes) }
    }

    /// One diagnostic with its notes: lines without colour or control characters, and a final line break.
    public func text(_ diagnostic: Diagnostic) -> String {
        var text = entry(diagnostic.severity.rawValue, diagnostic.message, at: diagnostic.place)
        for note in diagnostic.notes { text += entry("note", note.message, at: note.place) }
        return text
    }

    /// `file:line:column` of a place.
    public func position(of place: Place) -> String {
        "\(Self.visible(sources.name(of: place))):\(place.line):\(place.column)"
    }

    private func entry(_ kind: String, _ message: String, at place: Place?) -> String {
        guard let place else { return "\(kind): \(message)\n" }
        let head = "\(position(of: place)): \(kind): \(message)\n"
        guard lines.indices.contains(Int(place.file)), !sources.files[Int(place.file)].bytes.isEmpty,
            let line = lines[Int(place.file)].line(Int(place.line))
        else {
            return head
        }
        let (text, column) = masked(line, column: Int(place.column))
        let (shown, caret) = Self.excerpt(of: text, column: column)
        return head + "    " + shown + "\n    " + caret + "\n"
    }

    /// A line without its secrets, and where a column of it has come to lie.
    private func masked(_ line: String, column: Int) -> (text: String, column: Int) {
        let text = redactor.text(line)
        if ExactText(text) == ExactText(line) { return (line, column) }
        var before = ""
        before.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(max(0, column - 1)))
        let prefix = redactor.text(before).unicodeScalars.count
        return (text, min(prefix, text.unicodeScalars.count) + 1)
    }

    /// The part of a line around a column, and a line that points at the column.
    private static func excerpt(of line: String, column: Int) -> (text: String, caret: String) {
        let scalars = Array(line.unicodeScalars)
        let target = min(max(column - 1, 0), scalars.count)
        let start = scalars.count > width ? max(0, min(target - width / 2, scalars.count - width)) : 0
        let end = min(scalars.count, start + width)
        var text = start > 0 ? "…" : ""
        var caret = start > 0 ? " " : ""
        for index in start..<end {
            let scalar = visible(scalars[index])
            text.unicodeScalars.append(scalar)
            // A tab in the same place moves the caret as far as it moved the text.
            if index < target { caret += scalar == "\t" ? "\t" : String(repeating: " ", count: scalar.columns) }
        }
        return (text + (end < scalars.count ? "…" : ""), caret + "^")
    }

    private static func visible(_ name: String) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: name.unicodeScalars.map { visible($0) })
        return text
    }

    /// The scalar, or a sign in place of one that a terminal would act on.
    private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar == "\t" { return scalar }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
        default: scalar
        }
    }
}

extension Unicode.Scalar {
    /// Columns that a terminal gives the scalar: 0 for what combines, 2 for wide ones (UAX #11), else 1.
    var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
