internal import LibArchive
internal import LibZ

/// What a gzip file unpacks to, member after member, with every check sum verified.
///
/// libarchive's own filter for gzip leaves the check sums alone, and a tar archive has none for its content.
final class UnpackedGzip: ArchiveInput {
    private let packed: any ArchiveInput
    private var stream: GzipStream
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isInMember = true
    private(set) var position: Int64 = 0

    init(_ packed: any ArchiveInput) throws {
        self.packed = packed
        stream = try GzipStream()
    }

    deinit {
        buffer.deallocate()
    }

    /// A stream can only be read from start to end.
    var seekableLength: Int64? { nil }
    func seek(to offset: Int64) {}

    func read() throws -> UnsafeRawBufferPointer {
        var made = 0
        while made == 0 {
            if input.isEmpty { input = try packed.read() }
            if !isInMember, try !beginsMember() { break }
            // Nothing is left, and the member is not over.
            guard !input.isEmpty else { throw GzipError.cutShort }
            let step = try stream.unpack(input, into: buffer)
            input = UnsafeRawBufferPointer(rebasing: input[step.taken...])
            made = step.made
            if step.isOver { isInMember = false }
        }
        position += Int64(made)
        return UnsafeRawBufferPointer(rebasing: buffer[..<made])
    }

    /// Whether another member follows the one that is over; zeros that fill up a block are none (RFC 1952, 2.2).
    private func beginsMember() throws -> Bool {
        while true {
            if let start = input.firstIndex(where: { $0 != 0 }) {
                input = UnsafeRawBufferPointer(rebasing: input[start...])
                break
            }
            input = try packed.read()
            if input.isEmpty { return false }
        }
        try stream.restart()
        isInMember = true
        return true
    }

    static func isGzip(_ start: [UInt8]) -> Bool {
        start.starts(with: [0x1F, 0x8B])
    }
}
