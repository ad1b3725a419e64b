/// The form that a URL must have before it is signed by AWS Signature Version 4: path and query encoded strictly, the
/// query in the order of its names; pure.
///
/// libcurl signs path and query as they stand, and a server signs what it makes of them: `+`, `!`, `=` and the like
/// encoded, every field with a `=`, fields sorted by the bytes of their names.
package enum SignedURL {
    package static func normalized(_ url: String) -> String {
        let bytes = Array(url.utf8)
        // Behind `scheme://authority`.
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.count > colon + 3 else { return url }
        let start =
            bytes[(colon + 3)...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.count
        let question = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
        var result =
            Array(bytes[..<start]) + encoded(bytes[start..<(question ?? bytes.count)], keeping: UInt8(ascii: "/"))
        if let question { result += query(bytes[(question + 1)...]) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func query(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let fields = bytes.split(separator: UInt8(ascii: "&")).map { field -> (name: [UInt8], value: [UInt8]) in
            let sign = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
            return (encoded(field[..<sign]), encoded(field[sign...].dropFirst()))
        }
        let sorted = fields.sorted {
            $0.name == $1.name
                ? $0.value.lexicographicallyPrecedes($1.value) : $0.name.lexicographicallyPrecedes($1.name)
        }
        let texts = sorted.map { $0.name + [UInt8(ascii: "=")] + $0.value }
        return texts.isEmpty ? [] : [UInt8(ascii: "?")] + texts.joined(separator: CollectionOfOne(UInt8(ascii: "&")))
    }

    /// Decodes what is encoded, and encodes everything but the unreserved bytes (RFC 3986, section 2.3).
    private static func encoded(_ bytes: ArraySlice<UInt8>, keeping kept: UInt8? = nil) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            var isDecoded = false
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = nibble(bytes[index + 1]),
                let low = nibble(bytes[index + 2])
            {
                byte = high << 4 | low
                isDecoded = true
                index += 2
            }
            index += 1
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: result.append(byte)
            case kept where !isDecoded: result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return result
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
