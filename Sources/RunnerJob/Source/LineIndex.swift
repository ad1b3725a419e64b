/// Where the lines of a text begin; found when they are first asked for, which of most texts they never are.
///
/// Line breaks are those of YAML 1.1, which libyaml counts: LF, CR, CR LF, U+0085, U+2028 and U+2029.
final class LineIndex {
    private let bytes: [UInt8]
    /// Where each line begins and where its content ends.
    private lazy var lines = Self.lines(of: bytes)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var index = 0
        while index < bytes.count {
            let length = breakLength(in: bytes, at: index)
            if length > 0 {
                lines.append(start..<index)
                start = index + length
            }
            index += max(length, 1)
        }
        lines.append(start..<bytes.count)
        return lines
    }

    /// At least 1.
    var count: Int { lines.count }

    /// The last line, without a break.
    var last: ArraySlice<UInt8> { bytes[lines[lines.count - 1]] }

    /// A line by its number, from 1, without its break; nil where there is none.
    func line(_ number: Int) -> String? {
        guard lines.indices.contains(number - 1) else { return nil }
        return String(decoding: bytes[lines[number - 1]], as: UTF8.self)
    }

    /// Bytes of the line break at an index; 0 where none is.
    private static func breakLength(in bytes: [UInt8], at index: Int) -> Int {
        func isFollowed(by rest: UInt8...) -> Bool { bytes[(index + 1)...].starts(with: rest) }
        switch bytes[index] {
        case 0x0A: return 1
        case 0x0D: return isFollowed(by: 0x0A) ? 2 : 1
        case 0xC2 where isFollowed(by: 0x85): return 2
        case 0xE2 where isFollowed(by: 0x80, 0xA8) || isFollowed(by: 0x80, 0xA9): return 3
        default: return 0
        }
    }
}
