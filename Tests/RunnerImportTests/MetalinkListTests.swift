import RunnerImport
import Testing

/// Metalink 4 (RFC 5854) and 3.
@Suite struct MetalinkListTests {
    private static let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    private let bench = ImportBench(name: "a.meta4")

    private static func four(_ content: String) -> String {
        "<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n\(content)\n</metalink>\n"
    }

    private static func three(_ content: String) -> String {
        "<metalink version=\"3.0\" xmlns=\"http://www.metalinker.org/\"><files>\n\(content)\n</files></metalink>\n"
    }

    @Test func aLoginIsTakenOver() throws {
        let tasks = try bench.tasks(Self.four("<file name=\"a\"><url>http://u:abcd@h/a</url></file>"))
        #expect(tasks.contains("user: u\n        password: ${secret:H_PASSWORD}\n"), "\(tasks)")
    }

    @Test func theLowestPriorityIsAskedFirst() throws {
        let text = Self.four(
            """
            <file name="d/a"><size> 5 </size><hash type="sha-256">\(Self.sum.uppercased())</hash><hash type="md5">
            5d41402abc4b2a76b9719d911017c592</hash><pieces length="4" type="sha-1"><hash>ff</hash></pieces>
            <url>http://none/a</url><url priority="2">http://two/a</url><url priority="1">ftp://one/a</url>
            <url priority="2">http://two/b</url></file>
            """)
        #expect(
            try bench.tasks(text) == """
                tasks:
                  - download: ftp://one/a
                    mirrors:
                      - http://two/a
                      - http://two/b
                      - http://none/a
                    to: d/a
                    size: 5
                    sha256: \(Self.sum)
                    md5: 5d41402abc4b2a76b9719d911017c592

                """)
        #expect(try bench.warnings(text) == [])
    }

    @Test func theHighestPreferenceOfVersionThreeIsAskedFirst() throws {
        let text = Self.three(
            """
            <file name="a"><size>5</size><verification><hash type="sha256">\(Self.sum)</hash></verification><resources>
            <url type="http" preference="10">http://ten/a</url><url type="ftp" preference="90">ftp://ninety/a</url>
            <url type="bittorrent" preference="100">http://t/a.torrent</url></resources></file>
            """)
        #expect(
            try bench.tasks(text)
                == "tasks:\n  - download: ftp://ninety/a\n    mirrors:\n      - http://ten/a\n    to: a\n    size: 5\n"
                + "    sha256: \(Self.sum)\n")
        #expect(try bench.warnings(text) == ["4: a torrent cannot be fetched and was left out"])
    }

    @Test func whatIsNotKnownIsTold() throws {
        let text = Self.four(
            """
            <file name="a"><hash type="x">00</hash>
            <signature mediatype="application/pgp-signature">s</signature>
            <metaurl mediatype="torrent">http://h/t</metaurl>
            <url priority="0">http://h/a</url><other xmlns="urn:other"/></file>
            <file name="b"><url>magnet:?x</url></file>
            """)
        #expect(
            try bench.warnings(text) == [
                "3: a hash of type `x` is not known and was left out",
                "4: a signature is not verified and was left out",
                "5: a `metaurl` names another description of the file and was left out",
                "6: a priority is from 1 to 999999; this one is taken for none",
                "7: `b` has no URL that can be fetched, and was left out",
                "7: `magnet:` cannot be fetched and was left out",
            ])
    }

    /// RFC 5854 section 5.2: what is not understood is ignored.
    @Test func whatIsOfAnotherNamespaceIsPassedOver() throws {
        let text = Self.four(
            """
            <file name="a" xmlns:o="urn:o"><o:size>many</o:size><o:hash type="sha-256">00</o:hash>
            <o:url>http://other/</o:url><url>http://h/a</url></file>
            <o:file name="b" xmlns:o="urn:o"><url>http://h/b</url></o:file>
            """)
        #expect(try bench.tasks(text) == "tasks:\n  - download: http://h/a\n    to: a\n")
        #expect(try bench.warnings(text) == [])
    }

    @Test func aRelativeURLNeedsABase() throws {
        let text = Self.four("<file name=\"a\"><url>x/a</url></file>")
        #expect(try bench.faults(Array(text.utf8)).first?.hasSuffix("or give --base") == true)
        let based = ImportBench(name: "a.meta4", base: "http://h/d/")
        #expect(try based.tasks(text) == "tasks:\n  - download: http://h/d/x/a\n    to: a\n")
    }

    @Test(arguments: [
        "../a", "a/../../b", "/etc/passwd", "..\\a", "\\\\h\\a", "C:\\a", "c:/a", "..", "d/", "",
    ])
    func aNameThatLeadsOutIsRefused(_ name: String) throws {
        let text = Self.four("<file name=\"\(name)\"><url>http://h/a</url></file>")
        let faults = try bench.faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix("3: "), "\(faults)")
    }

    @Test(arguments: [
        (
            four("<file name='a'><url>http://h/a</url></file>\n<file name='a'><url>http://h/b</url></file>"),
            "4: `a` is written twice"
        ),
        (
            four("<file name='a'><url>http://h/a</url></file>\n<file name='a/b'><url>http://h/b</url></file>"),
            "4: `a/b` lies in a folder that is a file elsewhere"
        ),
        (
            four("<file name='a/b/c'><url>http://h/a</url></file>\n<file name='a'><url>http://h/b</url></file>"),
            "4: `a` is a file here, and a folder elsewhere"
        ),
        (four("<file name='.runner/a'><url>http://h/a</url></file>"), "3: `.runner/a` is where"),
        (four("<file><url>http://h/a</url></file>"), "3: a file has no `name`"),
        (four("<file name='a'><size>many</size><url>http://h/a</url></file>"), "3: a size is a number of bytes"),
        (four("<file name='a'><hash type='sha-256'>12</hash><url>http://h/a</url></file>"), "3: "),
        (four("<file name='a'><url>http://h:x/a</url></file>"), "3: the port of the URL must be a number"),
        (four(""), "1: nothing in the list can be fetched"),
        ("<metalink><file/></metalink>", "1: this is no Metalink"), ("<a/>", "1: this is no Metalink"),
        ("<metalink", "1: this is no well-formed XML"), ("", "1: this is no well-formed XML"),
        ("<metalink>\n<a></b></metalink>", "2: this is no well-formed XML"),
        (
            "<!DOCTYPE m [<!ENTITY f SYSTEM 'file:///etc/passwd'>]>\n" + four("<file name='&f;'/>"),
            "1: a document type is not read"
        ),
        (String(repeating: "<a>", count: 5000), "1: elements lie in each other more than 100 deep"),
    ])
    func aFaultNamesItsLine(_ text: String, _ fault: String) throws {
        let faults = try bench.faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }

    @Test func otherEncodingsAreRead() throws {
        let head = "<?xml version='1.0' encoding='ISO-8859-1'?><metalink xmlns='urn:ietf:params:xml:ns:metalink'>"
        let bytes =
            Array((head + "<file name='").utf8) + [0xE4] + Array("'><url>http://h/a</url></file></metalink>".utf8)
        #expect(try bench.outcome(bytes).text.contains("to: \"ä\""))
    }
}
