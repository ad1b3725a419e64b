import RunnerJob
import Testing

@Suite struct TaskReaderTests {
    @Test func fillsInTheDefaultsOfTheProgram() throws {
        let task = try #require(try JobText.parse("version: 1\ntasks:\n- download: http://h/d/a\n").tasks.first)
        #expect(task.id == "a")
        #expect(task.place == Place(line: 3, column: 3))
        #expect(task.needs.isEmpty)
        #expect(!task.isOptional)
        #expect(task.priority == 0)
        #expect(task.retry == RetrySettings())
        #expect(task.timeout == TimeoutSettings())
        let download = task.download
        #expect(download.path.text == "a")
        #expect(download.exists == .verify)
        #expect(download.modificationTime == .now)
        #expect(download.expect == Expectations())
        #expect(download.mode == nil && download.size == nil && download.checksumList == nil)
        #expect(download.request === RequestSettings.standard)
    }

    @Test func readsEveryFieldOfADownload() throws {
        let task = try #require(
            try JobText.parseTask(
                "mirrors: [http://m/1, http://m/2]", "to: d/b", "id: x", "needs: y", "optional: true", "priority: -3",
                "size: 1KiB",
                "exists: replace", "mode: 0640", "mtime: server", "name: url", "user_agent: me/1"))
        #expect(task.id == "x")
        #expect(task.needs.map(\.name) == ["y"])
        #expect(task.isOptional)
        #expect(task.priority == -3)
        let download = task.download
        #expect(download.sources.map(\.url.text) == ["http://h/a", "http://m/1", "http://m/2"])
        #expect(download.path.text == "d/b")
        #expect(download.size == 1024)
        #expect(download.exists == .replace)
        #expect(download.mode == 0o640)
        #expect(download.modificationTime == .server)
        #expect(download.request.userAgent == "me/1")
    }

    @Test func readsRetryAndTimeout() throws {
        let task = try #require(
            try JobText.parseTask(
                "retry: {attempts: 2, backoff: linear, first: 0s, max: 2m, factor: 1.5, jitter: none, max_wait: 5m,",
                "  deadline: 1h, on: [server, rate_limited]}",
                "timeout: {connect: 1s, stall: 2s, attempt: 3s, total: 4s}"))
        var retry = RetrySettings()
        retry.attempts = 2
        retry.backoff = .linear
        retry.first = .zero
        retry.max = .seconds(120)
        retry.factor = 1.5
        retry.jitter = .none
        retry.maxWait = .seconds(300)
        retry.deadline = .seconds(3600)
        retry.on = [.server, .rateLimited]
        #expect(task.retry == retry)
        var timeout = TimeoutSettings()
        timeout.connect = .seconds(1)
        timeout.stall = .seconds(2)
        timeout.attempt = .seconds(3)
        timeout.total = .seconds(4)
        #expect(task.timeout == timeout)
    }

    @Test func readsExpectations() throws {
        let task = try #require(
            try JobText.parseTask(
                "expect: {status: [200, 203], min_size: 1, max_size: 2kB, type: not-html, content_type: Application/ZIP}"
            ))
        var expect = Expectations()
        expect.statuses = [200, 203]
        expect.minSize = 1
        expect.maxSize = 2000
        expect.type = .notHTML
        expect.mediaType = "application/zip"
        #expect(task.download.expect == expect)
        #expect(try JobText.parseTask("expect: {status: 404}")?.download.expect.statuses == [404])
    }

    @Test(
        arguments: [
            ("0644", 0o644), ("644", 0o644), ("0o600", 0o600), ("\"0755\"", 0o755), ("07777", 0o7777), ("0", 0),
        ] as [(String, UInt16)])
    func readsModesInOctal(text: String, mode: UInt16) throws {
        #expect(try JobText.parseTask("mode: \(text)")?.download.mode == mode)
    }

    @Test(arguments: ["010", "8", "1e2030", "1.10", "true", "null", "2024-01-02", "0x1F", "~"])
    func takesIDsAsText(id: String) throws {
        #expect(try JobText.parseTask("id: \(id)")?.id == ExactText(id))
    }

    @Test(arguments: [
        ("b", "b"), ("d/", "d/a"), ("./", "a"), ("./d//b", "d/b"), ("d/x/../b", "d/b"), ("/abs/b", "/abs/b"),
        ("/jobs/d/b", "d/b"),
        ("/jobs/", "a"), ("/jobsx/b", "/jobsx/b"), ("\"p$x\"", "p$x"), ("\"p$${x}\"", "p${x}"), ("\"b \"", "b "),
    ])
    func resolvesDestinations(to: String, path: String) throws {
        #expect(try JobText.parseTask("to: \(to)")?.download.path.text == path)
    }

    @Test func keepsNormalFormsApart() throws {
        let job = try JobText.parse(
            "version: 1\ntasks:\n- {download: http://h/1, to: \u{E9}}\n- {download: http://h/2, to: e\u{301}}\n")
        #expect(Set(job.tasks.map(\.id)).count == 2)
    }

    @Test(arguments: [
        ("- {id: a, to: a}", ["3:3: the task does nothing; say what with `download: URL`"]),
        (
            "- {download: http://h/a, extract: b, to: a}",
            ["3:26: a task does one thing; `extract` is another than `download`"]
        ),
        ("- download:http://h/a", ["3:3: a blank is missing behind `download:`"]),
        ("- [a]", ["3:3: a task is a mapping, such as `download: URL`, or a URL; this is a list"]),
        (
            "- http://h/",
            [
                "3:3: the URL gives the file no name; write it, such as `to: folder/name`, or `name: server` for the server's"
            ]
        ),
        (
            "- {download: http://h/, to: d/}",
            [
                "3:29: the URL gives the file no name; write it, such as `to: folder/name`, or `name: server` for the server's"
            ]
        ),
        (
            "- {download: http://h/}",
            [
                "3:3: the URL gives the file no name; write it, such as `to: folder/name`, or `name: server` for the server's"
            ]
        ),
        ("- hello", ["3:3: a URL begins with its scheme; write it in full, such as https://example.org/file"]),
        (
            "- {download: gopher://h/a, to: ../b}",
            [
                "3:14: the scheme `gopher` cannot be fetched; http, https, ftp, sftp and file can",
                "3:32: the path leaves the job's directory; write it without `..`, or as an absolute path",
            ]
        ),
        (
            "- {download: http://h/a, mirrors: [x, http://m/a, y]}",
            [
                "3:36: a URL begins with its scheme; write it in full, such as https://example.org/file",
                "3:51: a URL begins with its scheme; write it in full, such as https://example.org/file",
            ]
        ),
        (
            "- {download: http://h/a, name: sever}",
            ["3:32: unknown value `sever` for `name`; it takes url, server; did you mean `server`?"]
        ),
        ("- {download: http://h/a, pieces: 4}", ["3:26: unknown key `pieces` in a task"]),
        (
            "- {download: http://h/a, expect: {status: 99}}",
            ["3:43: `status` must be a whole number from 100 to 599, not `99`"]
        ),
        (
            "- {download: http://h/a, expect: {min_size: 2, max_size: 1}}",
            ["3:34: `min_size` is larger than `max_size`"]
        ),
        (
            "- {download: http://h/a, size: 3, expect: {max_size: 2}}",
            ["3:32: `size` is larger than the `max_size` of `expect`; no file can be both"]
        ),
        (
            "- {download: http://h/a, expect: {min_size: 4}, size: 3}",
            ["3:55: `size` is smaller than the `min_size` of `expect`; no file can be both"]
        ),
        (
            "- {download: http://h/a, expect: {content_type: zip}}",
            ["3:49: `content_type` wants a media type, such as application/zip, not `zip`"]
        ),
        ("-", ["3:2: `a task` has no value; write a text behind it"]),
    ])
    func refusesWhatIsNoTask(item: String, faults: [String]) {
        #expect(JobText.faults("version: 1\ntasks:\n\(item)\n") == faults)
    }

    /// Nothing in a list must not come to mean that nothing is checked.
    @Test(arguments: [
        "- {download: https://h/a, sha256: []}", "- {download: https://h/a, digest: []}",
        "- {download: https://h/a, digest: {file: 'https://h/s', sha256: []}}",
        "- {download: https://h/a, digest: {file: 'https://h/s', digest: []}}",
        "- {download: https://h/a, tls: {pin: []}}", "- {download: https://h/a, expect: {status: []}}",
        "- {upload: a, to: https://h/a, expect: {status: []}}", "- {run: [a], expect: {status: []}}",
    ])
    func refusesChecksOfNothing(item: String) {
        let faults = JobText.faults("version: 1\ntasks:\n\(item)\n")
        #expect(faults.count == 1 && faults.first?.contains("is an empty list") == true, "\(faults)")
    }

    /// What only HTTP has is not left out in silence where nobody speaks it.
    @Test(arguments: [
        ("ftp://h/a, auth: {bearer: t}", "3:25: `bearer` is for http and https, not for ftp"),
        ("sftp://h/a, auth: {digest: {user: u, password: p}}", "3:26: `digest` is for http and https, not for sftp"),
        ("file:///a, method: POST", "3:25: `method` is for http and https, not for file"),
        ("ftp://h/a, method: POST, body: x", "3:25: `method` is for http and https, not for ftp"),
        ("ftp://h/a, headers: {X-Key: k}", "3:25: `headers` is for http and https, not for ftp"),
        ("file:///a, cookies: jar", "3:25: `cookies` is for http and https, not for file"),
        ("sftp://h/a, user_agent: me", "3:26: `user_agent` is for http and https, not for sftp"),
        ("ftp://h/a, auth: {basic: {user: u, password: p}}", nil),
        ("ftp://h/a, mirrors: 'https://h/a', headers: {X-Key: k}", nil),
        ("ftp://h/a, mirrors: 'https://h/a', auth: {bearer: t}", nil),
        ("https://h/a, mirrors: 'ftp://h/a', method: POST, body: x", nil),
    ])
    func refusesWhatOnlyHTTPHas(fields: String, fault: String?) {
        let faults = JobText.faults("version: 1\ntasks:\n- {download: \(fields), to: f}\n")
        #expect(faults.first == fault, "\(faults)")
    }

    @Test func ignoresKeysThatBeginWithX() throws {
        let task = try JobText.parseTask("x-note: [1]", "retry: {x-a: b}", "expect: {x-c: d}")
        #expect(task?.retry == RetrySettings())
    }
}
