import RunnerJob
import RunnerStorage
import Testing

@Suite struct ContentSignatureTests {
    typealias ContentType = Expectations.ContentType

    private static func tarHeader() -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        header.replaceSubrange(0..<4, with: Array("name".utf8))
        let sum = header.reduce(8 * 32) { $0 + Int($1) }
        let text = String(sum, radix: 8)
        header.replaceSubrange(148..<(148 + text.utf8.count), with: Array(text.utf8))
        return header
    }

    static let samples: [(ContentType, [UInt8])] = [
        (.zip, Array("PK\u{3}\u{4}rest".utf8)), (.zip, Array("PK\u{5}\u{6}".utf8)),
        (.gzip, [0x1f, 0x8b, 8, 0]), (.bzip2, Array("BZh91AY&SY".utf8)),
        (.bzip2, Array("BZh9".utf8) + [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]), (.xz, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
        (.zstd, [0x28, 0xb5, 0x2f, 0xfd]), (.zstd, [0x5e, 0x2a, 0x4d, 0x18]),
        (.sevenZip, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), (.tar, tarHeader()), (.pdf, Array("%PDF-1.7".utf8)),
        (.pdf, Array("junk before\n%PDF-1.7".utf8)), (.png, Array([0x89] + "PNG\r\n\u{1a}\n".utf8)),
        (.jpeg, [0xff, 0xd8, 0xff, 0xe0]), (.gif, Array("GIF89a".utf8)), (.elf, Array("\u{7f}ELF".utf8)),
        (.deb, Array("!<arch>\ndebian-binary   ".utf8)), (.rpm, [0xed, 0xab, 0xee, 0xdb]),
        (.sqlite, Array("SQLite format 3\u{0}".utf8)), (.json, Array(" {\n\"a\": 1}".utf8)), (.json, Array("[]".utf8)),
        (.xml, Array("<?xml version=\"1.0\"?><a/>".utf8)), (.xml, Array("\u{feff}\n<feed xmlns=''>".utf8)),
    ]

    @Test(arguments: samples) func knowsAFileByItsFirstBytes(_ type: ContentType, _ bytes: [UInt8]) {
        #expect(ContentSignature.matches(type, bytes))
        #expect(ContentSignature.kind(of: bytes) == type)
        for other in ContentType.allCases where other != type && other != .notHTML {
            #expect(!ContentSignature.matches(other, bytes), "\(other)")
        }
        #expect(ContentSignature.matches(.notHTML, bytes))
    }

    @Test(arguments: ContentType.allCases) func knowsNothingByNoBytes(_ type: ContentType) {
        #expect(ContentSignature.matches(type, []) == (type == .notHTML))
        #expect(ContentSignature.kind(of: []) == nil)
    }

    @Test(arguments: samples) func needsTheWholeMark(_ type: ContentType, _ bytes: [UInt8]) {
        guard type != .json, type != .xml, type != .pdf else { return }
        for count in 0..<2 { #expect(!ContentSignature.matches(type, Array(bytes.prefix(count)))) }
    }

    @Test func tarNeedsTheRightSum() {
        var header = Self.tarHeader()
        header[0] ^= 1
        #expect(!ContentSignature.matches(.tar, header))
        #expect(!ContentSignature.matches(.tar, [UInt8](repeating: 0, count: 1024)))
        #expect(!ContentSignature.matches(.tar, [UInt8](repeating: 0x37, count: 512)))
    }

    static let json: [(String, Bool)] = [
        ("{}", true), ("{ \"a\"", true), ("{", true), ("[1", true), ("[ {", true), ("\"text\"", true),
        ("12.5e3\n", true),
        ("-1", true), ("true", true), ("null ", true), ("\u{feff}[]", true), ("{a: 1}", false), ("[section]", false),
        ("nothing", false), ("trueish", false), ("true false", false), ("-", false), ("<html>", false), ("404", true),
        ("404 not found", false),
    ]

    @Test(arguments: json) func knowsJSON(_ text: String, _ isJSON: Bool) {
        #expect(ContentSignature.matches(.json, Array(text.utf8)) == isJSON)
    }

    static let xml: [(String, Bool)] = [
        ("<a>", true), ("<!-- x --><a>", true), ("<!DOCTYPE note>", true), ("<_a/>", true), ("<ä>", true),
        ("<!doctype HTML>", false), ("<HTML>", false), ("< a>", false), ("<1>", false), ("text", false), ("<", false),
    ]

    @Test(arguments: xml) func knowsXML(_ text: String, _ isXML: Bool) {
        #expect(ContentSignature.matches(.xml, Array(text.utf8)) == isXML)
    }

    @Test func knowsXMLInUTF16() {
        let text = Array("<?xml version".utf8)
        #expect(ContentSignature.matches(.xml, [0xff, 0xfe] + text.flatMap { [$0, 0] }))
        #expect(ContentSignature.matches(.xml, [0xfe, 0xff] + text.flatMap { [0, $0] }))
    }
}
