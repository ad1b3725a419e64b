/// What one escape of JSON (RFC 8259, section 7) or HTML stands for: `\"`, `\u00e9`, `&quot;`, `&#39;`.
struct TextEscape {
    /// What it stands for, in UTF-8; never empty.
    let bytes: [UInt8]
    /// Bytes of the escape itself.
    let length: Int

    /// The bytes that an escape begins with.
    static let beginnings = Array("\\&".utf8)

    /// The longest escape: `\ud83d\ude00`.
    private static let longest = 12

    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    ]
    private static let entities: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]

    /// Reads the escape at a position; nil where there is none.
    init?(_ text: [UInt8], at position: Int) {
        let rest = text[(position + 1)..<max(position + 1, min(text.count, position + Self.longest))]
        let found: (bytes: [UInt8], length: Int)? =
            switch text[position] {
            case UInt8(ascii: "\\"): Self.backslash(rest)
            case UInt8(ascii: "&"): Self.entity(rest)
            default: nil
            }
        guard let found else { return nil }
        bytes = found.bytes
        length = found.length + 1
    }

    /// What a backslash and the bytes behind it stand for, and how many these are.
    private static func backslash(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard let first = rest.first else { return nil }
        if let control = controls[first] { return ([control], 1) }
        if "\"'\\/".utf8.contains(first) { return ([first], 1) }
        guard first == UInt8(ascii: "u"), let high = number(rest.dropFirst()) else { return nil }
        if let scalar = Unicode.Scalar(high) { return (Array(String(scalar).utf8), 5) }
        // Two halves of one character.
        let second = rest.dropFirst(5)
        guard second.starts(with: "\\u".utf8), let low = number(second.dropFirst(2)),
            0xD800..<0xDC00 ~= high, 0xDC00..<0xE000 ~= low,
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { return nil }
        return (Array(String(scalar).utf8), 11)
    }

    /// What `&` and the bytes behind it stand for, and how many these are.
    private static func entity(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let length = end - rest.startIndex + 1
        let name = String(decoding: rest[..<end], as: UTF8.self)
        guard name.hasPrefix("#") else { return entities[name].map { ([$0], length) } }
        let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
        let value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        return value.flatMap { Unicode.Scalar($0) }.map { (Array(String($0).utf8), length) }
    }

    /// The value of four hexadecimal digits.
    private static func number(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard text.count >= 4 else { return nil }
        var value: UInt32 = 0
        for byte in text.prefix(4) {
            guard let digit = byte.hexValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
