/// Writes texts as scalars of YAML 1.2.
package enum YAMLScalar {
    /// A double-quoted scalar (7.3.1) that stays on one line.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _
            where scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || scalar.value == 0xFEFF
                || 0x2028...0x2029 ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A scalar without quotes where a block has room for one (7.3.3), else one with them.
    package static func shortest(_ text: String) -> String {
        guard let first = text.utf8.first, isLetterOrDigit(first) || first == UInt8(ascii: "/"),
            text.utf8.last != UInt8(ascii: ":"),
            text.utf8.allSatisfy({ isLetterOrDigit($0) || "/:._-+=?&%~@;()!$*".utf8.contains($0) })
        else { return quoted(text) }
        return text
    }

    /// A text of a job file in which no variable is meant.
    package static func withoutVariables(_ text: String) -> String {
        guard text.contains("${") || text.contains("$$") else { return text }
        return text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
