import Testing

@testable import RunnerTransfer

@Suite struct HeadParserTests {
    /// The heads that a sequence of lines gives.
    static func heads(_ lines: [String]) -> [ReplyHead] {
        var parser = HeadParser()
        return lines.compactMap { line in Array(line.utf8).withUnsafeBytes { parser.take($0) } }
    }

    /// The head of a reply with these fields.
    static func head(_ fields: [String], status: String = "HTTP/1.1 200 OK") throws -> ReplyHead {
        let heads = heads(([status] + fields + [""]).map { $0 + "\r\n" })
        try #require(heads.count == 1)
        return heads[0]
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 404 Not Found", 404), ("HTTP/2 206 ", 206), ("HTTP/2 206", 206),
        ("HTTP/1.1 200", 200), ("HTTP/1.1  503  Too  many", 503), ("HTTP/3 999 x", 999),
    ])
    func theStatusIsTheSecondWord(_ line: String, status: Int) throws {
        #expect(try Self.head([], status: line).status == status)
    }

    /// A fold, and a blank before the colon, are read differently by different programs (RFC 9112 sections 5.1 and 5.2).
    @Test(arguments: [
        (["Transfer-Encoding:", " chunked"], true), (["Transfer-Encoding: chunked", "\t, x"], true),
        (["transfer-encoding : chunked"], true), (["Content-Length:", " 5"], true), (["Content-Length\t: 5"], true),
        (["Transfer-Encoding: chunked", "X-A: b", " c"], false), (["X-A: b", " chunked"], false),
        (["Content-Length: 5", "X-A : 5"], false), (["X-Content-Length : 5"], false),
    ])
    func whereABodyEndsMustBeClear(_ fields: [String], isUnclear: Bool) throws {
        #expect(try Self.head(fields).hasUnclearFraming == isUnclear)
    }

    @Test func oneOfSeveralCodingsIsEnough() throws {
        #expect(try Self.head(["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]).isChunked)
        #expect(try Self.head(["Transfer-Encoding: identity", "Transfer-Encoding: chunked"]).isChunked)
    }

    @Test func fieldsAreRead() throws {
        let head = try Self.head([
            "Content-Length: 42", "CONTENT-TYPE:text/plain ; charset=x", "ETag: \"v1\"", "Location:\t /b \t",
            "Content-Range: bytes 1-2/3", "content-encoding: gzip", "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT",
            "Date: Tue, 02 Jan 2024 00:00:00 GMT", "X-Other: 1",
        ])
        var wanted = ReplyHead(status: 200)
        wanted.contentLength = .bytes(42)
        wanted.contentType = "text/plain ; charset=x"
        wanted.etag = "\"v1\""
        wanted.location = "/b"
        wanted.contentRange = "bytes 1-2/3"
        wanted.contentEncoding = "gzip"
        wanted.lastModified = "Mon, 01 Jan 2024 00:00:00 GMT"
        wanted.lastModifiedTime = 1_704_067_200
        wanted.dateTime = 1_704_153_600
        #expect(head == wanted)
    }

    /// It could not be sent back as it came, and all such tags would look the same.
    @Test func aTagThatIsNoTextIsNone() {
        var parser = HeadParser()
        let lines = ["HTTP/1.1 200 OK\r\n", "ETag: \"\u{FF}\"\r\n", "\r\n"]
        let heads = lines.compactMap { line in
            // As bytes of ISO 8859-1.
            line.unicodeScalars.map { UInt8($0.value) }.withUnsafeBytes { parser.take($0) }
        }
        #expect(heads.map(\.etag) == [nil])
        #expect(Self.heads(["HTTP/1.1 200 OK\r\n", "ETag: \"é\"\r\n", "\r\n"]).map(\.etag) == ["\"é\""])
    }

    @Test func fieldsWithoutAValueSayNothing() {
        let heads = Self.heads([
            "HTTP/1.1 200 OK\r\n", "ETag:\r\n", "Last-Modified: \r\n", "Content-Type:\t\r\n", "\r\n",
        ])
        #expect(heads == [ReplyHead(status: 200)])
    }

    @Test func bareLineFeedsDo() {
        #expect(Self.heads(["HTTP/1.1 200 OK\n", "Content-Length: 3\n", "\n"]).first?.declaredLength == 3)
    }

    @Test func interimRepliesArePassedOver() {
        let heads = Self.heads([
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Location: /hint\r\n", "\r\n",
            "HTTP/1.1 200 OK\r\n", "\r\n",
        ])
        #expect(heads == [ReplyHead(status: 200)])
    }

    @Test func trailersAreNoHead() {
        let heads = Self.heads([
            "HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n", "ETag: \"late\"\r\n", "\r\n",
        ])
        #expect(heads.count == 1)
        #expect(heads.first?.etag == nil)
    }

    @Test func aNewStatusLineForgetsWhatWasBefore() {
        let heads = Self.heads([
            "HTTP/1.1 200 OK\r\n", "ETag: \"one\"\r\n", "Retry-After: 5\r\n", "HTTP/1.1 503 Busy\r\n", "\r\n",
        ])
        #expect(heads == [ReplyHead(status: 503)])
    }

    /// A line that begins with a blank belongs to the field before it (RFC 9112 section 5.2).
    @Test(arguments: [" ", "\t", "   "])
    func aFoldedLineIsNoField(_ blank: String) throws {
        let head = try Self.head(["X-Note: folded", "\(blank)Content-Length: 7", "Content-Length: 42"])
        #expect(head.contentLength == .bytes(42))
    }

    @Test(arguments: [" ", "\t", " \t "])
    func aFoldedLineGoesOnWithItsField(_ blank: String) throws {
        let head = try Self.head([
            "Content-Disposition: attachment;", "\(blank)filename=\"a b\";", "\(blank)filename*=UTF-8''c.zip",
            "Content-Disposition: attachment; filename=other", "\(blank); filename*=UTF-8''none",
            "Location:", "\(blank)/next", "ETag:", "\(blank)\"v1\"", "Content-Type: text/html;", "\(blank)charset=x",
            "Content-Range: bytes", "\(blank)1-2/3", "Last-Modified: Sun, 06 Nov 1994", "\(blank)08:49:37 GMT",
            "Retry-After:", "\(blank)7", "Content-Encoding:", "\(blank)gzip",
        ])
        #expect(head.fileName == "c.zip" && head.location == "/next" && head.etag == "\"v1\"")
        #expect(head.contentType == "text/html; charset=x" && head.contentRange == "bytes 1-2/3")
        #expect(
            head.lastModifiedTime == 784_111_777 && head.retryAfter == .seconds(7) && head.contentEncoding == "gzip")
        #expect(!head.hasUnclearFraming)
    }

    @Test(arguments: ["no colon", ":", ": value", "Content-Length", "Content-Length : 7", "\u{0}", "É: x"])
    func oddLinesArePassedOver(_ line: String) throws {
        let head = try Self.head([line, "Content-Length: 42"])
        #expect(head.contentLength == .bytes(42))
    }

    // MARK: - Behind the body

    /// The trailer after a sequence of lines.
    private func trailer(_ lines: [String]) -> [ReplyHead.Field] {
        var parser = HeadParser()
        for line in lines { _ = Array((line + "\r\n").utf8).withUnsafeBytes { parser.take($0) } }
        return parser.trailer
    }

    private static let field = ReplyHead.Field(name: "repr-digest", value: "sha-256=:AA==:")

    @Test(arguments: [
        (["HTTP/1.1 200 OK", "", "Repr-Digest: sha-256=:AA==:"], [field]),
        (["HTTP/2 200", "", "repr-digest:sha-256=:AA==: ", "X-Other: 1", ""], [field]),
        (["HTTP/1.1 200 OK", "Repr-Digest: sha-256=:AA==:", ""], []),
        (["HTTP/1.1 103 Early", "", "Repr-Digest: sha-256=:AA==:", ""], []),
        // Another reply on the same handle begins anew.
        (["HTTP/1.1 200 OK", "", "Repr-Digest: sha-256=:AA==:", "HTTP/1.1 200 OK", ""], []),
        (["HTTP/1.1 200 OK", "", " Repr-Digest: folded", "no colon"], []),
        (["220 ready", "226 Repr-Digest: x"], []),
    ])
    func whatFollowsTheHeadIsTheTrailer(_ lines: [String], expected: [ReplyHead.Field]) {
        #expect(trailer(lines) == expected)
    }

    /// A field is passed over by the first letter of its name; none that is wanted may be.
    @Test(arguments: [
        "Repr-Digest", "CONTENT-DIGEST", "digest", "Content-MD5", "X-Goog-Hash", "x-amz-checksum-crc32c",
        "X-Ms-Blob-Content-Md5", "X-Bz-Content-Sha1", "X-Checksum-Sha1", "x-file-sha256",
    ])
    func fieldsOfDigestsAreKept(_ name: String) throws {
        let head = try Self.head(["\(name): x"])
        #expect(head.otherFields == [ReplyHead.Field(name: name.lowercased(), value: "x")])
        #expect(trailer(["HTTP/1.1 200 OK", "", "\(name): x"]) == head.otherFields)
    }

    @Test(arguments: [
        ["RateLimit-Remaining: 1", "RateLimit-Reset: 10"], ["X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 10"],
        ["X-Rate-Limit-Remaining: 1", "X-Rate-Limit-Reset: 10"],
    ])
    func fieldsOfRatesAreKept(_ fields: [String]) throws {
        #expect(try Self.head(fields).rateSignal != nil)
    }

    @Test func aTrailerHasAnEnd() {
        var parser = HeadParser()
        func take(_ line: String) { _ = Array((line + "\r\n").utf8).withUnsafeBytes { parser.take($0) } }
        for line in ["HTTP/1.1 200 OK", ""] { take(line) }
        let long = "X-Other: " + String(repeating: "x", count: 999)
        for _ in 0..<300 { take(long) }
        #expect(!parser.isTrailerTooLong)
        for _ in 0..<10 { take(long) }
        #expect(parser.isTrailerTooLong)
    }

    @Test func aTrailerIsNoHead() {
        let lines = ["HTTP/1.1 200 OK", "", "Repr-Digest: x", "Content-Length: 7", ""].map { $0 + "\r\n" }
        #expect(Self.heads(lines).map(\.contentLength) == [.absent])
    }

    @Test func bytesThatAreNoTextDoNotMatter() {
        var parser = HeadParser()
        let lines: [[UInt8]] = [
            Array("HTTP/1.1 200 \u{FF}".utf8) + [0xFF, 13, 10], Array("Location: /".utf8) + [0xE9, 13, 10], [13, 10],
        ]
        let heads = lines.compactMap { line in line.withUnsafeBytes { parser.take($0) } }
        #expect(heads.first?.location == "/%E9")
    }

    // MARK: - Lengths

    @Test(
        arguments: [
            (["0"], .bytes(0)), (["42"], .bytes(42)), (["042"], .bytes(42)), (["42, 42"], .bytes(42)),
            (["42", "42"], .bytes(42)),
            (["9223372036854775807"], .bytes(.max)), (["42", "43"], .conflicting), (["42, 43"], .conflicting),
            (["42", "43", "42"], .conflicting), (["abc"], .invalid("abc")), (["-5"], .invalid("-5")),
            (["+5"], .invalid("+5")),
            (["5.0"], .invalid("5.0")), ([""], .invalid("")), (["42,"], .invalid("42,")), (["0x10"], .invalid("0x10")),
            (["9223372036854775808"], .invalid("9223372036854775808")), (["42", "x"], .invalid("x")),
            (["x", "42"], .invalid("x")),
        ] as [([String], ReplyHead.ContentLength)])
    func lengthsMustAgree(_ values: [String], length: ReplyHead.ContentLength) throws {
        #expect(try Self.head(values.map { "Content-Length: \($0)" }).contentLength == length)
    }

    @Test func chunksGoBeforeALength() throws {
        let head = try Self.head(["Content-Length: 5", "Transfer-Encoding: Chunked"])
        #expect(head.isChunked)
        #expect(head.declaredLength == nil)
        #expect(try Self.head(["Content-Length: 5"]).declaredLength == 5)
    }

    // MARK: - Retry-After

    /// The wait counts by the server's clock where it shows it, before or after the field.
    @Test(arguments: [true, false])
    func retryAfterIsMeasuredByTheReplysDate(_ dateFirst: Bool) throws {
        let date = "Date: Mon, 01 Jan 2001 00:00:00 GMT"
        let wait = "Retry-After: Mon, 01 Jan 2001 00:00:07 GMT"
        let head = try Self.head(dateFirst ? [date, wait] : [wait, date], status: "HTTP/1.1 503 Busy")
        #expect(head.retryAfter == .seconds(7))
    }

    @Test func withoutADateOurClockCounts() throws {
        let past = try Self.head(["Retry-After: Mon, 01 Jan 2001 00:00:07 GMT"], status: "HTTP/1.1 503 Busy")
        #expect(past.retryAfter == .zero)
        let future = try Self.head(["Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"], status: "HTTP/1.1 503 Busy")
        #expect(try #require(future.retryAfter) > .seconds(86_400 * 365))
        let junk = try Self.head(["Retry-After: soon"], status: "HTTP/1.1 503 Busy")
        #expect(junk.retryAfter == nil)
    }
}
