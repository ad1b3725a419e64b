/// Why a stream of gzip cannot be unpacked.
package enum GzipError: Error, Hashable, Sendable {
    /// zlib refused; `code` is its own (zlib.h), `text` its words.
    case damaged(code: Int32, text: String)
    /// The stream ended before its check sum.
    case cutShort
}
