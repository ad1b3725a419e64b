import Testing

@testable import RunnerJob

@Suite struct HostRequestTests {
    private func download(_ text: String) throws -> Download {
        try #require(try JobText.parse("version: 1\n" + text, environment: ["T": "tok"]).tasks.first).download
    }

    private func origin(_ url: String) throws -> Origin {
        try SourceURL(url, at: Place(line: 1, column: 1)).origin
    }

    private func fields(_ download: Download, at url: String, shared: Bool) throws -> RequestFields {
        let layers = try #require(download.layers)
        return layers.settings(for: try origin(url), source: download.sources[0], isShared: shared).value
    }

    private func headers(_ fields: RequestFields) -> [String] {
        fields.headers.map { "\($0.name)=\($0.value)" }.sorted()
    }

    @Test func aTaskComesBeforeHostsAndTheseBeforeDefaults() throws {
        let download = try download(
            """
            hosts:
              "*": {user_agent: all, headers: {A: all, B: all}, ip: 4}
              h: {user_agent: host, headers: {b: host, C: host}, redirects: {max: 3}, tls: {ca: h.pem}}
            defaults:
              user_agent: default
              headers: {A: default, D: default}
              redirects: {max: 9, downgrade: true}
              tls: {ca: d.pem, pin: sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=}
            tasks:
            - download: http://h/a
              headers: {c: task}
              ip: any
            """)
        let request = download.request.value
        #expect(request.userAgent == "host")
        #expect(headers(request) == ["A=all", "D=default", "b=host", "c=task"])
        #expect(request.network.redirects.max == 3)
        #expect(request.network.redirects.downgrade)
        #expect(request.network.tls.authorities == "/jobs/h.pem")
        #expect(request.network.tls.pins.count == 1)
        // Given, though it is what holds without it.
        #expect(request.network.addressFamily == .any)
        let elsewhere = try fields(download, at: "http://other/", shared: true)
        #expect(elsewhere.userAgent == "all")
        #expect(elsewhere.network.redirects.max == 9)
    }

    @Test func credentialsOfASectionGoToItsOriginsOnly() throws {
        let download = try download(
            """
            hosts:
              cdn: {auth: {bearer: cdn}, headers: {X-Key: "${secret:T}"}, tls: {cert: c.pem, key: c.key}}
            defaults: {headers: {Cookie: d, Accept: x}}
            tasks:
            - {download: "https://h/a", auth: {bearer: own}, tls: {cert: own.pem}, unix_socket: s.sock}
            """)
        let own = try fields(download, at: "https://h/", shared: true)
        #expect(own.auth == .bearer("own"))
        #expect(headers(own) == ["Accept=x", "Cookie=d"])
        let cdn = try fields(download, at: "https://cdn/", shared: false)
        #expect(cdn.auth == .bearer("cdn"))
        #expect(headers(cdn) == ["Accept=x", "X-Key=tok"])
        #expect(cdn.network.tls.certificate == "/jobs/c.pem")
        #expect(cdn.network.unixSocket == nil)
        let stranger = try fields(download, at: "https://stranger/", shared: false)
        #expect(stranger.auth == nil)
        #expect(headers(stranger) == ["Accept=x"])
        #expect(stranger.network.tls.certificate == nil)
    }

    @Test func aUserInTheURLComesBeforeASection() throws {
        let text = "hosts: {h: {auth: {bearer: x}}}\ntasks:\n- http://u:p@h/a\n"
        #expect(try download(text).request.auth == nil)
        #expect(try download("hosts: {h: {auth: {bearer: x}}}\ntasks:\n- http://h/a\n").request.auth == .bearer("x"))
    }

    @Test func authTakesThePlaceOfAFieldFromBelow() throws {
        let download = try download(
            "defaults: {headers: {authorization: Basic x}}\nhosts: {h: {auth: {bearer: y}}}\ntasks:\n- http://h/a\n")
        #expect(download.request.auth == .bearer("y"))
        #expect(download.request.headers.isEmpty)
    }

    /// A key that is read but never laid over another would be silently without effect.
    @Test(arguments: [
        ("headers", "{A: b}"), ("user_agent", "me"), ("auth", "{bearer: x}"), ("proxy", "http://p:1"),
        ("min_rate", "1kB/s"), ("ip", "6"), ("http_version", "'1.0'"), ("interface", "eth0"), ("unix_socket", "s"),
        ("tls", "{ca: x}"), ("tls", "{cert: x}"), ("tls", "{cert: x, key: y}"), ("tls", "{cert: x, passphrase: y}"),
        ("tls", "{pin: sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=}"), ("redirects", "{max: 1}"),
        ("redirects", "{downgrade: true}"), ("ssh", "{known_hosts: x}"), ("ssh", "{key: x}"),
        ("ssh", "{key: x, passphrase: y}"), ("ssh", "{pin: SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA}"),
    ])
    func everyFieldComesThrough(key: String, value: String) throws {
        let plain = try download("tasks:\n- {download: http://h/a, \(key): \(value)}\n").request.value
        let fromHosts = try download("hosts: {h: {\(key): \(value)}}\ntasks:\n- http://h/a\n").request.value
        let over = try download(
            "hosts: {h: {headers: {Z: z}}}\ntasks:\n- {download: http://h/a, \(key): \(value)}\n"
        ).request.value
        func text(_ fields: RequestFields) -> String {
            "\(fields.headers.filter { $0.name != "Z" }) \(fields.auth.debugDescription) \(fields.userAgent ?? "")"
                + " \(fields.network.value)"
        }
        #expect(text(plain) != text(RequestFields()))
        #expect(text(fromHosts) == text(plain))
        #expect(text(over) == text(plain))
        #expect(TaskKey.ofHosts.contains { $0.rawValue == key })
    }

    @Test func tasksThatSayNothingShareOneValue() throws {
        let tasks = try JobText.parse(
            "version: 1\nhosts: {h: {user_agent: x}}\ntasks:\n- http://h/a\n- http://h/b\n- http://k/c\n"
        ).tasks
        #expect(tasks[0].download.request === tasks[1].download.request)
        #expect(tasks[2].download.request.userAgent == nil)
        #expect(try download("hosts: {h: {per_host: 1}}\ntasks:\n- http://h/a\n").layers == nil)
    }

    @Test(arguments: [
        ("h: {method: POST}", "3:7: unknown key `method` in a section of `hosts`"),
        ("h: {auth: {bearer: ''}}", "3:22: `bearer` must not be empty"),
    ])
    func tellsWhatIsWrong(line: String, message: String) {
        #expect(JobText.faults("version: 1\nhosts:\n  \(line)\ntasks: []\n").first?.hasPrefix(message) == true)
    }
}
