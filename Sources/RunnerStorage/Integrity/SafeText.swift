/// Bytes of unknown origin as text that is safe to print on a terminal and in a report.
package enum SafeText {
    /// The first bytes as at most `limit` characters.
    ///
    /// White space becomes one space. What a terminal could act on, or nobody could see, and bytes that are no text
    /// are written as `\xNN` or `\u{N}`.
    package static func of(_ bytes: some Sequence<UInt8>, limit: Int = 80) -> String {
        // No character is longer than four bytes, and a piece of white space is shown as one.
        let start = Array(bytes.prefix(4 * limit + 64))
        var text = Text(limit: limit)
        if let decoded = decode(start) {
            for scalar in decoded.unicodeScalars where !text.isFull { text.append(scalar) }
        } else {
            for byte in start where !text.isFull {
                byte < 0x80 ? text.append(Unicode.Scalar(byte)) : text.append(escaped: "\\x" + hex(byte))
            }
        }
        return text.finished
    }

    /// The bytes as UTF-8, without a character that the end cuts in two; nil when they are none.
    private static func decode(_ bytes: [UInt8]) -> String? {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        for cut in 1...3 where cut <= bytes.count {
            let rest = bytes.suffix(cut)
            guard let lead = rest.first, (0xc2...0xf4).contains(lead),
                rest.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 })
            else {
                continue
            }
            let needed = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
            return cut < needed ? String(validating: bytes.dropLast(cut), as: UTF8.self) : nil
        }
        return nil
    }

    fileprivate static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// Text under way to its limit.
    private struct Text {
        let limit: Int
        private var pieces: [String] = []
        private var count = 0

        init(limit: Int) {
            self.limit = limit
        }

        var isFull: Bool { count > limit }

        var finished: String {
            if !isFull { return trimmed(pieces).joined() }
            var kept = pieces
            var length = count
            while length > limit - 1, let last = kept.popLast() { length -= last.unicodeScalars.count }
            return trimmed(kept).joined() + "…"
        }

        mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.properties.isWhitespace {
                if let last = pieces.last, last != " " { push(" ") }
            } else if scalar.isASCII {
                scalar.value < 0x20 || scalar.value == 0x7f
                    ? append(escaped: "\\x" + SafeText.hex(UInt8(truncatingIfNeeded: scalar.value)))
                    : push(String(Character(scalar)))
            } else if SafeText.isVisible(scalar) {
                push(String(Character(scalar)))
            } else if scalar != "\u{feff}" || !pieces.isEmpty {
                append(escaped: "\\u{" + String(scalar.value, radix: 16) + "}")
            }
        }

        mutating func append(escaped text: String) {
            push(text)
        }

        private mutating func push(_ piece: String) {
            pieces.append(piece)
            count += piece.unicodeScalars.count
        }

        private func trimmed(_ pieces: [String]) -> ArraySlice<String> {
            pieces.last == " " ? pieces.dropLast() : pieces[...]
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
