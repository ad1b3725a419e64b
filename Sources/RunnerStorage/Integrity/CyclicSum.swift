/// A cyclic redundancy check of bits in reflected order, as object stores send it.
///
/// No library that the program stands on has CRC-32C or CRC-64/NVME. Eight tables take eight bytes at a step.
struct CyclicSum<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// The tables of a polynomial; made once.
    struct Tables: Sendable {
        fileprivate let words: [Word]

        /// - Parameter polynomial: in reflected order, without its highest term.
        init(_ polynomial: Word) {
            var words: [Word] = []
            words.reserveCapacity(8 * 256)
            for byte in 0..<256 {
                var word = Word(byte)
                for _ in 0..<8 { word = word & 1 == 1 ? word >> 1 ^ polynomial : word >> 1 }
                words.append(word)
            }
            for index in 256..<8 * 256 {
                let before = words[index - 256]
                words.append(before >> 8 ^ words[Int(before & 0xFF)])
            }
            self.words = words
        }
    }

    private let tables: Tables
    private var state = Word.max

    init(_ tables: Tables) {
        self.tables = tables
    }

    /// Adds the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var word = state
        var index = 0
        tables.words.withUnsafeBufferPointer { table in
            while bytes.count - index >= 8 {
                let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let mixed = next ^ UInt64(truncatingIfNeeded: word)
                word = 0
                for place in 0..<8 {
                    word ^= table[(7 - place) << 8 + Int(truncatingIfNeeded: mixed >> (8 * UInt64(place)) & 0xFF)]
                }
                index += 8
            }
            while index < bytes.count {
                word = word >> 8 ^ table[Int(truncatingIfNeeded: (word ^ Word(bytes[index])) & 0xFF)]
                index += 1
            }
        }
        state = word
    }

    /// The sum, most significant byte first.
    var bytes: [UInt8] { withUnsafeBytes(of: (~state).bigEndian) { Array($0) } }
}

extension CyclicSum<UInt32>.Tables {
    /// Of Ethernet and zip (ISO-HDLC), 0x04C11DB7 in reflected order.
    static let crc32 = Self(0xEDB8_8320)
    /// Castagnoli's (RFC 3720, appendix B.4), 0x1EDC6F41 in reflected order.
    static let crc32c = Self(0x82F6_3B78)
}

extension CyclicSum<UInt64>.Tables {
    /// Of the NVM Express specification, 0xAD93D23594C93659 in reflected order.
    static let nvme = Self(0x9A6C_9329_AC4B_C9B5)
}
