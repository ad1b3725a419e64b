/// Bytes on the disk that can be read at any offset: a part file, or a file that is in place.
package protocol ReadableFile: Sendable {
    /// Bytes.
    var length: Int64 { get }
    /// Returns the number of bytes read, less than the buffer holds only at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int
}

extension PartFile: ReadableFile {}

extension ReadableFile {
    /// The first bytes of the file, at most `count`.
    package func firstBytes(_ count: Int) throws(StorageError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: max(count, 0))
        var span = buffer.mutableSpan
        let done = try span.withUnsafeMutableBytes { (bytes) throws(StorageError) in try read(into: bytes, at: 0) }
        if done < buffer.count { buffer.removeLast(buffer.count - done) }
        return buffer
    }
}
