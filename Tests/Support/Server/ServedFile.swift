import Glibc

/// A file of the well-behaved server: its bytes and the fields that describe them.
package struct ServedFile: Sendable {
    /// The bytes.
    package var content: Content
    /// The entity tag with its quotes (and `W/` when weak); `nil` sends none.
    package var etag: String?
    /// The time of the last change in seconds since 1970; `nil` sends no Last-Modified.
    package var modified: Int?
    /// The Content-Type; `nil` sends none.
    package var type: String?
    /// Whether Range is honoured and Accept-Ranges sent.
    package var acceptsRanges: Bool

    /// Describes a file; without an `etag` of its own it gets a strong one made from the content.
    package init(
        _ content: Content,
        etag: String? = "auto",
        modified: Int? = 1_700_000_000,
        type: String? = "application/octet-stream",
        acceptsRanges: Bool = true
    ) {
        self.content = content
        self.etag = etag == "auto" ? ServedFile.tag(of: content) : etag
        self.modified = modified
        self.type = type
        self.acceptsRanges = acceptsRanges
    }

    /// A file of a text.
    package static func text(_ text: String) -> ServedFile {
        ServedFile(.text(text), type: "text/plain")
    }

    private static func tag(of content: Content) -> String {
        switch content {
        case .bytes(let bytes):
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return "\"\(String(hash, radix: 16))\""
        case .pattern(let pattern):
            return "\"\(pattern.count)-\(pattern.seed)\""
        case .file(let path, let count):
            var status = stat()
            stat(path, &status)
            return "\"\(count)-\(status.st_mtim.tv_sec)-\(status.st_mtim.tv_nsec)\""
        }
    }
}

/// Times in the form of RFC 9110, 5.6.7.
package enum HTTPDate {
    /// The text for a time in seconds since 1970, such as `Tue, 14 Nov 2023 22:13:20 GMT`.
    package static func text(_ seconds: Int) -> String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var time = time_t(seconds)
        var fields = tm()
        gmtime_r(&time, &fields)
        let clock = [fields.tm_hour, fields.tm_min, fields.tm_sec].map(twoDigits).joined(separator: ":")
        let date = "\(twoDigits(fields.tm_mday)) \(months[Int(fields.tm_mon)]) \(1900 + fields.tm_year)"
        return "\(days[Int(fields.tm_wday)]), \(date) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
