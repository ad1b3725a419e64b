extension ContentStructure {
    /// The six bytes that end a stream, at any bit, and the sum of four bytes behind them; what else may follow is
    /// little (bzip2 file format, stream footer).
    static func hasBzip2End(_ bytes: [UInt8]) -> Bool {
        let mark: UInt64 = 0x1772_4538_5090
        var window: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            for bit in 0..<8 {
                window = (window << 1 | UInt64(byte >> (7 - bit) & 1)) & 0xffff_ffff_ffff
                let bitsBehind = (bytes.count - index) * 8 - bit - 1
                if window == mark, bitsBehind >= 32 { return true }
            }
        }
        return false
    }

    /// Blocks of 512 bytes, the last of them without a bit (POSIX pax, ustar interchange format).
    static func hasTarEnd(_ file: some ReadableFile) throws(StorageError) -> Bool {
        guard file.length >= 1024, file.length % 512 == 0 else { return false }
        return try tail(512, of: file).allSatisfy { $0 == 0 }
    }
}

/// Steps over the frames and blocks of a zstd file by the sizes that they declare (RFC 8878, 3.1); unpacks nothing.
struct ZstandardWalk<File: ReadableFile> {
    private let file: File
    /// Bytes that were read together: headers may lie close to each other.
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    init(_ file: File) {
        self.file = file
    }

    mutating func flaw() throws(StorageError) -> ContentStructure.Flaw? {
        var offset: Int64 = 0
        while offset < file.length {
            guard let magic = try number(4, at: offset) else { return .noEnd }
            if magic == 0xfd2f_b528 {
                guard let end = try frameEnd(offset) else { return .noEnd }
                offset = end
            } else if magic & 0xffff_fff0 == 0x184d_2a50 {
                guard let size = try number(4, at: offset + 4) else { return .noEnd }
                offset += 8 + size
            } else {
                // Behind whole frames, what is no frame was not cut.
                return nil
            }
        }
        return offset > file.length ? .endsEarly(declared: offset) : nil
    }

    /// The first byte behind a frame; nil where it is cut before its last block, or has a block of no known kind.
    private mutating func frameEnd(_ start: Int64) throws(StorageError) -> Int64? {
        guard let descriptor = try number(1, at: start + 4) else { return nil }
        let isSingleSegment = descriptor & 0x20 != 0
        let dictionary: [Int64] = [0, 1, 2, 4]
        let contentSize: [Int64] = [isSingleSegment ? 1 : 0, 2, 4, 8]
        var next = start + 5 + (isSingleSegment ? 0 : 1)
        next += dictionary[Int(descriptor & 3)] + contentSize[Int(descriptor >> 6)]
        while true {
            guard let header = try number(3, at: next) else { return nil }
            switch header >> 1 & 3 {
            case 1: next += 4
            case 0, 2: next += 3 + header >> 3
            default: return nil
            }
            if header & 1 == 1 { return next + (descriptor & 4 == 0 ? 0 : 4) }
        }
    }

    /// A little-endian number; nil where the file ends before it does.
    private mutating func number(_ count: Int, at offset: Int64) throws(StorageError) -> Int64? {
        if offset < windowStart || offset + Int64(count) > windowStart + Int64(window.count) {
            guard offset < file.length else { return nil }
            window = try ContentStructure.bytes(4096, of: file, at: offset)
            windowStart = offset
            if window.count < count { return nil }
        }
        let start = Int(offset - windowStart)
        return window[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
}
