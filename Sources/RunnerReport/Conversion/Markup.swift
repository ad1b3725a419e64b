/// Texts in XML and HTML.
enum Markup {
    /// A text that stands for itself in an element or an attribute; what XML 1.0 cannot hold (section 2.2) is written
    /// as an escape of ours.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "\n"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE:
                result += String(scalar).printable == String(scalar) ? "\u{FFFD}" : String(scalar).printable
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A text in a cell of a table of Markdown, where nothing in it is markup (GitHub Flavored Markdown, 4.10).
    static func markdown(_ text: String) -> String {
        var result = ""
        for scalar in text.printable.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default:
                if "\\`*_{}[]()#+!|~".unicodeScalars.contains(scalar) { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
