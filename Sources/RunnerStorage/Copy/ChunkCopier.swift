internal import Glibc

/// Copies one chunk after the other by the best way that works.
struct ChunkCopier {
    private enum Way {
        /// Within the kernel, which may share blocks (copy_file_range(2)).
        case kernel
        /// Through a buffer, where digests are computed or the kernel cannot.
        case buffer([UInt8])
    }

    /// Bytes of a chunk: of one that no one looks at, and of one that is read.
    static let kernelChunk: Int64 = 16 << 20
    static let bufferChunk: Int64 = 1 << 20

    private let source: CopySource
    private let part: PartFile
    private let digests: DigestSet?
    private var way: Way

    init(source: CopySource, part: PartFile, digests: DigestSet?) {
        self.source = source
        self.part = part
        self.digests = digests
        way = digests == nil ? .kernel : Self.reading
    }

    private static var reading: Way { .buffer([UInt8](repeating: 0, count: Int(bufferChunk))) }

    /// Returns the number of bytes copied; 0 when the source has ended.
    mutating func copy(at offset: Int64, limit: Int64) throws(StorageError) -> Int {
        if case .kernel = way {
            let count = try part.copyInKernel(
                Int(min(limit, Self.kernelChunk)), from: source.descriptor, at: offset)
            if let count, count > 0 { return count }
            // File systems that make their content up, such as procfs, answer 0.
            way = Self.reading
        }
        guard case .buffer(var buffer) = way else { return 0 }
        // Kept out of the enum while it is written to, so that it is not copied.
        way = .kernel
        defer { way = .buffer(buffer) }
        let wanted = Int(min(limit, Self.bufferChunk))
        var span = buffer.mutableSpan
        return try span.withUnsafeMutableBytes { (bytes) throws(StorageError) in
            try pass(UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]), at: offset)
        }
    }

    private func pass(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        let count: Int
        do throws(SystemError) {
            count = try source.files.readFully(into: buffer, from: source.descriptor, at: offset)
        } catch {
            throw .sourceUnreadable(path: source.path, errno: error.code)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        try part.write(bytes, at: offset)
        try digests?.update(bytes)
        return count
    }
}

extension PartFile {
    /// Has the kernel copy into the same place of the part file; nil when it cannot.
    func copyInKernel(_ count: Int, from source: Int32, at offset: Int64) throws(StorageError) -> Int? {
        try withContent { content throws(StorageError) in
            do throws(SystemError) {
                let copied = try files.copy(count, from: source, at: offset, to: content.descriptor, at: offset)
                content.length = max(content.length, offset + Int64(copied))
                return copied
            } catch {
                switch error.code {
                case ENOSPC, EDQUOT, EFBIG: throw failure(.copy, error, content)
                // Across file systems, without support, or with an error that reading or writing tells better.
                default: return nil
                }
            }
        }
    }
}
