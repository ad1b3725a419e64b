/// How a connection ends when a script breaks it off.
package enum Ending: Sendable {
    /// The orderly end of TCP; under TLS without the closing alert, as a dying server does it.
    case fin
    /// A reset: what the client has not read yet is lost (`SO_LINGER` 0).
    case reset
}

/// One order of a script about one reply; their sequence matters only for repeated fields.
///
/// Without orders, a path that has a file is answered well, and any other path with 404.
/// Byte counts of `stall`, `cut` and `badChunk` are those of the body, without chunk framing.
package enum Step: Sendable {
    /// Answer with this status; outside 200 and 206 the body is a short text unless `content` gives another.
    case status(Int)
    /// Send this field, in place of one of the same name that the good reply would have.
    case header(String, String)
    /// Send this field in addition to any other of its name.
    case addHeader(String, String)
    /// Send this field behind the body, which is chunked then.
    case trailer(String, String)
    /// Leave this field out.
    case withoutHeader(String)
    /// Send this body; Range works on it as on a file.
    case content(Content)
    /// Answer as if the file were this one (its tag, its time, its bytes).
    case file(ServedFile)
    /// Send another entity tag than the file has; given with its quotes.
    case etag(String)
    /// Redirect to this target.
    case redirect(to: String, status: Int = 302)
    /// Send a Retry-After field.
    case retryAfter(String)
    /// Send an interim reply such as 103 first.
    case informational(Int)
    /// Behave as a server that knows no Range: 200 and everything.
    case ignoreRange
    /// Send this Content-Range, whatever bytes follow.
    case contentRange(String)
    /// Send from this offset, whatever was asked for; the fields stay as they would be.
    case bodyFrom(Int)
    /// Declare this Content-Length, whatever is sent; the connection is closed after the body.
    case contentLength(Int)
    /// Declare no length; the end of the connection ends the body.
    case noLength
    /// Send the body in chunks of this size.
    case chunked(size: Int = 4096)
    /// Send the body in chunks, and after so many bytes a chunk line that is not one.
    case badChunk(after: Int)
    /// Send the body in chunks and close without the last one.
    case chunkedWithoutEnd
    /// Send the body at this pace.
    case trickle(bytesPerSecond: Int)
    /// Wait before the head until the gate opens, or for ever.
    case hold(until: Gate? = nil)
    /// After so many body bytes wait until the gate opens, or for ever.
    case stall(after: Int, until: Gate? = nil)
    /// Send an urgent byte (tcp(7)), which is none of the body, behind so many bytes of it.
    case urgentByte(after: Int)
    /// Break off after so many body bytes.
    case cut(after: Int, by: Ending = .fin)
    /// Break off after so many bytes of the head.
    case cutHead(after: Int, by: Ending = .fin)
    /// Close without a byte.
    case drop(by: Ending = .fin)
    /// Send exactly these bytes and close.
    case raw([UInt8])
    /// Give a whole reply that promises a lasting connection, then close at once.
    case closeAfterReply
    /// Send a new ticket of TLS (RFC 8446 section 4.6.1) behind the reply, then open the gate.
    case ticketAfterReply(opening: Gate)
    /// Say `Connection: close` and close after the reply.
    case connectionClose
}

extension Step {
    /// Sends exactly this text and closes.
    package static func raw(_ text: String) -> Step {
        .raw(Array(text.utf8))
    }
}
