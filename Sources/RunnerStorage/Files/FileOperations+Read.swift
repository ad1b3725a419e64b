extension FileOperations {
    /// Reads until the buffer is full or the file ends; returns the number of bytes.
    func readFully(
        into buffer: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int64
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try read(into: rest, from: file, at: offset &+ Int64(done))
            if count <= 0 { break }
            done += count
        }
        return done
    }
}
