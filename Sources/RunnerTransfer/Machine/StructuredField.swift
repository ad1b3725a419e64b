internal import RunnerJob

/// A field value in the syntax of structured fields (RFC 8941, RFC 9651).
///
/// A field that does not parse as a whole is no field at all (RFC 8941, 4.2), so that reading gives nil.
package enum StructuredField {
    /// A bare item; integers have at most 15 digits.
    package enum Item: Hashable, Sendable {
        case integer(Int64)
        case decimal(Double)
        case string(String)
        case token(String)
        case bytes([UInt8])
        case boolean(Bool)
        /// Seconds since 1970.
        case date(Int64)
        /// Text in any script (RFC 9651, 3.3.8).
        case display(String)
    }

    /// An item or an inner list, with its parameters in order.
    package struct Member: Hashable, Sendable {
        /// One item; several for an inner list.
        package var items: [Item]
        package var isList = false
        package var parameters: [Parameter] = []

        /// The item; nil for an inner list.
        package var item: Item? { isList ? nil : items.first }
    }

    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: Item
    }

    package struct Entry: Hashable, Sendable {
        package var key: String
        package var member: Member
    }

    /// Reads a dictionary; the last value of a key wins, at the place of the first (RFC 8941, 4.2.2).
    package static func dictionary(_ text: String) -> [Entry]? {
        var reader = Reader(text)
        return reader.whole { reader in reader.dictionary() }
    }

    /// Reads a list (RFC 8941, 4.2.1).
    package static func list(_ text: String) -> [Member]? {
        var reader = Reader(text)
        return reader.whole { reader in reader.list() }
    }

    /// Reads a single item (RFC 8941, 4.2.3).
    package static func item(_ text: String) -> Member? {
        var reader = Reader(text)
        return reader.whole { reader in reader.item() }
    }
}

/// Reads one value from its first byte on; every method gives nil for what is none.
private struct Reader {
    typealias Item = StructuredField.Item
    typealias Member = StructuredField.Member

    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    mutating func whole<Value>(_ read: (inout Reader) -> Value?) -> Value? {
        skip { $0 == 0x20 }
        let value = read(&self)
        skip { $0 == 0x20 }
        return rest.isEmpty ? value : nil
    }

    mutating func dictionary() -> [StructuredField.Entry]? {
        var entries: [StructuredField.Entry] = []
        let isRead = separated { reader in
            guard let key = reader.key() else { return false }
            let member: Member
            if reader.take("=") {
                guard let read = reader.itemOrList() else { return false }
                member = read
            } else {
                guard let parameters = reader.parameters() else { return false }
                member = Member(items: [.boolean(true)], parameters: parameters)
            }
            if let place = entries.firstIndex(where: { $0.key == key }) {
                entries[place].member = member
            } else {
                entries.append(StructuredField.Entry(key: key, member: member))
            }
            return true
        }
        return isRead ? entries : nil
    }

    mutating func list() -> [Member]? {
        var members: [Member] = []
        let isRead = separated { reader in
            guard let member = reader.itemOrList() else { return false }
            members.append(member)
            return true
        }
        return isRead ? members : nil
    }

    /// Members between commas; none behind the last comma is an error, an empty field is not.
    private mutating func separated(_ member: (inout Reader) -> Bool) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        while !rest.isEmpty {
            guard member(&self) else { return false }
            skip(isBlank)
            if rest.isEmpty { return true }
            guard take(",") else { return false }
            skip(isBlank)
            if rest.isEmpty { return false }
        }
        return true
    }

    private mutating func itemOrList() -> Member? {
        guard take("(") else { return item() }
        var items: [Item] = []
        while true {
            skip { $0 == 0x20 }
            if take(")") { break }
            guard let next = item() else { return nil }
            items += next.items
            guard let end = rest.first, end == 0x20 || end == UInt8(ascii: ")") else { return nil }
        }
        return parameters().map { Member(items: items, isList: true, parameters: $0) }
    }

    mutating func item() -> Member? {
        guard let bare = bareItem(), let parameters = parameters() else { return nil }
        return Member(items: [bare], parameters: parameters)
    }

    private mutating func parameters() -> [StructuredField.Parameter]? {
        var parameters: [StructuredField.Parameter] = []
        while take(";") {
            skip { $0 == 0x20 }
            guard let name = key() else { return nil }
            var value = Item.boolean(true)
            if take("=") {
                guard let read = bareItem() else { return nil }
                value = read
            }
            parameters.removeAll { $0.name == name }
            parameters.append(StructuredField.Parameter(name: name, value: value))
        }
        return parameters
    }

    private mutating func key() -> String? {
        guard let first = rest.first, Self.isLower(first) || first == UInt8(ascii: "*") else { return nil }
        return text { Self.isLower($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) }
    }

    private mutating func bareItem() -> Item? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: ":"): return bytes()
        case UInt8(ascii: "?"): return boolean()
        case UInt8(ascii: "@"):
            rest.removeFirst()
            guard case .integer(let seconds)? = number() else { return nil }
            return .date(seconds)
        case UInt8(ascii: "%"): return display()
        default: return token(first)
        }
    }

    private mutating func number() -> Item? {
        let sign: Int64 = take("-") ? -1 : 1
        let whole = text(Self.isDigit)
        guard !whole.isEmpty, whole.utf8.count <= 15, let integer = Int64(whole) else { return nil }
        guard take(".") else { return .integer(sign * integer) }
        let fraction = text(Self.isDigit)
        guard whole.utf8.count <= 12, (1...3).contains(fraction.utf8.count) else { return nil }
        return Double(whole + "." + fraction).map { .decimal(Double(sign) * $0) }
    }

    private mutating func string() -> Item? {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return .string(String(decoding: text, as: UTF8.self))
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst(), "\"\\".utf8.contains(next) else { return nil }
                text.append(next)
            case 0x20...0x7e: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// Padding may be missing and stray bits may be set: RFC 8941, 4.2.7 asks to be lenient there.
    private mutating func bytes() -> Item? {
        rest.removeFirst()
        guard let end = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var text = Array(rest[..<end])
        rest = rest[(end + 1)...]
        while text.last == UInt8(ascii: "=") { text.removeLast() }
        return Base64.lenientBytes(text).map { .bytes($0) }
    }

    private mutating func boolean() -> Item? {
        rest.removeFirst()
        if take("1") { return .boolean(true) }
        return take("0") ? .boolean(false) : nil
    }

    private mutating func display() -> Item? {
        rest.removeFirst()
        guard take("\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self).map { .display($0) }
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Self.isDigit($0) || (0x61...0x66).contains($0) }),
                    let value = Hexadecimal.bytes(digits)
                else { return nil }
                text += value
                rest = rest.dropFirst(2)
            case 0x20...0x7e: text.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private mutating func token(_ first: UInt8) -> Item? {
        guard Self.isLetter(first) || first == UInt8(ascii: "*") else { return nil }
        return .token(
            text { Self.isLetter($0) || Self.isDigit($0) || "!#$%&'*+-.^_`|~:/".utf8.contains($0) })
    }

    // MARK: Bytes

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        rest = rest.drop(while: isSkipped)
    }

    private mutating func text(_ isPart: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: isPart)
        rest = rest.dropFirst(taken.count)
        return String(decoding: taken, as: UTF8.self)
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
