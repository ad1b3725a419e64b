/// The beginning of a file read as text, without byte-order mark and leading white space.
///
/// Of UTF-16 only the low bytes are kept, which is enough to know mark-up by.
struct TextStart {
    let bytes: ArraySlice<UInt8>
    /// Whether there was more to look at than a handful of bytes.
    private let isLong: Bool

    init(_ file: [UInt8]) {
        isLong = file.count > 16
        var text = file[...]
        if file.starts(with: [0xef, 0xbb, 0xbf]) {
            text = file.dropFirst(3)
        } else if file.starts(with: [0xff, 0xfe]) {
            text = Self.everySecond(file, from: 2)
        } else if file.starts(with: [0xfe, 0xff]) {
            text = Self.everySecond(file, from: 3)
        }
        bytes = text.drop { Self.isSpace($0) }
    }

    /// Whether it begins like a document in angle brackets, or with nothing but white space as far as was looked.
    ///
    /// What is compressed without a mark of its kind can begin with any two bytes, but not with a line of text.
    var isMarkup: Bool {
        guard bytes.first == UInt8(ascii: "<") else { return bytes.isEmpty && isLong }
        guard let second = bytes.dropFirst().first, Self.isLetter(second) || "!?/".utf8.contains(second) else {
            return false
        }
        return bytes.prefix(256).allSatisfy { $0 >= 0x20 && $0 != 0x7f || Self.isSpace($0) }
    }

    private static func everySecond(_ bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        stride(from: start, to: bytes.count, by: 2).map { bytes[$0] }[...]
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5a).contains(byte & 0xdf)
    }

    /// Whether the text begins with `word`, ASCII letters compared without case.
    static func starts(_ text: ArraySlice<UInt8>, with word: String) -> Bool {
        text.count >= word.utf8.count && zip(text, word.utf8).allSatisfy { fold($0) == fold($1) }
    }

    /// Where `word` begins, ASCII letters compared without case.
    static func firstIndex(of word: String, in text: ArraySlice<UInt8>) -> Int? {
        text.indices.first { starts(text[$0...], with: word) }
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
    }
}
