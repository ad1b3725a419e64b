/// How text for people is set off: plain, or with the colours of a terminal (ECMA-48, SGR).
///
/// Meaning never depends on colour alone.
public struct Style: Hashable, Sendable {
    private let isColoured: Bool

    /// Nothing is set off.
    public static let plain = Style(isColoured: false)
    public static let ansi = Style(isColoured: true)

    private init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    public func failure(_ text: String) -> String { set("1;31", text) }
    public func success(_ text: String) -> String { set("32", text) }
    public func warning(_ text: String) -> String { set("33", text) }
    public func strong(_ text: String) -> String { set("1", text) }
    /// Of less weight than the text around it.
    public func faint(_ text: String) -> String { set("2", text) }

    private func set(_ code: String, _ text: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The text on one line and harmless to a terminal: control characters are written as `\n`, `\t`, `\u{1B}`.
    ///
    /// What a server sends is shown to people; it must not move the cursor or change colours. Characters that turn
    /// the direction of writing are escaped too, since they can make one name look like another.
    public var printable: String {
        guard unicodeScalars.contains(where: \.disturbsTerminal) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.disturbsTerminal:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// C0, DEL and C1 controls, line separators, and the marks of bidirectional text (UAX #9).
    fileprivate var disturbsTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
