/// Finds head, body and trailer of a reply in the bytes of a connection of HTTP/1 (RFC 9112).
///
/// Pure: it is handed bytes as they come, in pieces of any size, and takes what it calls flawed as libcurl 7.88 does, with
/// its codes (libcurl-errors(3)) and its words, so that a fault reads the same whoever read the reply.
struct ReplyReader {
    /// What comes next in the bytes.
    enum Step {
        /// A line of a head or of a trailer, with its end; it is taken.
        case line(Line)
        /// Bytes of the body; they are taken by ``took(_:of:)``.
        case body(UnsafeRawBufferPointer)
        /// All bytes are taken, and more have to come.
        case more
        /// The reply is whole; what is left belongs to no reply.
        case end
        case flaw(Flaw)
    }

    enum Line {
        case whole(UnsafeRawBufferPointer)
        /// Its bytes came in several pieces.
        case joined([UInt8])
    }

    struct Flaw: Hashable {
        /// CURLcode.
        var code: Int32
        var text: String
    }

    /// What the end of the connection means.
    enum Ending: Hashable {
        case whole
        /// Not a byte of a reply has come.
        case nothing
        case flaw(Flaw)
    }

    private enum Phase {
        case statusLine
        case fields
        case sized(rest: Int64)
        case untilClose
        case chunkSize(Int64, digits: Int)
        /// Behind the digits of a chunk's size up to the end of the line: its extensions, which mean nothing here.
        case chunkExtension(Int64)
        case chunk(rest: Int64)
        case chunkEnd
        case trailer
        case whole
    }

    private var phase = Phase.statusLine
    private var framing = ReplyFraming()
    /// The beginning of a line whose end has not come.
    private var held: [UInt8] = []
    private var hasLine = false
    /// The longest line, as in libcurl (CURL_MAX_HTTP_HEADER).
    static let longestLine = 100 << 10
    /// All heads of a reply together, as in libcurl from 8.3 on (MAX_HTTP_RESP_HEADER_SIZE).
    static let longestHead = 300 << 10
    private var headLength = 0
    private static let mostDigits = 16

    /// Whether the reply has come to its end.
    var isWhole: Bool {
        switch phase {
        case .whole, .sized(0): true
        default: false
        }
    }

    /// Whether the body has not begun.
    var isInHead: Bool {
        switch phase {
        case .statusLine, .fields: true
        default: false
        }
    }

    /// Whether no line of a reply has come; libcurl calls less than one nothing (`Curl_retry_request`, lib/transfer.c).
    var isUntouched: Bool { !hasLine }
    /// What the first line calls it; nil before that.
    var version: String? { framing.version?.rawValue }
    /// Whether another request can go over the connection when the reply is whole (RFC 9112 section 9.3).
    var keepsConnection: Bool { framing.isPersistent }

    /// The next step; lines are taken from the front of `bytes`.
    mutating func next(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        while true {
            switch phase {
            case .statusLine, .fields, .trailer:
                if let step = nextLine(&bytes) { return step }
            case .sized(0):
                phase = .whole
            case .sized(let rest), .chunk(let rest):
                guard !bytes.isEmpty else { return .more }
                return .body(UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(min(rest, Int64(bytes.count))))))
            case .untilClose:
                return bytes.isEmpty ? .more : .body(bytes)
            case .chunkSize, .chunkExtension, .chunkEnd:
                guard let byte = bytes.first else { return .more }
                bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
                if let flaw = takeChunkByte(byte) { return .flaw(flaw) }
            case .whole:
                return .end
            }
        }
    }

    /// Bytes that are sure to be of the body, whatever they are; 0 where the next ones have to be looked at.
    var bodyAhead: Int64 {
        switch phase {
        case .sized(let rest): rest
        case .untilClose: .max
        default: 0
        }
    }

    /// So many bytes of the body were read beside this reader.
    mutating func skipped(_ count: Int) {
        if case .sized(let rest) = phase { phase = .sized(rest: rest - Int64(count)) }
    }

    /// So many bytes of the body were made use of.
    mutating func took(_ count: Int, of bytes: inout UnsafeRawBufferPointer) {
        bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
        switch phase {
        case .sized(let rest): phase = .sized(rest: rest - Int64(count))
        case .chunk(let rest): phase = rest == Int64(count) ? .chunkEnd : .chunk(rest: rest - Int64(count))
        default: break
        }
    }

    /// The server has closed the connection.
    func ending() -> Ending {
        switch phase {
        case .untilClose, .whole, .sized(0): .whole
        // A head that does not end says nothing; libcurl takes it for a reply all the same.
        case .statusLine, .fields: hasLine ? .whole : .nothing
        case .sized(let rest): .flaw(Flaw(code: 18, text: "transfer closed with \(rest) bytes remaining to read"))
        case .chunkSize, .chunkExtension, .chunk, .chunkEnd, .trailer:
            .flaw(Flaw(code: 18, text: "transfer closed with outstanding read data remaining"))
        }
    }

    // MARK: - Lines

    private mutating func nextLine(_ bytes: inout UnsafeRawBufferPointer) -> Step? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            held += bytes
            bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.endIndex...])
            if case .statusLine = phase, !held.withUnsafeBytes(Self.mayBeStatusLine) { return .flaw(Self.noHTTP) }
            return held.count > Self.longestLine ? .flaw(tooLarge) : .more
        }
        let piece = UnsafeRawBufferPointer(rebasing: bytes[...end])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        guard !held.isEmpty else {
            if let flaw = take(line: piece) { return .flaw(flaw) }
            return .line(.whole(piece))
        }
        let line = held + piece
        held = []
        if let flaw = line.withUnsafeBytes({ take(line: $0) }) { return .flaw(flaw) }
        return .line(.joined(line))
    }

    private mutating func take(line: UnsafeRawBufferPointer) -> Flaw? {
        if line.count > Self.longestLine { return tooLarge }
        let isEmpty = line.count == 1 || line.count == 2 && line[0] == UInt8(ascii: "\r")
        switch phase {
        case .statusLine:
            guard Self.mayBeStatusLine(line) else { return Self.noHTTP }
            framing = ReplyFraming()
            // Interim heads count too, lest they come for ever.
            headLength += line.count
            if let flaw = framing.take(statusLine: line) { return flaw }
            phase = .fields
        case .fields:
            headLength += line.count
            if headLength > Self.longestHead { return tooLarge }
            if isEmpty {
                if let flaw = endHead() { return flaw }
            } else if let flaw = framing.take(field: line) {
                return flaw
            }
        case .trailer:
            if isEmpty {
                phase = .whole
            } else if !line.contains(UInt8(ascii: ":")) {
                return Flaw(code: 43, text: "Failed reading the chunked-encoded stream")
            }
        default: break
        }
        hasLine = true
        return nil
    }

    private mutating func endHead() -> Flaw? {
        // Nobody asked for one (RFC 9112 section 7.4).
        if framing.hasUnknownCoding { return Self.unknownCoding }
        switch framing.body {
        case .interim: phase = .statusLine
        case .none: phase = .whole
        case .sized(let count): phase = .sized(rest: count)
        case .chunked: phase = .chunkSize(0, digits: 0)
        case .untilClose: phase = .untilClose
        }
        return nil
    }

    /// Whether bytes may be the beginning of a status line, as far as they go.
    private static func mayBeStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        zip(line, "HTTP/".utf8).allSatisfy { $0 == $1 } && (line.count >= 5 || !line.contains(UInt8(ascii: "\n")))
    }

    static let unknownCoding = Flaw(code: 61, text: "Unrecognized transfer encoding")
    private static let noHTTP = Flaw(code: 1, text: "Received HTTP/0.9 when not allowed")
    private var tooLarge: Flaw {
        if case .trailer = phase { return Self.chunkFlaw("Out of memory") }
        return Flaw(code: 27, text: "Out of memory")
    }

    // MARK: - Chunks (RFC 9112 section 7.1)

    private mutating func takeChunkByte(_ byte: UInt8) -> Flaw? {
        switch phase {
        case .chunkSize(let size, let digits):
            if let digit = Self.hexValue(byte) {
                guard digits < Self.mostDigits, size <= Int64.max >> 4 else {
                    return Self.chunkFlaw("Too long hexadecimal number")
                }
                phase = .chunkSize(size << 4 | digit, digits: digits + 1)
            } else if digits == 0 {
                return Self.chunkFlaw("Illegal or missing hexadecimal sequence")
            } else {
                phase = .chunkExtension(size)
                return takeChunkByte(byte)
            }
        case .chunkExtension(let size):
            if byte == UInt8(ascii: "\n") { phase = size == 0 ? .trailer : .chunk(rest: size) }
        case .chunkEnd:
            if byte == UInt8(ascii: "\n") {
                phase = .chunkSize(0, digits: 0)
            } else if byte != UInt8(ascii: "\r") {
                return Self.chunkFlaw("Malformed encoding found")
            }
        default: break
        }
        return nil
    }

    private static func hexValue(_ byte: UInt8) -> Int64? {
        switch byte {
        case 0x30...0x39: Int64(byte - 0x30)
        case 0x41...0x46: Int64(byte - 0x41 + 10)
        case 0x61...0x66: Int64(byte - 0x61 + 10)
        default: nil
        }
    }

    private static func chunkFlaw(_ what: String) -> Flaw { Flaw(code: 56, text: "\(what) in chunked-encoding") }
}
