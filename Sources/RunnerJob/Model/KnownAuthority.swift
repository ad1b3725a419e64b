/// The beginning of a URL, scheme and authority, that libcurl has read and left as it was.
///
/// Behind it a path of plain characters is left as it is too: curl_url_set(3) encodes only what no URL may hold, and
/// resolves only dot segments. So thousands of URLs of one server need not go through libcurl one by one, which is a
/// fifth of what reading them costs.
struct KnownAuthority {
    /// `https://example.org:8443`, without the slash behind it.
    private let beginning: String
    /// The URL that was read.
    private let example: SourceURL

    /// Takes what libcurl made of a text; nil where the text has to be looked at each time.
    init?(of url: SourceURL, written text: String) {
        guard url.credentials == nil, url.url == ExactText(text), url.origin.scheme.hasPrefix("http") else {
            return nil
        }
        let authority = text.utf8.dropFirst(url.origin.scheme.utf8.count + 3)
        guard let slash = authority.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        beginning = String(text[..<slash])
        example = url
    }

    /// The URL that a text is; nil where only libcurl can tell.
    func url(_ text: String, at place: Place) -> SourceURL? {
        let known = beginning.utf8Span.span
        let bytes = text.utf8Span.span
        guard bytes.count > known.count, bytes[known.count] == UInt8(ascii: "/") else { return nil }
        for index in known.indices where known[index] != bytes[index] { return nil }
        var last = UInt8(ascii: "/")
        for index in (known.count + 1)..<bytes.count {
            let byte = bytes[index]
            guard Self.isPlain(byte) || byte == UInt8(ascii: "/") else { return nil }
            // A segment that is empty, or begins with a dot, may be one that is resolved.
            if last == UInt8(ascii: "/"), byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") { return nil }
            last = byte
        }
        return SourceURL(url: text, besides: example, place: place)
    }

    /// Whether a byte is one of the unreserved characters (RFC 3986 section 2.3).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
