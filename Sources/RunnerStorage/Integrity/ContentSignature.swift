package import RunnerJob

/// Knows kinds of files by their first bytes.
package enum ContentSignature {
    /// Bytes that ``matches(_:_:)`` and ``kind(of:)`` want to see; fewer only when the file is shorter.
    package static let length = 4096

    /// Whether a file that begins with `bytes` can be of a type.
    package static func matches(_ type: Expectations.ContentType, _ bytes: [UInt8]) -> Bool {
        switch type {
        case .notHTML: HTMLPage(bytes) == nil
        case .json: isJSON(TextStart(bytes).bytes)
        case .xml: isXML(bytes)
        case .tar: isTar(bytes)
        // Readers look for the header in the first 1024 bytes (ISO 32000-1, annex H, note 13).
        case .pdf: TextStart.firstIndex(of: "%PDF-", in: bytes.prefix(1024)) != nil
        default: marks[type, default: []].contains { bytes.starts(with: $0) } || isSkippableFrame(type, bytes)
        }
    }

    /// What a file is, for a message; nil when that is not known.
    package static func kind(of bytes: [UInt8]) -> Expectations.ContentType? {
        let order: [Expectations.ContentType] = [
            .zip, .gzip, .bzip2, .xz, .zstd, .sevenZip, .png, .jpeg, .gif, .elf, .deb, .rpm, .sqlite, .tar, .pdf,
        ]
        if let kind = order.first(where: { matches($0, bytes) }) { return kind }
        if HTMLPage(bytes) != nil { return nil }
        return [.xml, .json].first { matches($0, bytes) }
    }

    private static let marks: [Expectations.ContentType: [[UInt8]]] = [
        // A file, an archive without files, one in several volumes (APPNOTE 4.3).
        .zip: [Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8), Array("PK\u{7}\u{8}".utf8)],
        .gzip: [[0x1f, 0x8b, 0x08]],
        .bzip2: (UInt8(ascii: "1")...UInt8(ascii: "9")).flatMap { level -> [[UInt8]] in
            // A block, or the end of a stream without any.
            [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].map {
                Array("BZh".utf8) + [level] + $0
            }
        },
        .xz: [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
        .zstd: [[0x28, 0xb5, 0x2f, 0xfd]],
        .sevenZip: [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
        .png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
        .jpeg: [[0xff, 0xd8, 0xff]],
        .gif: [Array("GIF87a".utf8), Array("GIF89a".utf8)],
        .elf: [[0x7f, 0x45, 0x4c, 0x46]],
        .deb: [Array("!<arch>\ndebian-binary".utf8)],
        .rpm: [[0xed, 0xab, 0xee, 0xdb]],
        .sqlite: [Array("SQLite format 3\u{0}".utf8)],
    ]

    /// A zstd file may begin with a frame that holds no data (RFC 8878, 3.1.2).
    private static func isSkippableFrame(_ type: Expectations.ContentType, _ bytes: [UInt8]) -> Bool {
        type == .zstd && bytes.count >= 4 && bytes[0] & 0xf0 == 0x50 && bytes[1...3].elementsEqual([0x2a, 0x4d, 0x18])
    }

    /// A tar header carries the sum of its own bytes, with blanks in the sum's place (POSIX pax, ustar).
    private static func isTar(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 512, bytes[0] != 0 else { return false }
        let field = bytes[148..<156].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        let stored = field.reduce(0) { $0 * 8 + Int($1 - 0x30) }
        let sum = bytes[..<148].reduce(0) { $0 + Int($1) } + bytes[156..<512].reduce(0) { $0 + Int($1) } + 8 * 0x20
        return !field.isEmpty && stored == sum
    }

    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let text = TextStart(bytes).bytes
        if TextStart.starts(text, with: "<?xml") { return true }
        guard text.first == UInt8(ascii: "<"), let next = text.dropFirst().first else { return false }
        let isTag = TextStart.isLetter(next) || next >= 0x80 || "_:!?".utf8.contains(next)
        return isTag && !["<!doctype html", "<html"].contains { TextStart.starts(text, with: $0) }
    }

    private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        let inner = text.dropFirst().first { !TextStart.isSpace($0) }
        switch first {
        case UInt8(ascii: "{"): return inner.map { "\"}".utf8.contains($0) } ?? true
        case UInt8(ascii: "["): return inner.map { $0 == UInt8(ascii: "]") || beginsValue($0) } ?? true
        case UInt8(ascii: "\""): return true
        default: return isScalar(text)
        }
    }

    private static func beginsValue(_ byte: UInt8) -> Bool {
        "{[\"-0123456789tfn".utf8.contains(byte)
    }

    /// A number, `true`, `false` or `null`, and nothing more (RFC 8259, 2).
    private static func isScalar(_ text: ArraySlice<UInt8>) -> Bool {
        let word = text.prefix { !TextStart.isSpace($0) }
        guard text.dropFirst(word.count).allSatisfy(TextStart.isSpace) else { return false }
        if ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) { return true }
        return word.allSatisfy { "-+.eE0123456789".utf8.contains($0) } && word.contains { (0x30...0x39).contains($0) }
    }
}
