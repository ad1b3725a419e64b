import RunnerImport
import RunnerJob
import Testing

/// Configuration files of curl.
@Suite struct CurlConfigTests {
    private let bench = ImportBench(format: .curl)

    @Test(arguments: [
        "url=http://h/a", "url = \"http://h/a\"", "--url http://h/a", "url: http://h/a", "  url\thttp://h/a  # behind",
        "url \"http:\\/\\/h/a\"", "url = h/a",
    ])
    func anOptionHasManySpellings(_ line: String) throws {
        #expect(try bench.tasks(line + "\n") == "tasks:\n  - http://h/a\n")
    }

    @Test func outputsBelongToURLsByTheirOrder() throws {
        let text = "-o \"one 1\"\nurl=http://h/a\nurl=http://h/b\n-O\nurl=http://h/c\noutput-dir=d\n"
        #expect(
            try bench.tasks(text)
                == "tasks:\n  - download: http://h/a\n    to: \"d/one 1\"\n  - download: http://h/b\n    to: d/b\n"
                + "  - download: http://h/c\n    to: d/c\n")
    }

    @Test func optionsEndAtNext() throws {
        let text = "url=http://h/a\nuser-agent=x/1\nnext\nurl=http://h/b\nmax-time=1.5\n"
        #expect(
            try bench.tasks(text) == """
                tasks:
                  - download: http://h/a
                    user_agent: x/1
                  - download: http://h/b
                    timeout:
                      attempt: 1500ms

                """)
    }

    /// What all tasks have alike is said once.
    @Test func commonFieldsAreDefaults() throws {
        let text = "url=http://h/a\nurl=http://h/b\nuser-agent=x/1\nretry=3\nparallel-max=4\n"
        #expect(
            try bench.tasks(text) == """
                limits:
                  concurrency: 4
                defaults:
                  user_agent: x/1
                  retry:
                    attempts: 4
                tasks:
                  - http://h/a
                  - http://h/b

                """)
    }

    @Test(arguments: [
        ("http://h/[1-3]", ["1", "2", "3"]), ("http://h/[08-10]", ["08", "09", "10"]),
        ("http://h/[1-9:4]", ["1", "5", "9"]), ("http://h/[a-c]", ["a", "b", "c"]),
        ("http://h/{x,y}", ["x", "y"]), ("http://h/\\{x\\}", ["{x}"]),
        ("http://h/{x,y}[1-2]", ["x1", "x2", "y1", "y2"]),
    ])
    func patternsStandForManyURLs(_ url: String, _ names: [String]) throws {
        let tasks = try bench.job(try bench.outcome("url = \"\(url.replacing("\\", with: "\\\\"))\"\n")).tasks
        let urls = tasks.compactMap { task -> SourceURL? in
            guard case .download(let download) = task.action else { return nil }
            return download.sources.first
        }
        #expect(urls.map { $0.url.text } == names.map { "http://h/" + $0 })
    }

    @Test func anOutputNamesWhatAPatternStoodFor() throws {
        let tasks = try bench.tasks("url=http://{g,h}/[1-2]\noutput=\"#2-#1#3\"\n")
        #expect(tasks.contains("download: http://h/1\n    to: \"1-h#3\"\n"), "\(tasks)")
        #expect(
            try bench.tasks("globoff\nurl=http://[::1]/a\n")
                == "tasks:\n  - http://[::1]/a\n".replacing("http://[::1]/a", with: "\"http://[::1]/a\""))
        #expect(try bench.tasks("url=http://[::1]/a\n").contains("[::1]"))
    }

    @Test(arguments: [
        ("location", ""), ("-fsSL", ""),
        ("user = \"me:pw12\"", "auth:\n      basic:\n        user: me\n        password: ${secret:H_PASSWORD}"),
        ("digest\nuser=me:pw12", "auth:\n      digest:\n        user: me\n        password: ${secret:H_PASSWORD}"),
        ("oauth2-bearer=abcd", "auth:\n      bearer: ${secret:H_TOKEN}"), ("netrc", "auth:\n      netrc: true"),
        ("netrc-file=n", "auth:\n      netrc: n"), ("cookie=c.txt", "cookies: c.txt"),
        ("cookie=\"a=b\"", "headers:\n      Cookie: ${secret:H_COOKIE}"), ("-J", "name: server"),
        ("-R", "mtime: server"), ("limit-rate=1M", "rate: 1MiB/s"),
        ("max-filesize=5k", "expect:\n      max_size: 5KiB"),
        ("data=a=1\ndata=b=2", "method: POST\n    body: a=1&b=2"), ("request=PUT", "method: PUT"),
        ("-4", "ip: 4"), ("http1.1", "http_version: 1.1"), ("max-redirs=3", "redirects:\n      max: 3"),
        ("speed-limit=1000\nspeed-time=20", "min_rate: 1kB/s\n    timeout:\n      stall: 20s"),
    ])
    func anOptionIsAField(_ option: String, _ field: String) throws {
        let tasks = try bench.tasks("url=http://h/a\n\(option)\n")
        let wanted = field.isEmpty ? "  - http://h/a\n" : "  - download: http://h/a\n    \(field)\n"
        let start = option == "-J" ? tasks.replacing("    to: a\n", with: "") : tasks
        #expect(start == "tasks:\n" + wanted, "\(tasks)")
    }

    @Test func filesOfTLSAreForEncryptedURLs() throws {
        let text = "cacert=ca.pem\ncert=me.pem\nkey=me.key\npass=word1\nurl=https://h/a\n"
        let tasks = try bench.tasks(text)
        #expect(
            tasks.contains(
                "tls:\n      ca: ca.pem\n      cert: me.pem\n      key: me.key\n      passphrase: ${secret:H_PASSPHRASE}\n"
            ))
        #expect(try !bench.tasks(text.replacing("https", with: "http")).contains("tls"))
    }

    @Test(arguments: [
        ("url=http://h/a\n-k\n", "2: certificates are always verified"),
        ("url=http://h/a\nrange=0-1\n", "2: the option `range` has no counterpart"),
        ("url=http://h/a\noutput=-\n", "2: the output `-` is no file"),
        ("url=http://h/a\noutput=/dev/null\n", "2: the output `/dev/null` is no file"),
    ])
    func whatIsLeftOutIsTold(_ text: String, _ warning: String) throws {
        let warnings = try bench.warnings(text)
        #expect(warnings.count == 1 && warnings[0].hasPrefix(warning), "\(warnings)")
        #expect(try bench.tasks(text) == "tasks:\n  - http://h/a\n")
    }

    @Test(arguments: [
        ("url=http://h/{a\n", "1: a `{` or `[` of the URL is not closed"),
        ("url=http://h/[3-1]\n", "1: the range in brackets is none"),
        ("url=http://h/[1-1000000]\n", "1: the patterns of the URL stand for more than 100000"),
        ("url=http://h/[1-9999][1-9999]\n", "1: the patterns of the URL stand for more than 100000"),
        ("url=http://h/a\nupload-file=b\n", "2: `upload-file` is not taken over; only downloads are"),
        ("url=http://h/a\ndata=@b\n", "2: `data` is not taken over"),
        ("url=http://h/a\nmax-time=x\n", "2: `x` is no value for `max-time`, which takes a number of seconds"),
        ("url=http://h/a\noutput=\"\\n\"\n", "1: a path cannot hold a control character"),
    ])
    func aFaultNamesItsLine(_ text: String, _ fault: String) throws {
        let faults = try bench.faults(Array(text.utf8))
        #expect(faults.count == 1 && faults[0].hasPrefix(fault), "\(faults)")
    }
}
