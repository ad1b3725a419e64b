import Testing

@testable import RunnerJob

@Suite struct RowParserTests {
    /// The rows of a text as `line: column=value …`, however it is cut into pieces.
    private func rows(
        _ text: String, _ format: RowFormat, columns: [String]? = nil, bytes: [UInt8]? = nil, name: String = "f"
    ) -> [String] {
        let bytes = bytes ?? Array(text.utf8)
        var results: [[String]] = []
        for size in [1, 2, 7, 1000] {
            var parser = format.parser(columns: columns, fileName: name)
            var rows: [String] = []
            let emit: (MatrixRow) -> Bool = { row in
                let pairs = zip(row.columns, row.values).map { "\($0)=\($1 ?? "nil")" }
                rows.append("\(row.line): " + pairs.joined(separator: " "))
                return true
            }
            do throws(RowFault) {
                for start in stride(from: 0, to: bytes.count, by: size) {
                    _ = try parser.take(bytes[start..<min(bytes.count, start + size)], emit)
                }
                _ = try parser.end(emit)
            } catch {
                rows.append("\(error.line): error: \(error.message)")
            }
            results.append(rows)
        }
        #expect(Set(results).count == 1)
        return results[0]
    }

    @Test(arguments: [
        ("a,b\n1,2\n3,4", ["2: a=1 b=2", "3: a=3 b=4"]),
        ("a,b\r\n1,2\r\n\r\n3,4\r\n", ["2: a=1 b=2", "4: a=3 b=4"]),
        ("\u{FEFF}a,b\n1,2\n", ["2: a=1 b=2"]),
        ("a,b\n\"1,\"\"x\"\"\",\" 2\"\n", ["2: a=1,\"x\" b= 2"]),
        ("a,b\n\"1\n2\",3\n4,5\n", ["2: a=1\n2 b=3", "4: a=4 b=5"]),
        ("a,b\n,\n\"\",x\n", ["2: a= b=", "3: a= b=x"]),
        (" a , b \n 1, 2\n", ["2: a= 1 b= 2"]),
        ("a\n\"\"\n", ["2: a="]),
        ("a,b\nx\"y,2\n", ["2: a=x\"y b=2"]),
        ("a,b\n", []), ("", []),
        (
            "a,b\n1,2,3\n4,5\n",
            [
                "2: error: the row has 3 fields, but there are 2 columns; put a field in quotes that holds the separator, and leave no field out"
            ]
        ),
        (
            "a,b\n1\n",
            [
                "2: error: the row has 1 field, but there are 2 columns; put a field in quotes that holds the separator, and leave no field out"
            ]
        ),
        ("a,b\n\"1\"x,2\n", ["2: error: there is text behind a closing quote; double a quote that is meant"]),
        (
            "a,b\n1,2\n\"3,4\n5,6\n",
            ["2: a=1 b=2", "3: error: a quote of this row is not closed before the end of the file"]
        ),
    ])
    func readsCSV(text: String, expected: [String]) {
        #expect(rows(text, .csv) == expected)
    }

    @Test func takesNamesOfColumnsFromOutside() {
        #expect(rows("1,2\n", .csv, columns: ["x", "y"]) == ["1: x=1 y=2"])
    }

    @Test func readsTSVWithoutQuotes() {
        #expect(rows("a\tb\n\"x\"\t1,2\n", .tsv) == ["2: a=\"x\" b=1,2"])
    }

    @Test func refusesWhatIsNoUTF8() {
        #expect(
            rows("", .csv, bytes: Array("a\n".utf8) + [0xFF, 0x0A])
                == ["2: error: the row is not in UTF-8; save the file with that encoding"])
        #expect(
            rows("", .lines, bytes: [0xFF]) == ["1: error: the line is not in UTF-8; save the file with that encoding"])
    }

    @Test(arguments: [
        ("{\"a\": \"x\", \"b\": 1.50}\n\n{\"b\":2,\"c\":true}\n", ["1: a=x b=1.50", "3: a=nil b=2 c=true"]),
        ("{\"a\":\"\\u00e9\\ud83d\\ude00\\n\\/\"}", ["1: a=é😀\n/"]),
        ("{\"a\":null,\"b\":[1,{\"c\":[]}],\"d\":{}, \"e\":-1e3}", ["1: a=nil b=nil d=nil e=-1e3"]),
        ("{}\r\n", ["1: "]),
        ("[1]", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
        ("{\"a\":1} x", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
        ("{\"a\":01}", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
        ("{\"a\":\"\\ud83d\"}", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
        ("{\"a\":\"x}", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
        ("{\"a\":1,\"b\":2,\"a\":1}", ["1: error: the line has two members `a`"]),
        ("{\"a\":nul}", ["1: error: the line is no JSON object, such as {\"url\": \"https://…\"}"]),
    ])
    func readsJSONLines(text: String, expected: [String]) {
        #expect(rows(text, .jsonl) == expected)
    }

    @Test func bearsDeepJSON() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(rows("{\"a\":\(deep)}", .jsonl).first?.contains("no JSON object") == true)
    }

    @Test func readsLinesAndPassesOverComments() {
        #expect(rows("# x\n\n  a b \r\nc", .lines) == ["3: line=a b", "4: line=c"])
        #expect(rows("a\n", .lines, columns: ["url"]) == ["1: url=a"])
    }

    @Test func readsChecksumLists() {
        let hex = String(repeating: "ab", count: 32)
        let md5 = String(repeating: "cd", count: 16)
        #expect(
            rows("# x\n\(hex)  pool/a b.iso\nMD5 (c) = \(md5)\n\(hex)\n", .checksums) == [
                "2: digest=sha256:\(hex) path=pool/a b.iso name=a b.iso", "3: digest=md5:\(md5) path=c name=c",
                "4: digest=sha256:\(hex) path=nil name=nil",
            ])
        #expect(
            rows("<html>\n", .checksums)
                == ["1: error: this is no line of a checksum list, such as `DIGEST  path`"])
    }

    @Test(arguments: [
        ("a.csv", RowFormat.csv), ("A.CSV", .csv), ("a.tsv", .tsv), ("a.tab", .tsv), ("a.jsonl", .jsonl),
        ("a.ndjson", .jsonl), ("urls.txt", .lines), ("urls", .lines), ("SHA256SUMS", .checksums),
        ("x/sha512sums.txt", .checksums), ("a.iso.sha256", .checksums), ("a.md5", .checksums), ("-", .lines),
    ])
    func tellsFormatsByName(name: String, format: RowFormat) {
        #expect(RowFormat(fileName: name) == format)
    }
}
