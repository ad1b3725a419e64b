import RunnerImport
import Testing

/// Tables, and checksum lists.
@Suite struct TableListTests {
    private static let sum = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

    private static let wanted =
        "tasks:\n  - download: http://h/a\n    mirrors:\n      - http://m/a\n    to: \"x y\"\n    size: 1024\n"
        + "    sha256: \(sum)\n  - http://h/b\n"

    @Test(arguments: [
        (ListFormat.csv, "url,name,mirror,size,SHA-256\nhttp://h/a,\"x y\",http://m/a,1KiB,\(sum)\nhttp://h/b,,,,\n"),
        (
            .tsv,
            "url\tname\tmirror\tsize\tchecksum\nhttp://h/a\tx y\thttp://m/a\t1024\tsha256:\(sum)\nhttp://h/b\t\t\t\t\n"
        ),
        (
            .jsonl,
            "{\"url\": \"http://h/a\", \"name\": \"x y\", \"mirror\": \"http://m/a\", \"size\": 1024, \"sha256\": \"\(sum)\"}\n"
                + "{\"url\": \"http://h/b\"}\n"
        ),
    ])
    func columnsSayWhatIsInThem(_ format: ListFormat, _ text: String) throws {
        #expect(try ImportBench(format: format).tasks(text) == Self.wanted)
    }

    @Test func aColumnThatMeansNothingIsTold() throws {
        #expect(
            try ImportBench(format: .csv).warnings("url,color\nhttp://h/a,red\nhttp://h/b,blue\n") == [
                "2: the column `color` has no counterpart in a job file and was left out, here and in 1 more place"
            ])
    }

    @Test func theFirstOfTwoColumnsCounts() throws {
        let text = "url,to,name,size,bytes,mirror\nhttp://h/a,x,y,5,6,http://h/a\nhttp://h/b,z,z,7,7,\n"
        let bench = ImportBench(format: .csv)
        #expect(
            try bench.tasks(text)
                == "tasks:\n  - download: http://h/a\n    to: x\n    size: 5\n  - download: http://h/b\n    to: z\n"
                + "    size: 7\n")
        #expect(
            try bench.warnings(text)
                == ["name", "bytes"].map {
                    "2: the column `\($0)` says something else than one before it, and was left out"
                })
    }

    /// A list that is no table has a URL where the names are looked for.
    @Test func aColumnWithASecretIsNotShown() throws {
        let warnings = try ImportBench(format: .csv).warnings("url,http://h/a?token=abcd1\nhttp://h/a,b\n")
        #expect(warnings.count == 1 && warnings[0].contains("token=***"), "\(warnings)")
    }

    @Test func anIDIsNoDefault() throws {
        #expect(
            try ImportBench(format: .csv).faults(Array("url,id\nhttp://h/a,x\nhttp://h/b,x\n".utf8))
                == ["3: the id `x` is there twice"])
    }

    @Test(arguments: [
        ("name\na\n", "2: the row has no URL; its column is called `url`"),
        ("url\n\"http://h/a\n", "2: "), ("url,to\nhttp://h/a,x\nhttp://h/b,x\n", "3: `x` is written twice"),
        ("url,size\nhttp://h/a,much\n", "2: the size `much` "), ("url,sha256\nhttp://h/a,12\n", "2: "),
        ("url\n", "1: nothing in the list can be fetched"),
    ])
    func aFaultNamesItsLine(_ text: String, _ fault: String) throws {
        let faults = try ImportBench(format: .csv).faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }

    @Test func theFilesOfAChecksumListLieBelowItsURL() throws {
        let bench = ImportBench(name: "SHA256SUMS", base: "https://h/pub/SHA256SUMS")
        let text = "# c\n\(Self.sum)  ./d/a b#1\nSHA256 (c:d) = \(Self.sum)\n"
        #expect(
            try bench.tasks(text) == """
                tasks:
                  - download: https://h/pub/d/a%20b%231
                    to: "d/a b#1"
                    sha256: \(Self.sum)
                  - download: https://h/pub/c:d
                    to: c:d
                    sha256: \(Self.sum)

                """)
    }

    @Test(arguments: [
        (nil, "\(sum)  a\n", "1: a checksum list does not say where its files are; give --base URL"),
        ("http://h/", "\(sum)  a\nwords\n", "2: this is no line of a checksum list"),
        ("http://h/", "\(sum)\n", "1: this digest has no name of a file behind it"),
        ("http://h/", "\(sum)  ../a\n", "1: `../a` is no path below the list's folder"),
        ("http://h/", "\(sum)  /a\n", "1: `/a` is no path below the list's folder"),
    ])
    func aChecksumListHasFaultsOfItsOwn(_ base: String?, _ text: String, _ fault: String) throws {
        let faults = try ImportBench(name: "SHA256SUMS", base: base).faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }
}
