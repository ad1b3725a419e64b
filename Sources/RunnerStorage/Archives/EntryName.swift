internal import RunnerJob

/// The name of an entry, taken apart.
struct EntryName {
    /// Parts that are neither empty nor `.`.
    var parts: [ArraySlice<UInt8>]
    var isAbsolute: Bool
    /// Whether a part is `..`.
    var climbs: Bool

    static let slash = UInt8(ascii: "/")
    /// Longest part that Linux file systems take, and longest path that the system does, less room for the folder.
    static let longestPart = 255
    static let longestPath = 3072

    init(_ name: [UInt8]) {
        isAbsolute = name.first == Self.slash
        climbs = false
        parts = []
        for part in name.split(separator: Self.slash) {
            switch part.count {
            case 1 where part.first == UInt8(ascii: "."): continue
            case 2 where part.allSatisfy({ $0 == UInt8(ascii: ".") }): climbs = true
            default: break
            }
            parts.append(part)
        }
    }

    /// The parts in one, without those that were taken out.
    var path: [UInt8] { Self.joined(parts[...]) }

    static func joined(_ parts: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
        var path: [UInt8] = []
        for part in parts {
            if !path.isEmpty { path.append(slash) }
            path += part
        }
        return path
    }

    /// The path below the folder, with `strip` leading parts left out; nil when nothing is left of it.
    func path(strip: Int) throws(ExtractionError) -> [UInt8]? {
        let shown = Self.text(path)
        if isAbsolute { throw .unsafe(.absoluteName, entry: "/" + shown) }
        if climbs { throw .unsafe(.climbs, entry: shown) }
        let kept = parts.dropFirst(strip)
        if kept.contains(where: { $0.count > Self.longestPart }) {
            throw .unsafe(.longName(limit: Self.longestPart), entry: shown)
        }
        let path = Self.joined(kept)
        if path.count > Self.longestPath { throw .unsafe(.longName(limit: Self.longestPath), entry: shown) }
        return path.isEmpty ? nil : path
    }

    /// The name as text for a message.
    static func text(_ name: [UInt8]) -> String {
        let text = String(decoding: name, as: UTF8.self)
        return text.utf8.count > 200 ? String(text.prefix(160)) + "…" : text
    }

    /// Names in a zip archive that are not UTF-8 are in code page 437 (APPNOTE.TXT, appendix D).
    static func ofZip(_ name: [UInt8]) -> [UInt8] {
        if name.allSatisfy({ $0 < 0x80 }) || String(validating: name, as: UTF8.self) != nil { return name }
        return Array(CodePage437.text(name).utf8)
    }
}

/// The upper half of IBM's code page 437.
enum CodePage437 {
    private static let upper = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
            + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)

    static func text(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte - 0x80)]) }
        return String(text)
    }
}
