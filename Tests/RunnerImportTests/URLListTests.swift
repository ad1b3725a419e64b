import RunnerImport
import RunnerJob
import Testing

/// Lists of URLs, as wget takes them.
@Suite struct URLListTests {
    @Test func aURLIsATask() throws {
        let text = " http://h/a\n#c\n\nhttps://h/b%20c?d=e&f#g\n"
        #expect(try ImportBench().tasks(text) == "tasks:\n  - http://h/a\n  - https://h/b%20c?d=e&f\n")
        #expect(try ImportBench().warnings(text) == [])
    }

    @Test func namesAreMadeDifferent() throws {
        let text = "http://h/a\nhttp://g/a\nhttp://g/a.1\nhttp://f/a\nhttp://h/a\nhttp://h/\n"
        #expect(
            try ImportBench().tasks(text) == """
                tasks:
                  - http://h/a
                  - download: http://g/a
                    to: a.1
                  - download: http://g/a.1
                    to: a.1.1
                  - download: http://f/a
                    to: a.2
                  - download: http://h/
                    to: index.html

                """)
        #expect(
            try ImportBench().warnings(text) == [
                "2: `a` is taken, so that this goes to `a.1`", "3: `a.1` is taken, so that this goes to `a.1.1`",
                "4: `a` is taken, so that this goes to `a.2`",
                "5: this URL stands in the list before, and is fetched once",
            ])
    }

    /// To a file system they are two names.
    @Test func namesAreComparedByTheirBytes() throws {
        #expect(try ImportBench().warnings("http://h/e%CC%81\nhttp://h/%C3%A9\n") == [])
    }

    /// What would be a variable of the job file is a text in the list.
    @Test func dollarsStayDollars() throws {
        let outcome = try ImportBench().outcome("http://h/${a}$$b$c\n")
        let job = try ImportBench().job(outcome)
        #expect(job.tasks.map(\.id.text) == ["${a}$$b$c"])
    }

    @Test func aBaseIsForWhatIsRelative() throws {
        let tasks = try ImportBench(format: .urls, base: "http://h/d/list.txt").tasks("a\n../b\n//g/c\nhttp://f/e\n")
        #expect(tasks == "tasks:\n  - http://h/d/a\n  - http://h/b\n  - http://g/c\n  - http://f/e\n")
    }

    @Test(arguments: [
        ("http://h/a\nhttp://h:x/\n", "2: the port of the URL must be a number from 0 to 65535"),
        ("http://h/a\nwww.example.org/b\n", "2: a URL begins with its scheme"),
        ("http://h/a\n/b\n", "2: a URL begins with its scheme"),
    ])
    func aFaultNamesItsLine(_ text: String, _ fault: String) throws {
        let faults = try ImportBench().faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }

    @Test func aPasswordIsNotCopied() throws {
        let text = "ftp://me:geheim@h.test/a\nhttp://me:geheim@h.test/b\nhttp://you:other1@h.test/c\n"
        let outcome = try ImportBench().outcome(text)
        #expect(!outcome.text.contains("geheim") && !outcome.text.contains("other1"))
        #expect(outcome.text.contains("user: me\n        password: ${secret:H_TEST_PASSWORD}\n"))
        #expect(outcome.text.contains("user: you\n        password: ${secret:H_TEST_PASSWORD_2}\n"))
        #expect(outcome.warnings.count == 2)
        #expect(outcome.sources.secrets.isSuperset(of: ["geheim", "other1"]))
        _ = try ImportBench().job(outcome)
    }
}
