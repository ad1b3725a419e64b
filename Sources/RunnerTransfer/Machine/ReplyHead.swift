package import RunnerJob

/// A head that many hold, once.
package typealias SharedHead = SharedValue<ReplyHead>

/// What the head of a reply says, as far as a transfer asks.
package struct ReplyHead: Hashable, Sendable {
    package var status: Int
    package var contentLength: ContentLength = .absent
    /// Whether the body's end is marked by its framing (chunked, or HTTP/2) rather than by a length.
    package var isChunked = false
    /// Whether a field that says where the body ends is written so that readers take it differently.
    package var hasUnclearFraming = false
    package var contentRange: String?
    package var acceptRanges: String?
    package var contentType: String?
    package var contentEncoding: String?
    package var location: String?
    /// A safe name for the file, from Content-Disposition.
    package var fileName: String?
    package var etag: String?
    package var lastModified: String?
    /// Seconds since 1970; nil when the field is missing or not a date.
    package var lastModifiedTime: Int64?
    package var dateTime: Int64?
    /// Raw text of `Retry-After`, and its meaning in seconds from the reply; nil when it means nothing.
    package var retryAfter: Duration?
    /// What the server says of the requests that it will still take; nil when it says nothing.
    package var rateSignal: RateSignal?
    /// Whether the origin has answered others since this transfer was last refused, so that a refusal is about the
    /// pace of all.
    package var isFromBusyOrigin = false
    /// The proxy that wants a password (407), without user and password; nil where nobody stands between.
    package var refusingProxy: String?
    /// What the body says of the error, where it is one that a store explains.
    package var document: ErrorDocument?
    /// Fields that may carry a digest, in order of arrival; names in lower case.
    package var otherFields: [Field] = []

    package init(status: Int) {
        self.status = status
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The Content-Length of a reply (RFC 9110 section 8.6).
    package enum ContentLength: Hashable, Sendable {
        case absent
        case bytes(Int64)
        /// Two fields, or one list, that do not agree.
        case conflicting
        case invalid(String)
    }

    /// Bytes of the body as declared; nil when the head does not say.
    package var declaredLength: Int64? {
        if case .bytes(let count) = contentLength, !isChunked { return count }
        return nil
    }
}
