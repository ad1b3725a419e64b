import RunnerImport
import Testing

/// What a list is, by its name or its text.
@Suite struct ListFormatTests {
    private static let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    @Test(arguments: [
        (
            "a.meta4",
            #"<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a"><url>http://h/a</url></file></metalink>"#,
            ListFormat.metalink
        ),
        (
            "list",
            "\n<?xml version='1.0'?>".dropFirst().description
                + #"<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="a"><url>http://h/a</url></file></metalink>"#,
            .metalink
        ),
        ("list.txt", "http://h/a\nhttp://h/b\n", .urls),
        ("list.txt", "\u{FEFF}http://h/a\r\nhttp://h/b\r\n", .urls),
        ("list.txt", "# comment\n\nhttp://h/a?x=1\n", .urls),
        ("list.txt", "http://h/a\n  out=b\n", .aria2), ("list.txt", "http://h/a\thttp://m/a\n", .aria2),
        ("list.aria2", "http://h/a\n", .aria2),
        ("list", "url = http://h/a\n", .curl), ("list", "# c\n--url http://h/a\n", .curl),
        ("list", "-o x\nurl=http://h/a\n", .curl), (".curlrc", "url http://h/a", .curl),
        ("SHA256SUMS", "\(sum)  a\n", .checksums), ("list", "\(sum)  a\n", .checksums),
        ("list", "SHA256 (a) = \(sum)\n", .checksums), ("a.sha256", "\(sum) *a\n", .checksums),
        ("t.csv", "url\nhttp://h/a\n", .csv), ("list", "name,url\na,http://h/a\n", .csv),
        ("list", "name\tURL\na\thttp://h/a\n", .tsv), ("t.jsonl", "{\"url\": \"http://h/a\"}\n", .jsonl),
        ("list", "{\"url\": \"http://h/a\"}\n", .jsonl),
    ])
    func isTold(_ name: String, _ text: String, _ format: ListFormat) throws {
        #expect(try ImportBench(name: name, base: "http://h/").outcome(text).format == format)
    }

    @Test func whatIsSaidWins() throws {
        #expect(try ImportBench(name: "a.csv", format: .urls).outcome("http://h/a\n").format == .urls)
    }

    @Test(arguments: [
        ("", "1: the list is empty"), ("\n \n", "1: the list is empty"),
        ("some words\n", "1: what kind of list this is cannot be told; say it by --format"),
        ("<html><a href='http://h/a'>", "1: what kind of list this is cannot be told; say it by --format"),
        ("magnet:?xt=urn:btih:1\n", "1: nothing in the list can be fetched"),
    ])
    func aListThatIsNoneIsTold(_ text: String, _ fault: String) throws {
        #expect(try ImportBench().faults(Array(text.utf8)) == [fault])
    }

    @Test func otherEncodingsAreTold() throws {
        #expect(try ImportBench().faults([0xFF, 0xFE, 0x68, 0]).first?.contains("UTF-16") == true)
        let latin = Array("http://h/a\nhttp://h/".utf8) + [0xE4, 0x0A]
        #expect(try ImportBench().faults(latin) == ["2: the line is not in UTF-8; save the file with that encoding"])
    }
}
