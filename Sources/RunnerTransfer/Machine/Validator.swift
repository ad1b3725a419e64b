/// What tells whether a file on a server is still the one that a part came from.
package struct Validator: Hashable, Sendable {
    /// A strong entity tag, with its quotes (RFC 9110 section 8.8.3).
    package var etag: String?
    /// A `Last-Modified` that is good as a strong validator.
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Takes what is strong out of a reply.
    ///
    /// A weak tag is none. A date counts only when it is at least a minute older than the reply itself
    /// (RFC 9110 section 8.8.2.2): within that time a file can change twice and keep its date.
    package init(_ head: ReplyHead) {
        if let tag = head.etag, Self.isStrong(tag) { etag = tag }
        if let text = head.lastModified, let modified = head.lastModifiedTime, let date = head.dateTime,
            date.subtractingReportingOverflow(60).partialValue >= modified
        {
            lastModified = text
        }
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The value for `If-Range`; nil when there is none that may be used.
    package func ifRange(preferDate: Bool) -> String? {
        preferDate ? lastModified ?? etag : etag ?? lastModified
    }

    /// Whether a reply names another version of the file than this one does.
    package func differs(from head: ReplyHead) -> Bool {
        if let etag, let other = head.etag {
            return etag != other
        }
        if let lastModified, let other = head.lastModified {
            return lastModified != other
        }
        return false
    }

    /// Whether a reply has nothing of what this one knows the file by.
    func isMissing(in head: ReplyHead) -> Bool {
        !isEmpty && (etag == nil || head.etag == nil) && (lastModified == nil || head.lastModified == nil)
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.last == UInt8(ascii: "\"")
    }
}
