/// Finds known secret values in a text: plain, with escapes of URLs, JSON or HTML in part or in whole, and in Base64.
struct SecretMatcher: Sendable {
    private struct Needle: Sendable {
        var bytes: [UInt8]
        /// Too short to be told from ordinary text: masked only where it stands as a word of its own.
        var mustStandAlone: Bool
        /// Whether these are digits of Base64, which programs break into lines.
        var mayHaveBreaks = false
    }

    private var needles: [Needle] = []
    /// For each byte whether a secret can begin with it; what begins an escape always can.
    private var isFirst = Array(repeating: false, count: 256)

    /// Shorter secrets are masked as whole words only, else a password `a` would blot out every text.
    private static let shortest = 4

    init(_ secrets: some Sequence<String>) {
        var seen: Set<[UInt8]> = []
        for secret in secrets {
            let bytes = Array(secret.utf8)
            add(bytes, &seen)
            guard bytes.count >= Self.shortest else { continue }
            // A key of several lines can be quoted line by line.
            for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) where line.count >= 8 {
                add(Array(line), &seen)
            }
            for encoded in Base64Core.cores(of: bytes) { add(encoded, &seen, mayHaveBreaks: true) }
        }
        needles.sort { $0.bytes.count > $1.bytes.count }
        for needle in needles {
            if let first = needle.bytes.first { isFirst[Int(first)] = true }
            if needle.bytes.first == UInt8(ascii: " ") { isFirst[Int(UInt8(ascii: "+"))] = true }
        }
        if !needles.isEmpty {
            for byte in [UInt8(ascii: "%")] + TextEscape.beginnings { isFirst[Int(byte)] = true }
        }
    }

    /// The bytes that a secret can begin with; none when there are no secrets.
    var firstBytes: [UInt8] { isFirst.indices.filter { isFirst[$0] }.map { UInt8($0) } }

    /// Whether a byte of the text can begin a secret; looks at the bytes in place.
    func isTouched(by text: String) -> Bool {
        guard !needles.isEmpty else { return false }
        return text.holds { isFirst[Int($0)] }
    }

    private mutating func add(_ bytes: [UInt8], _ seen: inout Set<[UInt8]>, mayHaveBreaks: Bool = false) {
        guard !bytes.isEmpty, seen.insert(bytes).inserted else { return }
        needles.append(
            Needle(bytes: bytes, mustStandAlone: bytes.count < Self.shortest, mayHaveBreaks: mayHaveBreaks))
    }

    /// Adds the place of every secret to the edits.
    func find(in text: [UInt8], _ edits: inout Edits) {
        guard !needles.isEmpty else { return }
        var position = 0
        while position < text.count {
            guard isFirst[Int(text[position])], let end = longestMatch(in: text, at: position) else {
                position += 1
                continue
            }
            edits.mask(position..<end)
            position = end
        }
    }

    private func longestMatch(in text: [UInt8], at start: Int) -> Int? {
        for needle in needles {
            guard let end = Self.match(needle, in: text, at: start) else { continue }
            if needle.mustStandAlone {
                if start > 0, text[start - 1].isWordByte { continue }
                if end < text.count, text[end].isWordByte { continue }
            }
            return end
        }
        return nil
    }

    /// The end of a secret that begins at a position, as it is or with escapes of one kind.
    private static func match(_ needle: Needle, in text: [UInt8], at start: Int) -> Int? {
        matchPlain(needle, in: text, at: start) ?? matchEscaped(needle.bytes, in: text, at: start)
    }

    /// The same where each byte may be written as itself or as `%XX`.
    private static func matchPlain(_ needle: Needle, in text: [UInt8], at start: Int) -> Int? {
        var position = start
        for byte in needle.bytes {
            if needle.mayHaveBreaks, position > start {
                while position < text.count, text[position] == 10 || text[position] == 13 { position += 1 }
            }
            guard position < text.count else { return nil }
            if text[position] == byte {
                position += 1
            } else if percentDecoded(text, at: position) == byte {
                position += 3
            } else if byte == UInt8(ascii: " "), text[position] == UInt8(ascii: "+") {
                position += 1
            } else {
                return nil
            }
        }
        return position
    }

    /// The same where characters may be escaped as in JSON and HTML, such as where a server quotes a request.
    private static func matchEscaped(_ secret: [UInt8], in text: [UInt8], at start: Int) -> Int? {
        var position = start
        var rest = secret[...]
        while let byte = rest.first {
            guard position < text.count else { return nil }
            if let escape = TextEscape(text, at: position), rest.starts(with: escape.bytes) {
                rest = rest.dropFirst(escape.bytes.count)
                position += escape.length
            } else if text[position] == byte {
                rest = rest.dropFirst()
                position += 1
            } else {
                return nil
            }
        }
        return position
    }

    /// The byte that `%XX` at a position stands for.
    private static func percentDecoded(_ text: [UInt8], at position: Int) -> UInt8? {
        guard position + 2 < text.count, text[position] == UInt8(ascii: "%"),
            let high = text[position + 1].hexValue, let low = text[position + 2].hexValue
        else { return nil }
        return high << 4 | low
    }
}

/// What a secret looks like inside Base64, whatever stands before and after it (RFC 4648).
enum Base64Core {
    /// The digits that depend on the secret alone, for each of the three offsets, in both alphabets.
    static func cores(of secret: [UInt8]) -> [[UInt8]] {
        var cores: [[UInt8]] = []
        for offset in 0..<3 {
            let padded = Array(repeating: UInt8(0), count: offset) + secret
            // A digit carries six bits; those that share a byte with the neighbours are left out.
            let first = (offset * 8 + 5) / 6
            let last = padded.count * 8 / 6
            guard last - first >= 4 else { continue }
            cores.append((first..<last).map { standard[digit($0, of: padded)] })
            cores.append((first..<last).map { urlSafe[digit($0, of: padded)] })
        }
        return cores
    }

    private static func digit(_ index: Int, of bytes: [UInt8]) -> Int {
        let bit = index * 6
        let high = Int(bytes[bit / 8]) << 8
        let low = bit / 8 + 1 < bytes.count ? Int(bytes[bit / 8 + 1]) : 0
        return (high | low) >> (10 - bit % 8) & 63
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((letters + "+/").utf8)
    private static let urlSafe = Array((letters + "-_").utf8)
}

extension UInt8 {
    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether the byte is part of a word: a letter, a digit, or any byte of a character outside ASCII.
    var isWordByte: Bool { isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self >= 0x80 }

    var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }

    /// The byte with A–Z in lower case.
    var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
