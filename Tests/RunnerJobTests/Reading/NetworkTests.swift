import RunnerJob
import Testing

@Suite struct NetworkTests {
    private static let pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func network(_ lines: String) throws -> NetworkFields {
        try #require(try JobText.parse(JobText.task(lines)).tasks.first).download.request.network.value
    }

    @Test func withoutAWordTheWayIsTheSystems() throws {
        let job = try JobText.parse("version: 1\ntasks: [http://h/a, http://h/b]\n")
        #expect(job.tasks.allSatisfy { $0.download.request === RequestSettings.standard })
        let fields = NetworkFields()
        #expect(fields.proxy == .environment)
        #expect(fields.redirects.max == 20 && !fields.redirects.downgrade)
        #expect(fields.addressFamily == .any)
    }

    @Test func readsTheWay() throws {
        #expect(try network("proxy: none").proxy == .none)
        #expect(try network("ip: 6").addressFamily == .v6)
        #expect(try network("http_version: 1.0").httpVersion == .http10)
        #expect(try network("interface: eth0").interface == "eth0")
        #expect(try network("unix_socket: ../run/s").unixSocket == "/run/s")
        #expect(try network("redirects: {max: 0}").redirects.max == 0)
        #expect(try network("min_rate: 10KiB/s").minimumRate == 10_240)
        #expect(try network("cookies: jar").cookies == "/jobs/jar")
        #expect(try network("save_cookies: /var/jar").savedCookies == "/var/jar")
    }

    @Test(arguments: [
        ("http://p:3128", "http://p:3128"), ("https://P.example.org", "https://p.example.org:443"),
        ("socks5h://[::1]:9050/", "socks5h://[::1]:9050"), ("socks4a://p", "socks4a://p:1080"),
        ("http://me:p%40ss@p:1", "http://p:1"),
    ])
    func readsProxies(_ text: String, _ url: String) throws {
        guard case .server(let server) = try network("proxy: \"\(text)\"").proxy else {
            Issue.record("no proxy")
            return
        }
        #expect(server.url == url)
        if text.contains("@") { #expect(server.credentials == .init(user: "me", password: "p@ss")) }
    }

    @Test(arguments: [
        ("proxy.example.org:80", "http://proxy.example.org:80"), ("proxy", "http://proxy:1080"),
        ("socks://p:9", "socks4://p:9"), ("https://p", "https://p:443"), ("http://a b", nil), ("gopher://p:1", nil),
    ])
    func readsProxiesOfTheEnvironment(_ text: String, _ url: String?) {
        #expect(ProxyServer(environment: text)?.url == url)
    }

    @Test func aProxysPasswordIsASecret() throws {
        let job = try JobText.parse(JobText.task("proxy: \"http://me:p%40ss@p:1\""))
        #expect(job.secrets.isSuperset(of: ["p@ss", "bWU6cEBzcw=="]))
        #expect(try JobText.parse(JobText.task("tls: {cert: c, key: k, passphrase: pw}")).secrets == ["pw"])
    }

    @Test func readsTrust() throws {
        let tls = try network("tls: {ca: a.pem, pin: '\(Self.pin);\(Self.pin)', cert: c.pem, key: /k.pem}").tls
        #expect(tls.authorities == "/jobs/a.pem")
        #expect(tls.pins == [Self.pin, Self.pin])
        #expect(tls.certificate == "/jobs/c.pem" && tls.key == "/k.pem")
        let digits = String(repeating: "A", count: 43)
        #expect(try network("ssh: {known_hosts: hosts, pin: 'SHA256:\(digits)'}").ssh.pin == digits)
        #expect(try network("ssh: {pin: 'sha256//\(digits)='}").ssh.pin == digits)
    }

    @Test func aTasksFieldsAddToTheDefaultsOneByOne() throws {
        let job = try JobText.parse(
            """
            version: 1
            defaults: {tls: {ca: a.pem}, redirects: {max: 3}, proxy: "http://p:1"}
            tasks:
              - {download: http://h/a, tls: {cert: c.pem}, redirects: {downgrade: true}, proxy: none}
              - http://h/b
            """)
        let own = job.tasks[0].download.request.network
        #expect(own.tls.authorities == "/jobs/a.pem" && own.tls.certificate == "/jobs/c.pem")
        #expect(own.redirects.max == 3 && own.redirects.downgrade)
        #expect(own.proxy == .none)
        #expect(job.tasks[1].download.request.network.redirects.max == 3)
    }

    @Test func tasksThatSayNothingOfTheWayShareIt() throws {
        let job = try JobText.parse(
            """
            version: 1
            defaults: {proxy: none}
            tasks:
              - {download: http://h/a, headers: {A: b}}
              - {download: http://h/b, headers: {A: c}, ip: any}
            """)
        let ways = job.tasks.map(\.download.request.network)
        #expect(ways[0] === ways[1])
    }

    @Test(arguments: [
        ("method: post", "4:13: `method` wants a method in capitals, such as POST, not `post`"),
        ("method: HEAD", "4:13: the reply to HEAD is no file, so that it cannot be a `method` here"),
        ("body: x", "3:5: a task with a `body` needs a `method`, such as POST"),
        ("body: {fil: x}", "4:12: unknown key `fil` in `body`; did you mean `file`?"),
        ("auth: {netrc: false}", "4:19: `netrc` wants `true`, or the path of a file; leave `auth` out for none"),
        ("auth: {digest: {user: u}}", "4:20: `digest` needs `password`"),
        (
            "proxy: proxy:3128",
            "4:12: a proxy is written with its scheme, such as http://proxy.example.org:3128, or `none`"
        ),
        ("proxy: http://p", "4:12: the proxy has no port; write it, such as http://proxy.example.org:3128"),
        ("proxy: http://p:1/x", "4:12: the proxy cannot be read; write scheme://[user:password@]host:port"),
        (
            "proxy: ftp://p:1",
            "4:12: a proxy cannot have the scheme `ftp`; http, https, socks4, socks4a, socks5 and socks5h can"
        ),
        ("ip: 5", "4:9: unknown value `5` for `ip`; it takes 4, 6, any"),
        ("http_version: 4", "4:19: unknown value `4` for `http_version`; it takes 1.0, 1.1, 2, 3"),
        ("redirects: {maxx: 1}", "4:17: unknown key `maxx` in `redirects`; did you mean `max`?"),
        ("redirects: {max: 101}", "4:22: `max` must be a whole number from 0 to 100, not `101`"),
        ("tls: {key: k.pem}", "4:10: `tls` has a key, but no `cert` that it belongs to"),
        ("min_rate: 0/s", "4:15: `min_rate` must be more than zero"),
        ("ssh: {know_hosts: f}", "4:11: unknown key `know_hosts` in `ssh`; did you mean `known_hosts`?"),
    ])
    func refusesTheRest(line: String, fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }

    @Test(arguments: ["sha256//AAAA", "AAAA", "sha1//x", "\(pin);x", "key.pem"])
    func refusesPinsThatAreNone(_ pin: String) {
        #expect(JobText.faults(JobText.task("tls: {pin: '\(pin)'}")).count == 1)
        #expect(JobText.faults(JobText.task("ssh: {pin: '\(pin)'}")).count == 1)
    }

    @Test(arguments: ["10MiB", "10", "x/s", "-1B/s", "1.5MB/s"])
    func refusesRatesThatAreNone(_ rate: String) {
        #expect(JobText.faults(JobText.task("min_rate: \(rate)")).count == 1)
    }
}
