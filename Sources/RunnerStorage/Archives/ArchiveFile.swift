internal import LibArchive

/// The bytes of a file, for libarchive.
final class ArchiveFile: ArchiveInput {
    /// Bytes that are read at a time.
    private static let chunk = 128 << 10

    private let file: any ReadableFile
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    private(set) var position: Int64 = 0
    private let progress: (Int64) -> Void
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - progress: told the position after every read.
    ///   - isCancelled: asked before every read.
    init(_ file: any ReadableFile, progress: @escaping (Int64) -> Void, isCancelled: @escaping () -> Bool) {
        self.file = file
        self.progress = progress
        self.isCancelled = isCancelled
    }

    deinit {
        buffer.deallocate()
    }

    var seekableLength: Int64? { file.length }

    func read() throws -> UnsafeRawBufferPointer {
        if isCancelled() { throw ExtractionError.cancelled }
        do throws(StorageError) {
            let count = try file.read(into: buffer, at: position)
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

    /// The first bytes of the file, as many as there are up to `count`.
    func start(_ count: Int) throws -> [UInt8] {
        position = 0
        let bytes = Array(try read().prefix(count))
        position = 0
        return bytes
    }
}
