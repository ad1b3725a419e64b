internal import RunnerJob

/// A list as text, cut into lines.
struct ListText {
    struct Line {
        /// From 1.
        var number: Int32
        /// Without its break.
        var text: String

        var isBlank: Bool { text.trimmingBlanks().isEmpty }
        var isMovedIn: Bool { text.utf8.first == UInt8(ascii: " ") || text.utf8.first == UInt8(ascii: "\t") }
        var isComment: Bool { text.trimmingBlanks().hasPrefix("#") }
        var place: Place { Place(line: number, column: 1) }

        /// Where a part of the line stands.
        func place(of part: Substring) -> Place {
            let before = text.unicodeScalars[..<part.startIndex].count
            return Place(line: number, column: Int32(clamping: before + 1))
        }
    }

    let bytes: [UInt8]
    let lines: [Line]

    /// - Throws: the fault of a text that is none.
    init(_ content: [UInt8]) throws(ListFault) {
        if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
            throw ListFault("the encoding of the file is UTF-16; save it as UTF-8", at: Place(line: 1, column: 1))
        }
        bytes = content.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(content.dropFirst(3)) : content
        var lines: [Line] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let number = Int32(clamping: lines.count + 1)
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
                throw ListFault(
                    "the line is not in UTF-8; save the file with that encoding", at: Place(line: number, column: 1))
            }
            lines.append(Line(number: number, text: text))
        }
        self.lines = lines
    }

    /// Whether its beginning names Metalink's root.
    var hasMetalink: Bool {
        String(decoding: bytes.prefix(8192), as: UTF8.self).contains("<metalink")
    }
}

/// Why a list cannot be read.
struct ListFault: Error {
    var diagnostic: Diagnostic

    init(_ message: String, at place: Place?) {
        diagnostic = Diagnostic(.error, message, at: place)
    }
}
