import Testing

@testable import RunnerTransfer

/// What a reader makes of the bytes of a connection, however they are cut.
@Suite struct ReplyReaderTests {
    /// What came of all bytes and the end of the connection behind them.
    struct Reading: Equatable, CustomStringConvertible {
        var lines: [String] = []
        var body = ""
        var end = ""
        /// Bytes behind the reply.
        var left = ""
        var keeps = false

        var description: String { "\(lines) \(body) \(end) \(left) \(keeps)" }
    }

    static func read(_ text: String, pieces: Int) -> Reading {
        var reader = ReplyReader()
        var reading = Reading()
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count, reading.end.isEmpty {
            let piece = bytes[start..<min(start + pieces, bytes.count)]
            piece.withUnsafeBytes { read($0, by: &reader, into: &reading) }
            start += piece.count
        }
        if reading.end == "end" { reading.left += String(decoding: bytes[start...], as: UTF8.self) }
        if reading.end.isEmpty {
            switch reader.ending() {
            case .whole: reading.end = "closed"
            case .nothing: reading.end = "nothing"
            case .flaw(let flaw): reading.end = "\(flaw.code) \(flaw.text)"
            }
        }
        reading.keeps = reader.keepsConnection
        return reading
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, by reader: inout ReplyReader, into reading: inout Reading
    ) {
        var rest = bytes
        while true {
            switch reader.next(&rest) {
            case .line(.whole(let line)): reading.lines.append(String(decoding: line, as: UTF8.self))
            case .line(.joined(let line)): reading.lines.append(String(decoding: line, as: UTF8.self))
            case .body(let piece):
                reading.body += String(decoding: piece, as: UTF8.self)
                reader.took(piece.count, of: &rest)
            case .more: return
            case .end:
                reading.end = "end"
                reading.left = String(decoding: rest, as: UTF8.self)
                return
            case .flaw(let flaw):
                reading.end = "\(flaw.code) \(flaw.text)"
                reading.left = ""
                return
            }
        }
    }

    static let ok = "HTTP/1.1 200 OK\r\n"

    /// A reply, its body, how it ends, and whether the connection is good for another request.
    static let replies: [(reply: String, body: String, end: String, keeps: Bool)] = [
        // Lengths (RFC 9112 section 6.3).
        (ok + "Content-Length: 5\r\n\r\nhello", "hello", "end", true),
        (ok + "content-length:5\r\n\r\nhello", "hello", "end", true),
        (ok + "Content-Length: 0\r\n\r\n", "", "end", true),
        (ok + "Content-Length: 5, 5\r\n\r\nhello", "hello", "end", true),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", "hi", "end", true),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", "", "end", true),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "", "end", true),
        (ok + "\r\nall of it", "all of it", "closed", false),
        (ok + "Content-Length: 99999999999999999999\r\n\r\nx", "x", "closed", false),
        (ok + "Content-Length: 5\r\n\r\nhel", "hel", "18 transfer closed with 2 bytes remaining to read", true),
        (ok + "Content-Length: -5\r\n\r\n", "", "8 Invalid Content-Length: value", false),
        (ok + "Content-Length: five\r\n\r\n", "", "8 Invalid Content-Length: value", false),
        // Whether the connection stays (RFC 9112 section 9.3).
        (ok + "Connection: close\r\nContent-Length: 1\r\n\r\nx", "x", "end", false),
        (ok + "Connection: foo, Close\r\nContent-Length: 1\r\n\r\nx", "x", "end", false),
        ("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "x", "end", false),
        ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nx", "x", "end", true),
        ("HTTP/2 200\r\nContent-Length: 1\r\n\r\nx", "x", "end", false),
        ("HTTP/2.0 200 OK\r\nContent-Length: 1\r\n\r\nx", "x", "end", false),
        // Chunks (RFC 9112 section 7.1).
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello", "end", true),
        (ok + "Transfer-Encoding: Chunked\r\n\r\n3;a=\"b\"\r\nhel\r\n02 \r\nlo\r\n0\r\n\r\n", "hello", "end", true),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\nhello\n0\n\n", "hello", "end", true),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nDigest: x\r\n\r\n", "hello", "end", true),
        (ok + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi", "hi", "end", true),
        // Both a length and chunks: the chunks count, and the connection is not to be trusted (RFC 9112 section 6.3).
        (
            ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello", "end",
            false
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello", "hello",
            "18 transfer closed with outstanding read data remaining", true
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", "hello",
            "18 transfer closed with outstanding read data remaining", true
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\nhello", "",
            "56 Illegal or missing hexadecimal sequence in chunked-encoding", true
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX", "hello",
            "56 Malformed encoding found in chunked-encoding", true
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\n", "",
            "56 Too long hexadecimal number in chunked-encoding", true
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nno field\r\n\r\n", "",
            "43 Failed reading the chunked-encoded stream", true
        ),
        (ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", "", "61 Unrecognized transfer encoding", true),
        // Interim replies (RFC 9110 section 15.2).
        (
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 9\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi",
            "hi", "end", true
        ),
        // What is no reply.
        ("", "", "nothing", false),
        ("HTTP/1.1 200 O", "", "nothing", false),
        ("HTTP/1.1 200 OK\r\nA: b\r\n", "", "closed", false),
        ("hello\r\n", "", "1 Received HTTP/0.9 when not allowed", false),
        ("HT\r\n", "", "1 Received HTTP/0.9 when not allowed", false),
        ("<html>", "", "1 Received HTTP/0.9 when not allowed", false),
        ("HTTP/1.2 200 OK\r\n", "", "1 Unsupported HTTP version (1.2) in response", false),
        ("HTTP/3 200 OK\r\n", "", "1 Unsupported HTTP version (3.0) in response", false),
        ("HTTP/1.1\t200 OK\r\n", "", "1 Unsupported HTTP version in response", false),
        ("HTTP/1.1 20x OK\r\n", "", "1 Unsupported response code in HTTP response", false),
        ("HTTP/1.1 OK\r\n", "", "1 Unsupported HTTP version in response", false),
        (ok + "no field\r\n", "", "8 Header without colon", false),
        (ok + "A: b\u{0}c\r\n", "", "8 Nul byte in header", false),
        (ok + "Content\rLength: 2\r\n\r\n", "", "43 A libcurl function was given a bad argument", false),
    ]

    @Test(arguments: replies)
    func aReplyIsReadTheSameInPiecesOfAnySize(_ reply: String, body: String, end: String, keeps: Bool) {
        let whole = Self.read(reply, pieces: .max)
        #expect(whole.body == body)
        #expect(whole.end == end)
        #expect(whole.keeps == keeps)
        #expect(whole.left.isEmpty)
        for size in [1, 2, 3, 7] { #expect(Self.read(reply, pieces: size) == whole, "in pieces of \(size)") }
    }

    @Test func linesAreHandedOnAsTheyCame() {
        let reply = Self.ok + "A: b\r\n c\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nD: e\r\n\r\n"
        let lines = [
            Self.ok, "A: b\r\n", " c\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", "D: e\r\n", "\r\n",
        ]
        #expect(Self.read(reply, pieces: .max).lines == lines)
        #expect(Self.read(reply, pieces: 1).lines == lines)
    }

    /// They may be the answer to a request that was smuggled in; nobody asked for them here.
    @Test func bytesBehindAReplyAreLeft() {
        let reading = Self.read(Self.ok + "Content-Length: 2\r\n\r\nhi!", pieces: .max)
        #expect(reading.body == "hi")
        #expect(reading.left == "!")
    }

    @Test func aHeadIsNotReadForEver() {
        let long = String(repeating: "x", count: ReplyReader.longestLine)
        #expect(Self.read(Self.ok + "A: " + long, pieces: 4096).end == "27 Out of memory")
        #expect(Self.read(Self.ok + "A: " + long + "\r\n", pieces: .max).end == "27 Out of memory")
        let line = "A: " + String(repeating: "x", count: 1000) + "\r\n"
        let many = String(repeating: line, count: ReplyReader.longestHead / 1000)
        #expect(Self.read(Self.ok + many, pieces: 4096).end == "27 Out of memory")
        let interim = "HTTP/1.1 102 Processing\r\n\r\n"
        let flood = String(repeating: interim, count: ReplyReader.longestHead / interim.utf8.count + 1)
        #expect(Self.read(flood, pieces: 4096).end == "27 Out of memory")
    }

    @Test func aTooLongLineBehindTheBodyIsTheServersFault() {
        let start = Self.ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nA: "
        let long = String(repeating: "x", count: ReplyReader.longestLine)
        #expect(Self.read(start + long, pieces: 4096).end == "56 Out of memory in chunked-encoding")
        #expect(Self.read(start + long + "\r\n", pieces: .max).end == "56 Out of memory in chunked-encoding")
    }

    @Test func theRestOfABodyMayBeReadElsewhere() {
        var reader = ReplyReader()
        let head = Array((Self.ok + "Content-Length: 10\r\n\r\n123").utf8)
        head.withUnsafeBytes { bytes in
            var rest = bytes
            while true {
                switch reader.next(&rest) {
                case .line: continue
                case .body(let piece): reader.took(piece.count, of: &rest)
                default: return
                }
            }
        }
        #expect(reader.bodyAhead == 7)
        reader.skipped(6)
        #expect(reader.bodyAhead == 1)
        #expect(!reader.isWhole)
        #expect(reader.ending() == .flaw(.init(code: 18, text: "transfer closed with 1 bytes remaining to read")))
        reader.skipped(1)
        #expect(reader.isWhole)
        #expect(reader.keepsConnection)
    }
}
