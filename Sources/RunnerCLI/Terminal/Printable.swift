extension String {
    /// The text with every control character replaced by its escape, so that a name cannot steer a terminal.
    ///
    /// Direction marks are replaced too: they can make a name look like another one.
    package var printable: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case _ where scalar.steersTerminals: result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a C0 or C1 control, a line separator or a direction mark (UAX #9).
    fileprivate var steersTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
