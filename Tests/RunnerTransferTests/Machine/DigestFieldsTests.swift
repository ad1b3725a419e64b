import RunnerJob
import RunnerStorage
import RunnerTransfer
import Testing

@Suite struct DigestFieldsTests {
    /// Digests of `hello`, made with openssl(1).
    static let md5 = "5d41402abc4b2a76b9719d911017c592"
    static let md5Base64 = "XUFAKrxLKna5cZ2REBfFkg=="
    static let sha1 = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
    static let sha1Base64 = "qvTGHdzF6KLavt4PO0gs2a6pQ00="
    static let sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    static let sha256Base64 = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="

    private func head(_ fields: [(String, String)], status: Int = 200) -> ReplyHead {
        var head = ReplyHead(status: status)
        head.otherFields = fields.map { ReplyHead.Field(name: $0.0.lowercased(), value: $0.1) }
        return head
    }

    @Test func aTrailerStandsForItselfBesideTheHead() {
        let head = head([("Content-MD5", Self.md5Base64)])
        func digests(_ fields: [(String, String)]) -> [String] {
            DigestFields.digests(
                in: self.head(fields).otherFields, behind: .init(start: 0, length: nil, total: nil), of: head
            )
            .map { "\($0.field) \($0.digest)" }
        }
        #expect(
            digests([("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==")]) == [
                "Content-MD5 md5:d41d8cd98f00b204e9800998ecf8427e"
            ])
        #expect(digests([("X-AMZ-Checksum-SHA1", Self.sha1Base64)]) == ["X-AMZ-Checksum-SHA1 sha1:" + Self.sha1])
        #expect(digests([("X-AMZ-Checksum-SHA1", Self.sha1Base64), ("X-AMZ-Checksum-Type", "COMPOSITE")]) == [])
    }

    @Test func aTrailerOfAPartIsOfThatPart() {
        var head = head([], status: 206)
        head.contentRange = "bytes 5-9/20"
        let sent = DigestFields.digests(
            in: self.head([("Content-Digest", "md5=:\(Self.md5Base64):")]).otherFields,
            behind: .init(start: 5, length: 5, total: 20), of: head)
        #expect(sent.map(\.range) == [5..<10])
    }

    private func digests(_ fields: [(String, String)]) -> [ServerDigest] {
        DigestFields.digests(in: head(fields), .init(start: 0, length: 5, total: 5))
    }

    static let spellings: [(String, String, String, [String])] = [
        ("Repr-Digest", "sha-256=:\(sha256Base64):", "Repr-Digest", ["sha256:" + sha256]),
        ("Content-Digest", "sha-256=:\(sha256Base64):", "Content-Digest", ["sha256:" + sha256]),
        (
            "Repr-Digest", "sha-256=:\(sha256Base64):;x=1, md5=:\(md5Base64):, sha=:\(sha1Base64):", "Repr-Digest",
            ["sha256:" + sha256, "md5:" + md5, "sha1:" + sha1]
        ),
        ("Digest", "SHA-256=\(sha256Base64),md5=\(md5Base64)", "Digest", ["sha256:" + sha256, "md5:" + md5]),
        ("Content-MD5", md5Base64, "Content-MD5", ["md5:" + md5]),
        ("X-Goog-Hash", "crc32c=mnG7TA==,md5=\(md5Base64)", "X-Goog-Hash", ["crc32c:9a71bb4c", "md5:" + md5]),
        ("x-amz-checksum-sha256", sha256Base64, "X-AMZ-Checksum-SHA256", ["sha256:" + sha256]),
        ("x-amz-checksum-sha1", sha1Base64, "X-AMZ-Checksum-SHA1", ["sha1:" + sha1]),
        ("x-amz-checksum-crc32", "y/Q5Jg==", "X-AMZ-Checksum-CRC32", ["crc32:cbf43926"]),
        ("x-amz-checksum-crc32c", "4waSgw==", "X-AMZ-Checksum-CRC32C", ["crc32c:e3069283"]),
        ("x-amz-checksum-crc64nvme", "rosUhgp5mIg=", "X-AMZ-Checksum-CRC64NVME", ["crc64nvme:ae8b14860a799888"]),
        ("x-goog-hash", "crc32c=4waSgw==", "X-Goog-Hash", ["crc32c:e3069283"]),
        ("X-File-SHA256", sha256.uppercased(), "X-File-SHA256", ["sha256:" + sha256]),
        ("X-Checksum-Sha1", sha1, "X-Checksum-SHA1", ["sha1:" + sha1]),
        ("X-Checksum-Md5", " " + md5, "X-Checksum-MD5", ["md5:" + md5]),
        ("X-Bz-Content-Sha1", sha1, "X-Bz-Content-SHA1", ["sha1:" + sha1]),
        ("x-ms-blob-content-md5", md5Base64, "X-MS-Blob-Content-MD5", ["md5:" + md5]),
    ]

    @Test(arguments: spellings)
    func readsEverySpelling(_ name: String, _ value: String, _ shown: String, _ expected: [String]) {
        let found = digests([(name, value)])
        #expect(found.map(\.digest.description) == expected)
        #expect(found.allSatisfy { $0.field == shown && $0.range == nil })
        #expect(DigestFields.isOne(name.lowercased()))
    }

    static let unusable: [(String, String)] = [
        ("Repr-Digest", "sha-256=\(sha256Base64)"), ("Repr-Digest", "sha-256=:AAAA:"), ("Repr-Digest", "crc32c=:AAAA:"),
        ("Repr-Digest", "sha-256=:\(sha256Base64):,"), ("Digest", "sha-256"), ("Digest", "unixsum=30637"),
        ("Content-MD5", "junk"), ("Content-MD5", md5), ("x-amz-checksum-sha256", sha256Base64 + "-3"),
        ("X-File-SHA256", "none"), ("X-Checksum-Sha256", md5), ("X-Bz-Content-Sha1", "unverified:" + sha1),
        ("X-File-Name", "a"), ("X-Checksum-Deploy", "true"),
    ]

    @Test(arguments: unusable)
    func passesOverWhatItCannotUse(_ name: String, _ value: String) {
        #expect(digests([(name, value)]).isEmpty)
    }

    @Test func theLastValueOfAKeyWinsAcrossFields() {
        let found = digests([("Repr-Digest", "sha-256=:AAAA:"), ("Repr-Digest", "sha-256=:\(Self.sha256Base64):")])
        #expect(found.map(\.digest.hex) == [Self.sha256])
    }

    private func part(_ fields: [(String, String)], range: String? = "bytes 10-14/20") -> [ServerDigest] {
        var head = head(fields, status: 206)
        head.contentRange = range
        return DigestFields.digests(in: head, .init(start: 12, skip: 2, length: 5, total: 20))
    }

    @Test func contentDigestIsOfThePart() {
        #expect(part([("Content-Digest", "sha-256=:\(Self.sha256Base64):")]).map(\.range) == [10..<15])
        #expect(part([("Content-Digest", "sha-256=:\(Self.sha256Base64):")], range: nil).isEmpty)
        #expect(
            part([("Content-Digest", "sha-256=:\(Self.sha256Base64):")], range: "bytes 0-19/20").map(\.range) == [nil])
    }

    @Test(arguments: ["Repr-Digest", "Digest"])
    func othersAreOfTheWholeInAPartToo(_ name: String) {
        let value = name == "Digest" ? "sha-256=\(Self.sha256Base64)" : "sha-256=:\(Self.sha256Base64):"
        #expect(part([(name, value)]).map(\.range) == [nil])
    }

    @Test(arguments: [("Content-MD5", md5Base64), ("x-amz-checksum-sha256", sha256Base64)])
    func whatIsUnclearInAPartIsPassedOver(_ name: String, _ value: String) {
        #expect(part([(name, value)]).isEmpty)
        #expect(part([(name, value)], range: "bytes 0-19/20").count == 1)
    }

    @Test func aDigestOfTheStoredFormIsNoneOfTheDecodedOne() {
        let hash = ("X-Goog-Hash", "md5=" + Self.md5Base64)
        #expect(digests([hash, ("X-Goog-Stored-Content-Encoding", "gzip")]).isEmpty)
        #expect(digests([hash, ("X-Goog-Stored-Content-Encoding", "identity")]).count == 1)
        var coded = head([hash, ("X-Goog-Stored-Content-Encoding", "gzip")])
        coded.contentEncoding = "gzip"
        #expect(DigestFields.digests(in: coded, .init(start: 0, length: 5, total: 5)).count == 1)
    }

    @Test func aChecksumOfPartsIsNoDigest() {
        let sum = ("x-amz-checksum-sha256", Self.sha256Base64)
        #expect(digests([sum, ("x-amz-checksum-type", "COMPOSITE")]).isEmpty)
        #expect(digests([sum, ("x-amz-checksum-type", "FULL_OBJECT")]).count == 1)
    }

    @Test func anEntityTagIsADigestOnlyWhenTheJobSaysSo() {
        var head = head([])
        head.etag = "\"\(Self.md5)\""
        let body = ReplyMeaning.Body(start: 0, length: 5, total: 5)
        #expect(DigestFields.digests(in: head, body).isEmpty)
        #expect(DigestFields.digests(in: head, body, etagIsMD5: true).map(\.digest.hex) == [Self.md5])
        #expect(DigestFields.md5(etag: "\"\(Self.md5)-12\"") == nil)
        #expect(DigestFields.md5(etag: "W/\"\(Self.md5)\"") == nil)
        #expect(DigestFields.md5(etag: "") == nil)
    }
}
