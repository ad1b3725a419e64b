internal import RunnerJob

/// A digest as a checksum list spells it: hexadecimal, or canonical base64 with its padding (RFC 4648, 4).
enum DigestText {
    static func digest(_ algorithm: DigestAlgorithm, _ text: ArraySlice<UInt8>) -> Digest? {
        let bytes = text.count == 2 * algorithm.byteCount ? hex(text) : base64(text)
        return bytes.flatMap { Digest(algorithm, bytes: $0) }
    }

    private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let value = hexValue(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    private static func hexValue(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4), let last = text.last else { return nil }
        let padding = last != UInt8(ascii: "=") ? 0 : text.dropLast().last == UInt8(ascii: "=") ? 2 : 1
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.dropLast(padding) {
            guard let value = base64Value(character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        // Bits left over must be zero, else two texts would mean one value.
        return bits == 0 ? bytes : nil
    }

    private static func base64Value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
