import RunnerJob
import Testing

/// A line that is shown for a fault keeps the credentials to itself that are written in it.
@Suite struct LiteralCredentialTests {
    @Test(arguments: [
        // Keys and values that are not read.
        "auth: {baerer: pl4nted}", "auth: {bearer: [pl4nted, b]}", "auth: {basic: {user: u, pasword: pl4nted}}",
        "auth: {basic: \"u:pl4nted\"}", "auth: pl4nted", "auth: {bearer: pl4nted, digest: 1}",
        "auth:\n      baerer: pl4nted", "auth:\n      basic:\n        user: u\n        pasword: pl4nted",
        "auth: {aws_sigv4: {region: r, access_key: a, secret: pl4nted}}",
        "auth: {basic: {user: 'a:b', password: pl4nted}}",
        "autth: {bearer: pl4nted}", "passwd: pl4nted", "tls: {passphrase: {a: pl4nted}}", "tls: {pasphrase: pl4nted}",
        "proxy: \"u:pl4nted@:x\"", "proxy: \"htp://u:pl4nted@h:1\"", "proxy: [\"http://u:pl4nted@h:1\"]",
        "headers: {Cookie: {a: pl4nted}}", "headers: {authorization: [\"Bearer pl4nted\"]}",
        "nonsense: 1, auth: {bearer: pl4nted}",
        // What is no YAML.
        "auth: {bearer: *pl4nted}", "auth: {bearer: \"pl4nted}", "auth: {basic: {user: u, password: pl4nted}}, to: [a",
        "'auth' : {'bearer': 'pl4nted'}, to: [a", "proxy: \"http://u:pl4nted@h:1\", to: [a", "password: pl4nted, : {",
        "auth: {bearer: pl4nted, <<: *none}", "auth: {bearer: !!binary pl4nted}", "auth: {bearer: pl4nted\u{1}}",
    ])
    func areNotShown(_ fields: String) throws {
        for isFlow in [true, false] where !(isFlow && fields.contains("\n")) {
            let task =
                isFlow ? "  - {download: \"http://h/a\", \(fields)}\n" : "  - download: http://h/a\n    \(fields)\n"
            let text = JobText.report(JobText.input("version: 1\ntasks:\n" + task))
            #expect(text.contains("error: "))
            #expect(!text.contains("pl4nted"), "\(text)")
        }
    }

    @Test(arguments: [
        ("proxy: \"htp://proxy:80\"", "proxy: \"htp://proxy:80\""),
        ("auth: {basic: {usr: me, password: \"${secret:X}\"}}", "password: \"${secret:X}\""),
        ("auth: {netrc: my.netrc, bogus: 1}", "netrc: my.netrc"),
        ("digest: \"sha256:12\", sizee: 1", "digest: \"sha256:12\""),
        ("path: there", "path: there"), ("sizee: [1", "sizee: [1"),
    ])
    func whatIsNoCredentialIsShown(_ fields: String, shown: String) throws {
        let text = JobText.report(JobText.input("version: 1\ntasks:\n  - {download: \"http://h/a\", \(fields)}\n"))
        #expect(text.contains("error: ") && text.contains(shown), "\(text)")
    }

    @Test(arguments: [
        "u p:pl4nted", "u:p pl4nted", "u:pl4nted b", "u:pl4nted'b", "u:pl4nted<", "u:?pl4nted", "u:/pl4nted",
        "u:#pl4nted",
        "u:pl4nted%00", "pl4nted@x y", "u:pl4nted@h:x", "u:x@pl4nted",
    ])
    func ofURLsThatCannotBeReadAreNotShown(_ user: String) {
        let url = "http://\(user)@h/a"
        for task in [
            "  - download: \"\(url)\"\n", "  - \"\(url)\"\n",
            "  - {download: \"http://h/a\", mirrors: [\"\(url)\"], size: x}\n",
            "  - {upload: f, to: \"\(url)\", sizee: 1}\n", "  - {download: \"http://h/a\", proxy: \"\(url)\"}\n",
            "  - {download: \"http://h/a\", digest: {file: \"\(url)\"}, sizee: 1}\n",
        ] {
            let text = JobText.report(JobText.input("version: 1\ntasks:\n" + task))
            #expect(!text.contains("pl4nted"), "\(text)")
        }
    }

    @Test func aFileThatIsIncludedIsNoLessCareful() {
        for line in ["auth: {baerer: pl4nted}", "auth: {bearer: pl4nted"] {
            let text = JobText.report(
                JobText.input(
                    "version: 1\ninclude: more.yaml\ntasks: []\n",
                    files: ["/jobs/more.yaml": "version: 1\ndefaults: {\(line)}\ntasks: []\n"]))
            #expect(text.contains("more.yaml:") && text.contains("error: "), "\(text)")
            #expect(!text.contains("pl4nted"), "\(text)")
        }
    }
}
