internal import LibArchive

/// The bytes of a file, for libarchive.
final class ArchiveFile: ArchiveInput {
    /// Bytes that are read at a time.
    private static let chunk = 128 << 10
    /// Bytes with which libarchive does not find the record before the comment (archive_read_support_format_zip.c).
    private static let leastOfLongComment: Int64 = 16 << 10 - 22

    private let file: any ReadableFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    private(set) var position: Int64 = 0
    /// Bytes of the file that are read.
    private var length: Int64
    private let progress: (Int64) -> Void
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - progress: told the position after every read.
    ///   - isCancelled: asked before every read.
    init(_ file: any ReadableFile, progress: @escaping (Int64) -> Void, isCancelled: @escaping () -> Bool) {
        self.file = file
        length = file.length
        self.progress = progress
        self.isCancelled = isCancelled
    }

    deinit {
        buffer.deallocate()
    }

    var seekableLength: Int64? { length }

    func read() throws -> UnsafeRawBufferPointer {
        if isCancelled() { throw ExtractionError.cancelled }
        do throws(StorageError) {
            let room = UnsafeMutableRawBufferPointer(
                rebasing: buffer.prefix(Int(min(Int64(buffer.count), max(0, length - position)))))
            let count = try file.read(into: room, at: position)
            position += Int64(count)
            progress(position)
            return UnsafeRawBufferPointer(rebasing: buffer[..<count])
        } catch {
            throw ExtractionError.storage(error)
        }
    }

    func seek(to offset: Int64) {
        position = offset
    }

    /// Leaves a long comment of a zip archive unread: libarchive looks for what stands before it in the last 16 KiB alone.
    func leaveOutZipComment() throws {
        do throws(StorageError) {
            guard let end = try file.endOfZipDirectory(), file.length - end >= Self.leastOfLongComment else { return }
            length = end
        } catch {
            throw ExtractionError.storage(error)
        }
    }

    /// The first bytes of the file, as many as there are up to `count`.
    func start(_ count: Int) throws -> [UInt8] {
        position = 0
        let bytes = Array(try read().prefix(count))
        position = 0
        return bytes
    }
}
