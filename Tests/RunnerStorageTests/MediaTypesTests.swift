import RunnerStorage
import Testing

@Suite("Media types by the names of files")
struct MediaTypesTests {
    private let types = MediaTypes(
        Array(
            """
            # comment
            50:application/zip:*.zip
            50:application/gzip:*.gz
            55:application/x-compressed-tar:*.tar.gz
            40:text/weak:*.zip
            80:text/x-makefile:makefile
            50:text/x-c++src:*.C:cs
            10:text/odd:[0-9].x
            broken
            """.utf8))

    @Test(arguments: [
        ("a.zip", "application/zip"), ("A.ZIP", "application/zip"), ("a.tar.gz", "application/x-compressed-tar"),
        ("a.b.gz", "application/gzip"), ("Makefile", "text/x-makefile"), ("a", "application/octet-stream"),
        ("zip", "application/octet-stream"), (".zip", "application/zip"), ("a.zip.", "application/octet-stream"),
    ])
    func theLongestSuffixDecides(_ name: String, _ type: String) {
        #expect(types.type(of: name) == type)
    }

    @Test func nothingIsKnownWithoutADatabase() {
        #expect(MediaTypes([]).type(of: "a.zip") == "application/octet-stream")
    }

    // MARK: - What the bytes say

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let zip = Array("PK\u{3}\u{4}rest".utf8)
    private static let text = Array("two words\n".utf8)

    @Test(
        arguments: [
            // The name has the first word, unless the bytes are something else.
            ("a.zip", zip, "application/zip"), ("a.zip", text, "x/look"), ("a.gz", zip, "x/look"),
            ("a.cs", text, "text/x-c++src"), ("a.cs", png, "x/look"), ("a.unknown", text, "x/look"),
            // Nothing can be told of no bytes.
            ("a.zip", [], "application/zip"), ("a", [], "application/octet-stream"),
        ] as [(String, [UInt8], String)])
    func theBytesAreLookedAtWhereTheNameIsNoHelp(_ name: String, _ bytes: [UInt8], _ type: String) {
        let types = MediaTypes(
            Array("50:application/zip:*.zip\n50:application/gzip:*.gz\n50:text/x-c++src:*.cs\n".utf8))
        #expect(types.type(of: name, beginning: bytes) { _ in "x/look" } == type)
    }

    @Test(arguments: [nil, "application/octet-stream", "inode/x-empty", "cannot open", "a/b\r\nX: y", ""])
    func theNameStaysWhereTheLookIsNoHelp(_ found: String?) {
        #expect(types.type(of: "a.zip", beginning: Self.text) { _ in found } == "application/zip")
    }

    @Test(arguments: [
        ("application/epub+zip", zip), ("image/svg+xml-compressed", [0x1F, 0x8B, 8]), ("image/x-new", text),
        ("application/x-own", png), ("text/html", Array("<?xml version='1.0'?>".utf8)),
    ])
    func manyATypeIsBuiltOnAnother(_ type: String, _ bytes: [UInt8]) {
        let types = MediaTypes(Array("50:\(type):*.own\n".utf8))
        #expect(types.type(of: "a.own", beginning: bytes) { _ in "x/look" } == type)
    }
}
