import Testing

@testable import RunnerJob

/// `rewrite`, `allow` and `block` of `hosts`.
@Suite struct HostRoutesTests {
    private func job(_ text: String) throws -> Job {
        try JobText.parse("version: 1\n" + text, environment: ["T": "t0psecret"])
    }

    private func faults(_ text: String, environment: [String: String] = [:]) -> String {
        JobText.report(JobText.input(text, environment: environment))
    }

    private func download(_ text: String) throws -> Download { try #require(try job(text).tasks.first).download }

    @Test(arguments: [
        ("http://a.test/debian/pool/x.deb?v=1", "https://m.test/deb/pool/x.deb?v=1"),
        ("http://a.test/debian/security/x.deb", "https://m.test/sec/x.deb"),
        ("http://a.test/debian-security/x.deb", "http://a.test/debian-security/x.deb"),
        ("http://b.test/x", "ftp://m.test/b/x"), ("http://b.test", "ftp://m.test/b/"),
        // Once, though `m.test` has a section of its own.
        ("http://m.test/x", "http://c.test/x"), ("http://c.test/x", "http://c.test/x"),
        ("http://sub.d.test/x", "http://c.test/x"), ("http://own.d.test/x", "http://own.d.test/x"),
    ])
    func aURLIsAskedForElsewhere(_ url: String, _ wanted: String) throws {
        let download = try download(
            """
            hosts:
              a.test: {rewrite: {/debian/: "https://m.test/deb/", /debian/security/: "https://m.test/sec/"}}
              b.test: {rewrite: "ftp://m.test/b/"}
              m.test: {rewrite: "http://c.test/"}
              "*.d.test": {rewrite: "http://c.test/"}
              own.d.test: {rewrite: {/elsewhere/: "http://c.test/"}}
            tasks:
            - {download: "\(url)", to: x, mirrors: ["\(url)"], digest: {file: "\(url)"}}
            """)
        #expect(download.sources.map(\.url.text) == [wanted, wanted])
        #expect(download.sources.map(\.isOwn) == Array(repeating: url.hasPrefix(wanted), count: 2))
        guard case .url(let list)? = download.checksumList?.source else { throw NoList() }
        #expect(list.url.text == wanted)
    }

    private struct NoList: Error {}

    @Test func credentialsStayBehind() throws {
        let download = try download(
            """
            hosts:
              a.test: {rewrite: "http://m.test/", auth: {bearer: of-a}}
              m.test: {headers: {X: of-m}}
            tasks:
            - download: http://me:pass@a.test/x
              auth: {basic: {user: task, password: word}}
              headers: {Authorization: own, Y: plain}
              tls: {pin: sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=}
            """)
        let source = download.sources[0]
        #expect(source.credentials == nil && source.owner.host == "a.test" && source.origin.host == "m.test")
        let request = download.request.value
        #expect(request.auth == nil && request.network.tls.pins.isEmpty)
        #expect(request.headers.map(\.name).sorted() == ["X", "Y"])
    }

    @Test(arguments: [
        ("{rewrite: http://m.test/x}", "ends with /"), ("{rewrite: 'http://u:p@m.test/'}", "holds a user"),
        ("{rewrite: {debian: 'http://m.test/'}}", "begins and ends with /"), ("{rewrite: nonsense}", "http"),
        ("{allow: true, block: true}", "opposite"), ("{block: maybe}", "block"),
    ])
    func whatCannotBeMeantIsRefused(_ section: String, _ word: String) {
        let text = faults("version: 1\nhosts: {a.test: \(section)}\ntasks: []\n")
        #expect(text.contains(word), "\(text)")
    }

    @Test(arguments: [
        ("http://a.test/x", nil), ("http://b.corp.test/x", nil), ("http://bad.corp.test/x", 4), ("http://c.test/x", 2),
        ("http://r.test/x", nil), ("http://s.test/x", 4),
    ])
    func whoMayBeAsked(_ url: String, _ line: Int?) {
        let head = """
            version: 1
            hosts: {"*": {block: true}, a.test: {allow: true},
              "*.corp.test": {block: false},
              bad.corp.test: {allow: false},
              r.test: {rewrite: "http://a.test/"}, s.test: {rewrite: "http://bad.corp.test/"}}

            """
        let tasks = [
            "tasks: [{download: \"\(url)\", to: x}]", "tasks: [{upload: f, to: \"\(url)\"}]",
            "tasks: [{download: 'http://a.test/', to: x, mirrors: [\"\(url)\"]}]",
            "tasks: [{download: 'http://a.test/', to: x, digest: {file: \"\(url)\"}}]",
        ]
        // What is sent goes where the job says, or nowhere.
        let isRewritten = url.contains("//r") || url.contains("//s")
        for (index, task) in tasks.enumerated() where index != 1 || !isRewritten {
            let text = faults(head + task + "\n")
            guard let line else {
                #expect(text.isEmpty, "\(text)")
                continue
            }
            #expect(text.contains("`hosts` forbids requests to"), "\(text)")
            #expect(text.contains("job.yaml:\(line):"), "\(text)")
        }
    }

    @Test(arguments: ["x?t=${secret:T}", "x/${secret:T}/y", "x?sig=abc"])
    func aSecretIsNotCarriedToTheMirror(_ path: String) {
        let text = faults(
            """
            version: 1
            hosts: {a.test: {rewrite: "http://m.test/"}}
            tasks: [{download: "http://a.test/\(path)", to: x}]

            """, environment: ["T": "t0psecret"])
        #expect(text.contains("holds a secret") && !text.contains("must not go to http://a"), "\(text)")
    }

    @Test func aUserStaysAtAnotherPathOfTheSameHost() throws {
        let source = try download(
            """
            hosts: {a.test: {rewrite: {/d/: "http://a.test/e/"}}}
            tasks: [{download: "http://me:pass@a.test/d/x", to: x}]
            """
        ).sources[0]
        #expect(source.url.text == "http://a.test/e/x" && source.credentials?.user == "me")
    }
}
