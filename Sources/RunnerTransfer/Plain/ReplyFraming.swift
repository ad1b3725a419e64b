/// What the head of a reply says of how long its body is and of what becomes of the connection (RFC 9112 section 6.3).
struct ReplyFraming {
    enum Version: String {
        case http10 = "1.0"
        case http11 = "1.1"
        /// What libcurl lets pass, though no connection of this kind can have it.
        case http2 = "2"
        case http3 = "3"
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
        guard let version = Version(rawValue: name) else {
            let isNumber = name.utf8.count == 3 && Double(name) != nil
            let told = isNumber ? " (\(name))" : ""
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
        var code: Int?
        for byte in text.drop(while: { $0 == UInt8(ascii: " ") }).prefix(3) {
            guard 0x30...0x39 ~= byte else { break }
            code = (code ?? 0) * 10 + Int(byte - 0x30)
        }
        return code
    }

    /// Takes a line behind the first; returns what is wrong with it.
    mutating func take(field line: UnsafeRawBufferPointer) -> ReplyReader.Flaw? {
        if line.contains(0) { return Self.weird("Nul byte in header") }
        // A folded line goes on with the field before it (RFC 9112 section 5.2); none that matters here is folded.
        if line[0] == 0x20 || line[0] == 0x09 { return nil }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return Self.weird("Header without colon") }
        let name = line[..<colon]
        let value = line[(colon + 1)...]
        switch colon {
        case 10 where Self.isName(name, "connection"): takeConnection(value)
        case 14 where Self.isName(name, "content-length"): return takeLength(value)
        case 17 where Self.isName(name, "transfer-encoding"): takeCoding(value)
        default: break
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
        var number: Int64 = 0
        var digits = 0
        for byte in value.drop(while: { $0 == 0x20 || $0 == 0x09 }) {
            guard 0x30...0x39 ~= byte else { break }
            digits += 1
            let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflowToo) = tens.addingReportingOverflow(Int64(byte - 0x30))
            // No length that can be; the end of the connection ends the body.
            if overflow || overflowToo { return nil }
            number = sum
        }
        guard digits > 0 else { return Self.weird("Invalid Content-Length: value") }
        length = number
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
            let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
            var word = word.drop(while: isBlank)
            while let last = word.last, isBlank(last) { word = word.dropLast() }
            return String(decoding: word, as: UTF8.self).lowercased()
        }
    }

    /// - Parameter lowercase: of letters and hyphens.
    private static func isName(_ name: Slice<UnsafeRawBufferPointer>, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { wanted in
            name.count == wanted.count && zip(name, wanted).allSatisfy { $0 | 0x20 == $1 }
        }
    }

    private static func weird(_ text: String) -> ReplyReader.Flaw { ReplyReader.Flaw(code: 8, text: text) }
}
