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
        ("proxy=\"\"", "proxy: none"), ("referer=\"\"", ""),
        ("referer=http://h/;auto", "headers:\n      Referer: http://h/"),
        ("max-filesize=1P", "expect:\n      max_size: 1024TiB"),
        ("request=PUT", "method: PUT"), ("request=GET", ""), ("max-redirs=0", "redirects:\n      max: 0"),
        ("max-redirs=-1", "redirects:\n      max: 100"), ("retry=0", "retry:\n      attempts: 1"),
        ("cookie=\"\"", ""), ("-H \"Expect:\"", ""), ("-H \"X-A;\"", "headers:\n      X-A: \"\""),
        ("-H \"X-A: 1\"\n-H \"x-a: 2\"", "headers:\n      X-A: \"1, 2\""),
        ("-b a=b\n-b c=d", "headers:\n      Cookie: ${secret:H_COOKIE}"),
        ("-sSLm5", "timeout:\n      attempt: 5s"), ("-sm 5", "timeout:\n      attempt: 5s"),
        (
            "-H \"Ocp-Apim-Subscription-Key: abcd\"",
            "headers:\n      Ocp-Apim-Subscription-Key: ${secret:H_OCP_APIM_SUBSCRIPTION_KEY}"
        ),
        ("-4", "ip: 4"), ("http1.1", "http_version: 1.1"), ("max-redirs=3", "redirects:\n      max: 3"),
        ("speed-limit=1000\nspeed-time=20", "min_rate: 1kB/s\n    timeout:\n      stall: 20s"),
    ])
    func anOptionIsAField(_ option: String, _ field: String) throws {
        let tasks = try bench.tasks("url=http://h/a\n\(option)\n")
        let wanted = field.isEmpty ? "  - http://h/a\n" : "  - download: http://h/a\n    \(field)\n"
        let start = option == "-J" ? tasks.replacing("    to: a\n", with: "") : tasks
        #expect(start == "tasks:\n" + wanted, "\(tasks)")
    }

    /// `json` is joined as it is, and the fields that a body of data has by itself yield to those that are given.
    @Test(arguments: [
        ("data=a=1\ndata=b=2", "Content-Type: FORM\n    method: POST\n    body: a=1&b=2"),
        ("-d a\n-H Content-Type:text/csv", "Content-Type: text/csv\n    method: POST\n    body: a"),
        ("json=1\njson=2", "Content-Type: JSON\n      Accept: JSON\n    method: POST\n    body: 12"),
        (
            "-d password=abcd",
            "Content-Type: FORM\n    method: POST\n    body: ${secret:H_BODY}"
        ),
    ])
    func dataIsABody(_ options: String, _ fields: String) throws {
        let tasks = try bench.tasks("url=http://h/a\n\(options)\n").replacing("\"", with: "")
        let short = tasks.replacing("application/x-www-form-urlencoded", with: "FORM")
            .replacing("application/json", with: "JSON")
        #expect(short == "tasks:\n  - download: http://h/a\n    headers:\n      \(fields)\n", "\(tasks)")
    }

    @Test(arguments: [("h/a", "http://h/a?x=1&y=2"), ("h/a?b=c#d", "\"http://h/a?b=c&x=1&y=2\"")])
    func dataOfAGetIsTheQuery(_ url: String, _ wanted: String) throws {
        let tasks = try bench.tasks("url=\"\(url)\"\nget\ndata=x=1\ndata=y=2\n")
        #expect(tasks.replacing("\"", with: "") == "tasks:\n  - \(wanted.replacing("\"", with: ""))\n", "\(tasks)")
    }

    /// The same URL with another body is another request.
    @Test func requestsAreToldApartByTheirBodies() throws {
        let text = "url=http://h/a\ndata=1\nnext\nurl=http://h/a\ndata=2\n-:\nurl=http://h/a\ndata=1\n"
        #expect(try bench.job(try bench.outcome(text)).tasks.count == 2)
    }

    @Test(arguments: [
        ("url=h/a?b=http://g/", "http://h/a?b=http://g/"), ("url=ftp.h/a", "ftp://ftp.h/a"),
        ("url=h/a[]", "http://h/a%5B%5D"),
    ])
    func aURLIsTakenAsCurlTakesIt(_ line: String, _ url: String) throws {
        let tasks = try bench.tasks(line + "\n").replacing("\"", with: "").replacing("[]", with: "%5B%5D")
        #expect(tasks.hasPrefix("tasks:\n  - \(url)\n"), "\(tasks)")
    }

    /// Neither the job nor a message has them.
    @Test(arguments: [
        "cert=a.pem:hunter2", "proxy-user=me:hunter2", "header=Authorization: Bearer hunter2",
        "header=\"X-Token hunter2\"", "header=\"Range: hunter2\"\nheader=\"Authorization hunter2\"",
        "tlspassword=hunter2", "data-urlencode=pw=hunter2", "-H \"X-Token: hunter2\"\n-H \"X-Token: hunter22\"",
    ])
    func secretsAreNotShown(_ option: String) throws {
        let text = "url=https://h/a\n\(option)\n"
        let findings: (diagnostics: [Diagnostic], sources: SourceMap)
        do {
            let outcome = try bench.outcome(text)
            #expect(!outcome.text.contains("hunter2"), "\(outcome.text)")
            findings = (outcome.warnings, outcome.sources)
        } catch let faults as JobFaults {
            findings = (faults.diagnostics, faults.sources)
        }
        let renderer = DiagnosticRenderer(findings.sources)
        let shown = findings.diagnostics.map { renderer.text($0) }.joined()
        // A field that is at fault and no secret is shown.
        #expect(!shown.replacing("Range: hunter2", with: "").contains("hunter2"), "\(shown)")
        #expect(!shown.isEmpty)
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
        ("url=http://h/a\n-L -O\n", "2: `location` takes no value"),
        ("url=http://h/a b\n", "1: what stands behind the value was left out"),
        ("url=http://h/a\n-A \"\"\n", "2: to send no `User-Agent` has no counterpart"),
        ("url=http://h/a\n-H Accept:\n", "2: to send no `Accept` has no counterpart"),
        ("url=http://h/a\nrange=0-1\n", "2: the option `range` has no counterpart"),
        ("url=http://h/a\noutput=-\n", "2: the output `-` is no file"),
        ("url=http://h/a\noutput=/dev/null\n", "2: the output `/dev/null` is no file"),
        ("url=http://h/a\noutput=/dev/stdout\n", "2: the output `/dev/stdout` is no file"),
    ])
    func whatIsLeftOutIsTold(_ text: String, _ warning: String) throws {
        let warnings = try bench.warnings(text)
        #expect(warnings.count == 1 && warnings[0].hasPrefix(warning), "\(warnings)")
        #expect(try bench.tasks(text) == "tasks:\n  - http://h/a\n")
    }

    @Test(arguments: [
        ("url=http://h/{a\n", "1: a `{` or `[` of the URL is not closed"),
        ("url=http://h/a\n-X GET\n-d a\n", "3: a body is not sent with GET"),
        ("url=http://h/a\n-X HEAD\n", "2: `HEAD` is no value for `request`"),
        ("url=http://h/a\n-X post\n", "2: `post` is no value for `request`"),
        ("url=http://h/{}\n", "1: there is nothing between"),
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
