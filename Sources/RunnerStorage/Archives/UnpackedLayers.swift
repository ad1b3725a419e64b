internal import LibArchive

/// What is left of a file when libarchive has taken its layers of compression off.
///
/// Read to its end it is verified by what the layers hold for that, which is not so when libarchive unpacks the archive
/// in them itself: it stops at the end of the archive.
final class UnpackedLayers: ArchiveInput {
    private let reader: ArchiveReader
    private var isBegun = false
    private(set) var position: Int64 = 0

    /// - Parameter reader: reads the format "raw", in which everything is one entry.
    init(_ reader: ArchiveReader) {
        self.reader = reader
    }

    var seekableLength: Int64? { nil }
    func seek(to offset: Int64) {}

    func read() throws -> UnsafeRawBufferPointer {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        do throws(ArchiveError) {
            if !isBegun {
                guard try reader.next() != nil else { return nothing }
                isBegun = true
            }
            guard let piece = try reader.readPiece() else { return nothing }
            position += Int64(piece.bytes.count)
            return piece.bytes
        } catch {
            // What the innermost input threw counts, not that it was libarchive which came upon it.
            if case .stream(let cause) = error { throw cause }
            throw error
        }
    }
}
