/// A line that is a JSON object (RFC 8259): its members are the columns.
///
/// Numbers keep the spelling of the file; null, lists and objects are no text that a variable could stand for.
struct JSONLine: RowLine {
    private(set) var columns: [String] = []
    private var indices: [String: Int] = [:]

    mutating func values(_ line: ArraySlice<UInt8>) throws(RowLineFault) -> [String?]? {
        guard String(validating: line, as: UTF8.self) != nil else { throw .notUTF8 }
        var scanner = JSONScanner(line)
        scanner.skipBlanks()
        if scanner.isAtEnd { return nil }
        var values = [String?](repeating: nil, count: indices.count)
        guard let members = scanner.members(), scanner.isAtEnd else {
            throw RowLineFault(message: "the line is no JSON object, such as {\"url\": \"https://…\"}")
        }
        var seen: Set<String> = []
        for member in members {
            // RFC 8259 section 4 leaves open which of them counts.
            guard seen.insert(member.name).inserted else {
                throw RowLineFault(message: "the line has two members \(shown(member.name))")
            }
            if let index = indices[member.name] {
                values[index] = member.value
            } else {
                indices[member.name] = values.count
                columns.append(member.name)
                values.append(member.value)
            }
        }
        return values
    }
}

/// Reads one JSON text from its front.
struct JSONScanner {
    private var rest: ArraySlice<UInt8>
    /// Levels of lists and objects inside a value that is passed over.
    private static let depthCeiling = 64

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipBlanks() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }

    /// The members of an object; nil where there is none or it is broken.
    mutating func members() -> [(name: String, value: String?)]? {
        var members: [(name: String, value: String?)] = []
        guard take(UInt8(ascii: "{")) else { return nil }
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: 0) else { return nil }
            members.append((name, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? members : nil
    }

    /// Takes a byte with the blanks around it.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        skipBlanks()
        return true
    }

    /// A value: a text, or nothing for what is none; nil where it is broken.
    private mutating func value(depth: Int) -> String?? {
        skipBlanks()
        switch rest.first {
        case UInt8(ascii: "\""): return string().map { .some($0) }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipStructure(depth: depth) ? .some(nil) : nil
        default:
            let word = rest.prefix { !",}] \t\r\n".utf8.contains($0) }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            if text == "null" { return .some(nil) }
            guard text == "true" || text == "false" || Self.isNumber(word) else { return nil }
            return text
        }
    }

    /// RFC 8259, section 6.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        guard isDigit(rest.first) else { return false }
        rest = rest.first == UInt8(ascii: "0") ? rest.dropFirst() : rest.drop { isDigit($0) }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard isDigit(rest.first) else { return false }
            rest = rest.drop { isDigit($0) }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            guard isDigit(rest.first) else { return false }
            rest = rest.drop { isDigit($0) }
        }
        return rest.isEmpty
    }

    private mutating func skipStructure(depth: Int) -> Bool {
        guard depth < Self.depthCeiling else { return false }
        let isObject = rest.first == UInt8(ascii: "{")
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        rest = rest.dropFirst()
        if take(end) { return true }
        repeat {
            if isObject {
                skipBlanks()
                guard string() != nil, take(UInt8(ascii: ":")) else { return false }
            }
            guard value(depth: depth + 1) != nil else { return false }
        } while take(UInt8(ascii: ","))
        return take(end)
    }

    /// A string (RFC 8259, section 7).
    private mutating func string() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                bytes += String(scalar).utf8
            case 0..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case UInt8(ascii: "\""): "\""
        case UInt8(ascii: "\\"): "\\"
        case UInt8(ascii: "/"): "/"
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        case UInt8(ascii: "u"): codePoint()
        default: nil
        }
    }

    /// Four digits, or two times four for what lies beyond the first plane.
    private mutating func codePoint() -> Unicode.Scalar? {
        guard let high = unit() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"), let low = unit(),
            (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func unit() -> UInt32? {
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        guard digits.count == 4, digits.allSatisfy({ $0.hexValue != nil }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
