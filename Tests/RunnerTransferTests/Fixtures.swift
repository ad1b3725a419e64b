import RunnerJob
import RunnerTransfer
import Testing

/// Short ways to the values that the pure parts of a transfer take.
enum Sample {
    static let place = Place(line: 1, column: 1)

    static func url(_ text: String) throws -> SourceURL {
        try SourceURL(text, at: place)
    }

    /// A head with what a test cares about; the rest is absent.
    static func head(
        _ status: Int, length: Int64? = nil, range: String? = nil, etag: String? = nil,
        change: (inout ReplyHead) -> Void = { _ in }
    ) -> ReplyHead {
        var head = ReplyHead(status: status)
        if let length { head.contentLength = .bytes(length) }
        head.contentRange = range
        head.etag = etag
        head.acceptRanges = "bytes"
        change(&head)
        return head
    }

    static let modified = "Mon, 01 Jan 2024 00:00:00 GMT"
    static let otherModified = "Tue, 02 Jan 2024 00:00:00 GMT"
}

/// A rest of a file that is asked for: byte 500 of 1000 on, under the tag `"v1"`.
extension RequestGoal {
    static func rest(
        from offset: Int64 = 500, of total: Int64? = 1000, etag: String? = "\"v1\"", lastModified: String? = nil
    ) -> RequestGoal {
        let validator = Validator(etag: etag, lastModified: lastModified)
        return RequestGoal(
            source: 0, offset: offset, ifRange: validator.ifRange(preferDate: false), validator: validator,
            knownTotal: total)
    }

    static let whole = RequestGoal(source: 0)
}
