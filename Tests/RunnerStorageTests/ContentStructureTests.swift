import RunnerJob
import RunnerStorage
import Testing

@Suite struct ContentStructureTests {
    private func flaw(_ type: Expectations.ContentType, _ bytes: [UInt8]) throws -> ContentStructure.Flaw? {
        try ContentStructure.flaw(
            type, start: Array(bytes.prefix(ContentSignature.length)), in: MemoryFile(bytes))
    }

    private static let zipEnd: [UInt8] = [0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 16)
    private static let gzip: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0]

    static let whole: [(Expectations.ContentType, [UInt8])] = [
        (.zip, Array("PK\u{3}\u{4}data".utf8) + zipEnd + [0, 0]),
        (.zip, Array("PK\u{3}\u{4}data".utf8) + zipEnd + [3, 0] + Array("abc".utf8)),
        (.zip, zipEnd + [0, 0] + Array("signature".utf8)),
        (.gzip, gzip + [0, 0, 0, 0, 0, 0, 0, 0]), (.gzip, gzip + [1, 2, 3, 4, 100, 0, 0, 0]),
        (.xz, Array(repeating: 1, count: 30) + Array("YZ".utf8)),
        (.xz, Array(repeating: 1, count: 30) + Array("YZ".utf8) + [0, 0, 0, 0]),
        (.pdf, Array("%PDF-1.7\n…\n%%EOF\n\u{0}\u{0}".utf8)), (.png, Array("\u{89}PNG…IEND".utf8) + [0xae, 0x42]),
        (.json, Array("{\"a\": 1}\n".utf8)), (.json, Array("[]".utf8)), (.json, Array("12".utf8)),
        (.xml, Array("<a>b</a>\n".utf8)),
        (.tar, Array(repeating: 1, count: 1024) + Array(repeating: 0, count: 512)),
        (.bzip2, bzip2), (.bzip2, bzip2 + Array("tail".utf8)), (.bzip2, emptyBzip2),
    ]

    /// `hello` and nothing, by bzip2(1); the first one's mark begins in the middle of a byte.
    private static let bzip2: [UInt8] = [
        0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x19, 0x31, 0x65, 0x3d, 0x00, 0x00,
        0x00, 0x81, 0x00, 0x02, 0x44, 0xa0, 0x00, 0x21, 0x9a, 0x68, 0x33, 0x4d, 0x07, 0x33, 0x8b, 0xb9,
        0x22, 0x9c, 0x28, 0x48, 0x0c, 0x98, 0xb2, 0x9e, 0x80,
    ]
    private static let emptyBzip2 = Array("BZh9".utf8) + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0]

    @Test(arguments: whole)
    func passesWholeFiles(_ type: Expectations.ContentType, _ bytes: [UInt8]) throws {
        #expect(try flaw(type, bytes) == nil)
    }

    static let cut: [(Expectations.ContentType, [UInt8])] = [
        (.zip, Array("PK\u{3}\u{4}data".utf8)), (.zip, Array("PK\u{3}\u{4}".utf8) + zipEnd),
        (.zip, Array("PK\u{3}\u{4}data".utf8) + zipEnd + [9, 0] + Array("abc".utf8)),
        (.gzip, gzip), (.gzip, gzip + [0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f]),
        (.xz, Array(repeating: 1, count: 60)), (.pdf, Array("%PDF-1.7\n…".utf8)), (.png, Array("\u{89}PNG…".utf8)),
        (.json, Array("{\"a\": 1".utf8)), (.json, Array("[1, 2".utf8)), (.xml, Array("<a".utf8)),
        (.tar, [1, 2, 3]), (.tar, Array(repeating: 1, count: 2048)), (.tar, Array(repeating: 0, count: 1025)),
        (.bzip2, Array(bzip2.dropLast(1))), (.bzip2, Array(bzip2.dropLast(12))),
        (.bzip2, Array(emptyBzip2.dropLast(1))),
    ]

    @Test(arguments: cut)
    func seesWhereFilesAreCut(_ type: Expectations.ContentType, _ bytes: [UInt8]) throws {
        #expect(try flaw(type, bytes) == .noEnd)
    }

    /// `hello`, by zstd(1): one frame with a sum.
    private static let zstd: [UInt8] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x29, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0xa3, 0x6d,
        0x9f, 0x88,
    ]
    /// A frame with a window of its own, a raw block, one repeated byte, and no sum.
    private static let blocks: [UInt8] = [
        0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x28, 0, 0, 1, 2, 3, 4, 5, 0x23, 3, 0, 7,
    ]
    private static let skippable: [UInt8] = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]

    @Test func stepsOverTheFramesOfAZstandardFile() throws {
        for bytes in [Self.zstd, Self.blocks, Self.skippable + Self.zstd + Self.blocks + Self.skippable] {
            #expect(try flaw(.zstd, bytes) == nil)
            #expect(try flaw(.zstd, bytes + Array("junk".utf8)) == nil)
        }
        let long = Array(repeating: Self.blocks, count: 1000).flatMap(\.self)
        #expect(try flaw(.zstd, long) == nil)
    }

    @Test(arguments: [zstd, blocks, skippable + zstd])
    func seesEveryCutOfAZstandardFile(_ bytes: [UInt8]) throws {
        let whole = bytes.starts(with: Self.skippable) ? [Self.skippable.count] : []
        for length in 1..<bytes.count where !whole.contains(length) {
            #expect(try flaw(.zstd, Array(bytes.prefix(length))) != nil, "\(length)")
        }
        #expect(try flaw(.zstd, Array(bytes.dropLast(1))) == .endsEarly(declared: Int64(bytes.count)))
    }

    @Test func aBlockOfNoKnownKindIsAFlaw() throws {
        var bytes = Self.blocks
        bytes[6] |= 3 << 1
        #expect(try flaw(.zstd, bytes) == .noEnd)
    }

    /// A member of an ar archive.
    private func member(_ name: String, _ size: Int, shown: String? = nil) -> [UInt8] {
        func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: width - text.count) }
        let header = padded(name, 16) + padded("0", 12) + padded("0", 6) + padded("0", 6) + padded("100644", 8)
        return Array((header + padded(shown ?? String(size), 10) + "`\n").utf8) + Array(repeating: 7, count: size)
            + Array(repeating: 10, count: size % 2)
    }

    @Test func stepsOverTheMembersOfADebianPackage() throws {
        let head = Array("!<arch>\n".utf8) + member("debian-binary", 4) + member("control.tar.xz", 101)
        let whole = head + member("data.tar.xz", 301)
        #expect(try flaw(.deb, whole) == nil)
        // The last byte is there to make the size even.
        #expect(try flaw(.deb, Array(whole.dropLast(1))) == nil)
        #expect(try flaw(.deb, Array(whole.dropLast(2))) == .endsEarly(declared: Int64(whole.count) - 1))
        #expect(try flaw(.deb, head) == .noEnd)
        #expect(try flaw(.deb, head + [1, 2, 3]) == .noEnd)
        #expect(try flaw(.deb, head + member("data.tar.xz", 4, shown: "-4")) == .noEnd)
        let many = (0..<20).flatMap { member("m\($0)", 0) }
        #expect(try flaw(.deb, Array("!<arch>\n".utf8) + many) == nil)
    }

    @Test(arguments: [true, false], [true, false])
    func seesWhereTheSectionsOfAProgramLie(isLarge: Bool, isLittleEndian: Bool) throws {
        var file = [0x7f, 0x45, 0x4c, 0x46, isLarge ? 2 : 1, isLittleEndian ? 1 : 2] + [UInt8](repeating: 0, count: 94)
        #expect(try flaw(.elf, file) == nil)
        #expect(try flaw(.elf, Array(file.prefix(60))) == .endsEarly(declared: 64))
        func put(_ value: UInt8, _ offset: Int, _ count: Int) {
            file[isLittleEndian ? offset : offset + count - 1] = value
        }
        put(60, isLarge ? 0x28 : 0x20, isLarge ? 8 : 4)
        put(20, isLarge ? 0x3a : 0x2e, 2)
        put(2, isLarge ? 0x3c : 0x30, 2)
        #expect(try flaw(.elf, file) == nil)
        #expect(try flaw(.elf, Array(file.dropLast(1))) == .endsEarly(declared: 100))
    }

    @Test func seesWhatTheHeaderOfA7zDeclares() throws {
        var file: [UInt8] = [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4, 0, 0, 0, 0]
        file += [10, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try flaw(.sevenZip, file + Array(repeating: 0, count: 15)) == nil)
        #expect(try flaw(.sevenZip, file + Array(repeating: 0, count: 14)) == .endsEarly(declared: 47))
        file.replaceSubrange(12..<20, with: Array(repeating: 0xff, count: 8))
        #expect(try flaw(.sevenZip, file) == nil)
    }

    @Test func seesHowManyPagesADatabaseDeclares() throws {
        var file = Array("SQLite format 3\u{0}".utf8) + Array(repeating: UInt8(0), count: 84)
        file.replaceSubrange(16..<18, with: [2, 0])
        file[31] = 2
        #expect(try flaw(.sqlite, file + Array(repeating: 0, count: 924)) == nil)
        #expect(try flaw(.sqlite, file + Array(repeating: 0, count: 923)) == .endsEarly(declared: 1024))
        // Written by a program that does not keep the number up.
        file[27] = 1
        #expect(try flaw(.sqlite, file) == nil)
    }

    private func fault(
        _ text: String, name: String, size: Int64? = nil, digests: [Digest] = [], mediaType: String? = nil
    ) throws -> Verification.Fault? {
        var expect = Expectations()
        expect.mediaType = mediaType
        let verification = Verification(size: size, digests: digests, expectations: expect, name: name)
        let file = MemoryFile(text)
        return try verification.fault(
            in: file, actual: FileHasher.digests(of: file, by: verification.algorithms) ?? [:])
    }

    private static let page = "<!doctype html><title>Not here</title>"

    @Test(arguments: ["a.zip", "A.TAR.GZ", "disk.img", "x.bin", "b.iso"])
    func aPageIsNoBinaryFile(_ name: String) throws {
        let fault = try fault(Self.page, name: name)
        #expect(fault?.failures == [.type(expected: .notHTML, found: nil)])
        #expect(fault?.evidence.page?.title == "Not here")
    }

    @Test(arguments: ["index.html", "readme", "a.txt", ".zip", "list.xml"])
    func aPageMayBeMeant(_ name: String) throws {
        #expect(try fault(Self.page, name: name) == nil)
    }

    @Test(arguments: [
        "<center>Forbidden</center>", "<h2>Error</h2>", "<form action=/login>", "<noscript>x", "<img src=a>",
        "<ul><li>a", "<!-- only a comment -->",
    ])
    func noKindOfPageIsAnArchive(_ text: String) throws {
        for name in ["a.zip", "a.tar.xz", "b.iso"] { #expect(try fault("\n " + text, name: name) != nil) }
        #expect(try fault(text, name: "a.txt") == nil)
    }

    @Test(arguments: [
        "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>", "<Error/>", "<ns:a xmlns:ns='x'>",
        "<!-- " + String(repeating: "x", count: 5000) + "--><html>", String(repeating: "\r\n", count: 3000) + "<html>",
    ])
    func markupIsNoArchive(_ text: String) throws {
        #expect(try fault(text, name: "a.zip")?.failures == [.markup])
        for name in ["a.xml", "a.dat", "a"] { #expect(try fault(text, name: name) == nil) }
    }

    /// What has no mark of its own, such as brotli, may begin with any byte.
    @Test(arguments: ["<a\u{1}b", "<", "<1", "< a", "\n", "a<b"]) func bytesThatAreNoMarkupAreLetBe(_ text: String)
        throws
    {
        #expect(try fault(text, name: "a.br") == nil)
    }

    @Test func whatTheJobSaysGoesBeforeTheName() throws {
        #expect(try fault(Self.page, name: "a.zip", mediaType: "text/html") == nil)
        let digest = try DigestSet.digest(of: Array(Self.page.utf8), by: .sha256)
        #expect(try fault(Self.page, name: "a.zip", digests: [digest]) == nil)
    }

    @Test func aStrongDigestVouchesForTheEnd() throws {
        var expect = Expectations()
        expect.type = .pdf
        let file = MemoryFile("%PDF-1.7")
        #expect(
            try Verification(expectations: expect).fault(in: file, actual: [:])?.failures == [.structure(.pdf, .noEnd)])
        let digest = try DigestSet.digest(of: file.bytes, by: .sha256)
        #expect(
            try Verification(digests: [digest], expectations: expect).fault(in: file, actual: [.sha256: digest]) == nil)
    }

    @Test func anArchiveIsNeverEmpty() throws {
        #expect(try fault("", name: "a.zip")?.failures == [.empty])
        #expect(try fault("", name: "a.zip", size: 0) == nil)
        #expect(try fault("", name: "a.bin") == nil)
        #expect(try fault("", name: "a.txt") == nil)
    }

    @Test func knowsWhatCameInDisguise() {
        let pointer = Array("version https://git-lfs.github.com/spec/v1\noid sha256:0\n".utf8)
        #expect(FileEvidence(size: 60, firstBytes: pointer).disguise == .lfsPointer)
        #expect(FileEvidence(size: 9, firstBytes: Array("plain tar".utf8), name: "a.tar.gz").disguise == .unpacked)
        #expect(FileEvidence(size: 9, firstBytes: Array("plain".utf8), name: "a.txt").disguise == nil)
        #expect(FileEvidence(size: 9, firstBytes: Array(Self.page.utf8), name: "a.gz").disguise == nil)
        #expect(FileEvidence(size: 0, firstBytes: [], name: "a.gz").disguise == nil)
    }

    @Test func saysWhetherTheServersOwnDigestFits() throws {
        let (wanted, other) = (
            try DigestSet.digest(of: Array("wanted".utf8), by: .sha256),
            try DigestSet.digest(of: Array("other".utf8), by: .md5)
        )
        let verification = Verification(digests: [wanted])
        func agrees(_ text: String, _ sent: [ServerDigest]) throws -> Bool? {
            let file = MemoryFile(text)
            let actual = try FileHasher.digests(of: file, by: [.sha256]) ?? [:]
            return try verification.fault(in: file, actual: actual, sent: sent)?.evidence.serverAgrees
        }
        #expect(try agrees("other", [ServerDigest(field: "Content-MD5", other)]) == true)
        #expect(try agrees("broken", [ServerDigest(field: "Content-MD5", other)]) == false)
        #expect(try agrees("other", []) == nil)
    }
}
