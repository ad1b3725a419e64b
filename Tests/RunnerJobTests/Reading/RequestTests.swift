import RunnerJob
import Testing

@Suite struct RequestTests {
    private let environment = ["TOKEN": "S3CRET"]

    private func job(_ lines: String) throws(JobFaults) -> Job {
        try JobText.parse(JobText.task(lines), environment: environment)
    }

    @Test func readsHeadersInTheirOrder() throws {
        let headers = try #require(try job("headers: {X-B: 2, Accept: ' text/plain ', x-a: ''}").tasks.first).download
            .request.headers
        #expect(headers.map(\.name) == ["X-B", "Accept", "x-a"])
        #expect(headers.map(\.value) == ["2", "text/plain", ""])
        #expect(headers.allSatisfy { !$0.isCredential })
    }

    @Test(arguments: [
        "Authorization: Bearer x", "cookie: a=x", "Proxy-Authorization: x", "X-Token: \"${secret:TOKEN}\"",
        "X: \"a${secret:TOKEN}b\"",
    ])
    func bindsCredentialsToTheirOrigin(header: String) throws {
        let headers = try #require(try job("headers: {\(header)}").tasks.first).download.request.headers
        #expect(headers.map(\.isCredential) == [true])
    }

    @Test func bindsSecretsThatComeThroughVariables() throws {
        let job = try JobText.parse(
            "version: 1\nvars: {t: \"${secret:TOKEN}\", u: \"x${t}\"}\ntasks:\n- {download: http://h/a, headers: {X: \"${u}\"}}\n",
            environment: environment)
        #expect(
            job.tasks.first?.download.request.headers == [HeaderField(name: "X", value: "xS3CRET", isCredential: true)])
    }

    @Test(arguments: [
        ("headers: {Authorization: Bearer abc}", ["Bearer abc", "abc"]),
        ("headers: {Cookie: 'a=b1; c=d2'}", ["a=b1; c=d2", "b1", "d2", "c=d2"]),
        ("headers: {X: \"${secret:TOKEN}\"}", ["S3CRET"]), ("auth: {bearer: tok}", ["tok"]),
        ("auth: {basic: {user: u, password: pw}}", ["pw", "dTpwdw=="]),
        ("mirrors: http://u:p%40ss@m/a", ["p@ss", "dTpwQHNz"]), ("mirrors: http://tok@m/a", ["tok", "dG9rOg=="]),
        ("headers: {X: y}", []),
        ("auth: {basic: {user: u, password: ''}}", []),
    ])
    func collectsSecrets(line: String, secrets: [String]) throws {
        #expect(try job(line).secrets == Set(secrets))
    }

    @Test func readsCredentials() throws {
        #expect(try job("auth: {bearer: \"${secret:TOKEN}\"}").tasks.first?.download.request.auth == .bearer("S3CRET"))
        #expect(
            try job("auth: {basic: {user: u, password: 'p:w'}}").tasks.first?.download.request.auth
                == .basic(user: "u", password: "p:w"))
    }

    @Test(arguments: [("corp.pem", "/jobs/corp.pem"), ("../ca/x.pem", "/ca/x.pem"), ("/etc/ca.pem", "/etc/ca.pem")])
    func findsAuthoritiesFromTheFolderOfTheFile(ca: String, path: String) throws {
        let text = "version: 1\ndirectory: elsewhere\ntasks:\n- {download: http://h/a, tls: {ca: \(ca)}}\n"
        #expect(try JobText.parse(text).tasks.first?.download.request.network.tls.authorities == path)
    }

    @Test(arguments: [
        ("headers: {Range: bytes=0-}", "4:15: the header field `Range` steers the transfer and cannot be set"),
        (
            "headers: {content-length: 3}",
            "4:15: the header field `content-length` steers the transfer and cannot be set"
        ),
        ("headers: {\"a b\": c}", "4:15: `a b` is no name of a header field"),
        ("headers: {\"\": c}", "4:15: `` is no name of a header field"),
        ("headers: {A: \"x\\r\\nB: y\"}", "4:18: a header field cannot hold a line break or another control character"),
        ("headers: {A: x, a: y}", "4:21: the header field `a` is there twice; their case does not matter"),
        ("headers: {A: [x]}", "4:18: `A` wants a text, not a list"),
        ("headers: [A]", "4:14: `headers` wants a mapping, such as `headers: {Accept: application/json}`"),
        ("auth: {}", "4:11: `auth` wants one of `basic`, `digest`, `bearer`, `netrc` and `aws_sigv4`"),
        (
            "auth: {bearer: x, basic: {user: u, password: p}}",
            "4:11: `auth` wants one of `basic`, `digest`, `bearer`, `netrc` and `aws_sigv4`"
        ),
        (
            "auth: {kerberos: {}}",
            "4:12: unknown key `kerberos` in `auth`; it takes `basic`, `digest`, `bearer`, `netrc`, `aws_sigv4`"
        ),
        ("auth: {basic: {user: u}}", "4:19: `basic` needs `password`"),
        ("auth: {basic: {user: 'u:v', password: p}}", "4:19: the user of `basic` cannot hold a colon"),
        ("auth: {bearer: ''}", "4:20: `bearer` must not be empty"),
        ("tls: {ca: ../../x}", "4:15: the path leads above the root folder"),
        ("tls: {ca: ''}", "4:15: the path is empty; write where the file is"),
        (
            "tls: {insecure: true}",
            "4:11: unknown key `insecure` in `tls`; it takes `ca`, `pin`, `cert`, `key`, `passphrase`"
        ),
        ("user_agent: \"a\\nb\"", "4:17: `user_agent` cannot hold a line break or another control character"),
    ])
    func refusesTheRest(line: String, fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }

    /// A secret may make any text wrong; what is wrong is said without it.
    @Test(arguments: [
        "to: \"../${secret:TOKEN}\"", "digest: \"${secret:TOKEN}:aa\"", "mirrors: \"${secret:TOKEN}:aa\"",
        "mirrors: \"${secret:TOKEN}://h/a\"", "size: \"1${secret:TOKEN}\"",
        "timeout: {total: \"1${secret:TOKEN}\"}", "mode: \"${secret:TOKEN}\"", "optional: \"${secret:TOKEN}\"",
        "exists: \"${secret:TOKEN}\"",
        "priority: \"${secret:TOKEN}\"", "expect: {content_type: \"${secret:TOKEN}\"}", "sha256: \"${secret:TOKEN}\"",
        "name: \"${secret:TOKEN}\"",
    ])
    func saysNoSecret(line: String) throws {
        let faults = #expect(throws: JobFaults.self) { _ = try job(line) }
        let renderer = DiagnosticRenderer(faults?.sources ?? SourceMap())
        let text = (faults?.diagnostics ?? []).map { renderer.text($0) }.joined()
        #expect(!text.isEmpty)
        #expect(!text.lowercased().contains("s3cret"))
    }
}
