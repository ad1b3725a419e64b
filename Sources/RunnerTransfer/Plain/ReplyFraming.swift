/// What the head of a reply says of how long its body is and of what becomes of the connection (RFC 9112 section 6.3).
struct ReplyFraming {
    enum Version: String {
        case http10 = "1.0"
        case http11 = "1.1"
        /// What libcurl lets pass, though no connection of this kind can have it.
        case http2 = "2"
    }

    enum Body: Hashable {
        /// None; another head follows (RFC 9110 section 15.2).
        case interim
        case none
        case sized(Int64)
        case chunked
        case untilClose
    }

    private(set) var version: Version?
    private var status = 0
    private var length: Int64?
    private var isChunked = false
    /// Whether the body is coded in a way that is not read here.
    private(set) var hasUnknownCoding = false
    private var isClosed = false
    private var isKept = false

    /// Takes the first line, which begins with `HTTP/`; returns what is wrong with it.
    mutating func take(statusLine line: UnsafeRawBufferPointer) -> ReplyReader.Flaw? {
        let rest = line.dropFirst(5)
        let words = rest.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let code = Self.statusCode(words[1]) else {
            return ReplyReader.Flaw(code: 1, text: "Unsupported HTTP version in response")
        }
        let name = String(decoding: words[0], as: UTF8.self)
        guard let version = name == "2.0" ? .http2 : Version(rawValue: name) else {
            // libcurl knows of HTTP/3 and calls it so.
            let number = name == "3" ? "3.0" : name
            let told = number.utf8.count == 3 && Double(number) != nil ? " (\(number))" : ""
            return ReplyReader.Flaw(code: 1, text: "Unsupported HTTP version\(told) in response")
        }
        guard code >= 100 else {
            return ReplyReader.Flaw(code: 1, text: "Unsupported response code in HTTP response")
        }
        (self.version, status) = (version, code)
        return nil
    }

    /// Three digits, or fewer; nil where there is none.
    private static func statusCode(_ text: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = text.drop { $0 == UInt8(ascii: " ") }.prefix(3).prefix { 0x30...0x39 ~= $0 }
        return HeadParser.number(digits).map { Int($0) }
    }

    /// Takes a line behind the first; returns what is wrong with it.
    mutating func take(field line: UnsafeRawBufferPointer) -> ReplyReader.Flaw? {
        if line.contains(0) { return Self.weird("Nul byte in header") }
        // A folded line goes on with the field before it (RFC 9112 section 5.2); none that matters here is folded.
        if line[0] == 0x20 || line[0] == 0x09 { return nil }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return Self.weird("Header without colon") }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        // libcurl takes it for the end of the line (Curl_headers_push in its lib/headers.c).
        if name.contains(0x0D) {
            return ReplyReader.Flaw(code: 43, text: "A libcurl function was given a bad argument")
        }
        let value = line[(colon + 1)...]
        if HeadField.isEqual(name, "connection") {
            takeConnection(value)
        } else if HeadField.isEqual(name, "content-length") {
            return takeLength(value)
        } else if HeadField.isEqual(name, "transfer-encoding") {
            takeCoding(value)
        }
        return nil
    }

    var body: Body {
        if status < 200 { return .interim }
        if status == 204 || status == 304 { return .none }
        if isChunked { return .chunked }
        if let length { return .sized(length) }
        return .untilClose
    }

    /// Whether another request can go over the connection afterwards.
    ///
    /// Who says both how long a body is and that it comes in chunks is not to be trusted with another
    /// (RFC 9112 section 6.3).
    var isPersistent: Bool {
        if isClosed || body == .untilClose || isChunked && length != nil { return false }
        return version == .http11 || version == .http10 && isKept
    }

    private mutating func takeConnection(_ value: Slice<UnsafeRawBufferPointer>) {
        for word in Self.words(value) {
            if word == "close" { isClosed = true }
            if word == "keep-alive" { isKept = true }
        }
    }

    private mutating func takeLength(_ value: Slice<UnsafeRawBufferPointer>) -> ReplyReader.Flaw? {
        let digits = value.drop { $0 == 0x20 || $0 == 0x09 }.prefix { 0x30...0x39 ~= $0 }
        if digits.isEmpty { return Self.weird("Invalid Content-Length: value") }
        // One that is too large is no length that can be; the end of the connection ends the body.
        if let number = HeadParser.number(digits) { length = number }
        return nil
    }

    private mutating func takeCoding(_ value: Slice<UnsafeRawBufferPointer>) {
        for word in Self.words(value) {
            switch word {
            case "chunked": isChunked = true
            case "identity", "": break
            default: hasUnknownCoding = true
            }
        }
    }

    /// The parts of a list in lower case (RFC 9110 section 5.6.1).
    private static func words(_ value: Slice<UnsafeRawBufferPointer>) -> [String] {
        value.split(separator: UInt8(ascii: ",")).map { word in
            let word = HeadParser.trimmed(UnsafeRawBufferPointer(rebasing: word))
            return String(decoding: word, as: UTF8.self).lowercased()
        }
    }

    private static func weird(_ text: String) -> ReplyReader.Flaw { ReplyReader.Flaw(code: 8, text: text) }
}
