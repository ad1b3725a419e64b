package import RunnerJob

/// Looks for what the end of a file must have when its beginning is right: a file that was cut short has it not.
///
/// A look at the last bytes, or at sizes that headers declare; nothing is unpacked. Kinds without such a mark pass.
package enum ContentStructure {
    /// What is missing.
    package enum Flaw: Hashable, Sendable {
        /// The mark that ends every file of the kind.
        case noEnd
        /// The header speaks of bytes beyond the end of the file.
        case endsEarly(declared: Int64)
    }

    /// Longest comment of a zip archive, and its end record (APPNOTE 4.3.16).
    static let zipTail = 65_535 + 22

    /// What is wrong with a file whose first bytes are those of its type; nil when nothing is seen.
    package static func flaw(
        _ type: Expectations.ContentType, start: [UInt8], in file: some ReadableFile
    ) throws(StorageError) -> Flaw? {
        switch type {
        case .zip: return try file.endOfZipDirectory() == nil ? .noEnd : nil
        case .gzip: return isGzipEnd(try tail(8, of: file), length: file.length) ? nil : .noEnd
        case .bzip2: return hasBzip2End(try tail(4096, of: file)) ? nil : .noEnd
        case .xz: return try isXzEnd(file) ? nil : .noEnd
        case .zstd:
            var walk = ZstandardWalk(file)
            return try walk.flaw()
        case .tar: return try hasTarEnd(file) ? nil : .noEnd
        // Readers look for it in the last 1024 bytes (ISO 32000-1, annex H, note 18).
        case .pdf: return contains("%%EOF", try tail(1024, of: file)) ? nil : .noEnd
        case .png: return contains("IEND", try tail(1024, of: file)) ? nil : .noEnd
        case .json: return isJSONEnd(start, try tail(256, of: file)) ? nil : .noEnd
        case .xml: return try tail(256, of: file).contains(UInt8(ascii: ">")) ? nil : .noEnd
        case .deb: return try debFlaw(file)
        case .elf: return endsEarly(elfLength(start), file)
        case .sevenZip: return endsEarly(sevenZipLength(start), file)
        case .sqlite: return endsEarly(sqliteLength(start), file)
        default: return nil
        }
    }

    static func tail(_ count: Int, of file: some ReadableFile) throws(StorageError) -> [UInt8] {
        let wanted = min(Int64(count), file.length)
        return try bytes(Int(wanted), of: file, at: file.length - wanted)
    }

    /// The bytes from an offset on, fewer only at the end.
    static func bytes(_ count: Int, of file: some ReadableFile, at offset: Int64) throws(StorageError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var span = buffer.mutableSpan
        let done = try span.withUnsafeMutableBytes { (bytes) throws(StorageError) in
            try file.read(into: bytes, at: offset)
        }
        return Array(buffer.prefix(done))
    }

    private static func contains(_ mark: String, _ bytes: [UInt8]) -> Bool {
        let mark = Array(mark.utf8)
        guard bytes.count >= mark.count else { return false }
        return (0...(bytes.count - mark.count)).contains { bytes[$0...].starts(with: mark) }
    }

    // MARK: Ends

    /// The last four bytes are the size before compression (RFC 1952, 2.3.1), which no compressed size can exceed by
    /// more than 1032 times (zlib's deflate); zeros may follow the last member.
    private static func isGzipEnd(_ bytes: [UInt8], length: Int64) -> Bool {
        guard length >= 18, bytes.count == 8 else { return false }
        let size = number(bytes[4...])
        return length >= 4 << 20 || Int64(size) <= length * 1032
    }

    /// The footer's magic; four-byte groups of zeros may follow it (The .xz File Format, 2.1.2.4 and 2.2).
    private static func isXzEnd(_ file: some ReadableFile) throws(StorageError) -> Bool {
        let bytes = try tail(4096, of: file)
        var end = bytes.count
        while end >= 4, bytes[(end - 4)..<end].allSatisfy({ $0 == 0 }) { end -= 4 }
        return file.length >= 32 && (end == 0 || bytes[..<end].suffix(2).elementsEqual("YZ".utf8))
    }

    private static func isJSONEnd(_ start: [UInt8], _ end: [UInt8]) -> Bool {
        let last = end.last { !TextStart.isSpace($0) }
        switch TextStart(start).bytes.first {
        case UInt8(ascii: "{"): return last == UInt8(ascii: "}")
        case UInt8(ascii: "["): return last == UInt8(ascii: "]")
        case UInt8(ascii: "\""): return last == UInt8(ascii: "\"")
        default: return true
        }
    }

    // MARK: Declared lengths

    private static func endsEarly(_ declared: Int64?, _ file: some ReadableFile) -> Flaw? {
        guard let declared, file.length < declared else { return nil }
        return .endsEarly(declared: declared)
    }

    /// The start header says where the header at the end lies and how long it is (7zFormat.txt).
    private static func sevenZipLength(_ start: [UInt8]) -> Int64? {
        guard start.count >= 32 else { return 32 }
        let (end, overflow) = number(start[12..<20]).addingReportingOverflow(number(start[20..<28]))
        return overflow || end > Int64.max - 32 ? nil : Int64(end) + 32
    }

    /// Page size times pages; the number counts only where the writer kept it up (Database File Format, 1.3.7).
    private static func sqliteLength(_ start: [UInt8]) -> Int64? {
        guard start.count >= 100 else { return 512 }
        guard start[24..<28].elementsEqual(start[92..<96]) else { return nil }
        let size = Int64(start[16]) << 8 | Int64(start[17])
        let pages = start[28..<32].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return (size == 1 ? 65_536 : size) * pages
    }

    /// Little-endian.
    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ReadableFile {
    /// Where a zip archive's end record has its comment; nil where there is none.
    ///
    /// The comment lies within the file; bytes behind it are allowed, as unzip does.
    func endOfZipDirectory() throws(StorageError) -> Int64? {
        let bytes = try ContentStructure.tail(ContentStructure.zipTail, of: self)
        guard bytes.count >= 22 else { return nil }
        for start in stride(from: bytes.count - 22, through: 0, by: -1)
        where bytes[start] == 0x50 && bytes[start...].starts(with: [0x50, 0x4b, 5, 6]) {
            let end = start + 22
            guard end + Int(ContentStructure.number(bytes[(start + 20)..<end])) <= bytes.count else { continue }
            return length - Int64(bytes.count - end)
        }
        return nil
    }
}
