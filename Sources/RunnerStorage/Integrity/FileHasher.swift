package import RunnerJob

/// Reads what lies on the disk into digests.
package enum FileHasher {
    /// Bytes read at once: few enough to be hashed from the processor's own cache.
    static let chunk = 256 << 10

    /// Adds `count` bytes of a file, from `start` on, to `digests`.
    ///
    /// - Parameter isCancelled: asked before every chunk.
    /// - Returns: the number of bytes added, less than `count` when the file is shorter; nil when cancelled.
    package static func add(
        _ count: Int64, bytesOf file: some ReadableFile, from start: Int64 = 0, to digests: DigestSet,
        isCancelled: () -> Bool = { false }
    ) throws(StorageError) -> Int64? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(min(Int64(chunk), max(count, 1))), alignment: 16)
        defer { buffer.deallocate() }
        var done: Int64 = 0
        while done < count {
            if isCancelled() { return nil }
            let wanted = Int(min(Int64(chunk), count - done))
            let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: start + done)
            try digests.update(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
            done += Int64(read)
            if read < wanted { break }
        }
        return done
    }

    /// The digests of a whole file, as long as it is now; nil when cancelled.
    package static func digests(
        of file: some ReadableFile, by algorithms: [DigestAlgorithm], isCancelled: () -> Bool = { false }
    ) throws(StorageError) -> [DigestAlgorithm: Digest]? {
        let set = try DigestSet(algorithms)
        guard try add(file.length, bytesOf: file, to: set, isCancelled: isCancelled) != nil else { return nil }
        return try set.finalize()
    }
}
