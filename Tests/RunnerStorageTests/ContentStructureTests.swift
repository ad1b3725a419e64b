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
        (.xml, Array("<a>b</a>\n".utf8)), (.tar, [1, 2, 3]), (.elf, []),
    ]

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
    ]

    @Test(arguments: cut)
    func seesWhereFilesAreCut(_ type: Expectations.ContentType, _ bytes: [UInt8]) throws {
        #expect(try flaw(type, bytes) == .noEnd)
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
