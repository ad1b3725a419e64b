/// Bytes written in hexadecimal digits (RFC 4648, section 8).
package enum Hexadecimal {
    /// The value of a digit in either case.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns nil for an odd number of digits and for other characters.
    package static func bytes(_ digits: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.underestimatedCount / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = value(digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}

extension Hexadecimal {
    /// The same for a whole text, which is read where it lies.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = text.utf8Span.span
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

/// Bytes written in the standard alphabet of Base64 (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Returns nil unless the text is what ``text(_:)`` makes of the bytes: padded, and no stray bits at the end.
    package static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let text = Array(text)
        guard text.count % 4 == 0 else { return nil }
        let body =
            text.suffix(2).allSatisfy { $0 == UInt8(ascii: "=") }
            ? text.dropLast(2)
            : text.last == UInt8(ascii: "=") ? text.dropLast() : text[...]
        guard let bytes = lenientBytes(body) else { return nil }
        return self.text(bytes).utf8.elementsEqual(text) ? bytes : nil
    }

    /// The bytes of a text without padding; bits that are left over at its end count for nothing.
    package static func lenientBytes(_ body: some Collection<UInt8>) -> [UInt8]? {
        if body.count % 4 == 1 { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        var pending: UInt32 = 0
        for character in body {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            pending = pending << 6 & 0xFFFF | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        return bytes
    }

    /// The padded text of some bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? alphabet[Int(number >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Percent escapes of URLs (RFC 3986, section 2.1).
enum PercentEncoding {
    /// Resolves escapes once; a `%` without two digits behind it stays.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = Hexadecimal.bytes(digits) {
                bytes += value
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Escapes everything but the unreserved characters.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
