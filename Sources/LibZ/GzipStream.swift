internal import CLibZ

/// Unpacks one member of a gzip file (RFC 1952); zlib verifies its check sum and its length.
package struct GzipStream: ~Copyable {
    // zlib's state points back at its stream (zlib.h, inflateInit), so that it must stay at one address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// What became of the bytes of one call.
    package struct Step: Hashable, Sendable {
        /// Bytes taken of the input, and made in the output.
        package var taken: Int
        package var made: Int
        /// Whether the member is over, and right.
        package var isOver: Bool
    }

    package init() throws(GzipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = runner_zlib_begin_gzip(stream)
        guard code == Z_OK else { throw .damaged(code: code, text: "zlib has no memory") }
    }

    deinit {
        // A stream that could not be begun holds nothing, and inflateEnd says no more than that.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Begins the next member.
    package mutating func restart() throws(GzipError) {
        try check(inflateReset(stream))
    }

    /// Unpacks as much of `input` as fits into `output`.
    package mutating func unpack(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(GzipError) -> Step {
        let wanted = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        // zlib only reads what next_in points at, though its type says otherwise.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = wanted
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let code = inflate(stream, Z_NO_FLUSH)
        // No progress was possible: more input or more room is needed.
        if code != Z_STREAM_END, code != Z_BUF_ERROR { try check(code) }
        return Step(
            taken: Int(wanted - stream.pointee.avail_in), made: Int(room - stream.pointee.avail_out),
            isOver: code == Z_STREAM_END)
    }

    private func check(_ code: Int32) throws(GzipError) {
        guard code == Z_OK else {
            throw .damaged(code: code, text: stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
    }
}
