import RunnerJob
import Testing

@Suite struct HostsTests {
    private func hosts(_ lines: String...) throws -> Hosts {
        try JobText.parse(
            "version: 1\nhosts:\n" + lines.map { "  " + $0 }.joined(separator: "\n") + "\ntasks: []\n"
        ).hosts
    }

    private func origin(_ url: String) throws -> Origin {
        try SourceURL(url, at: Place(line: 1, column: 1)).origin
    }

    @Test(arguments: [
        ("*", "http://a/", true), ("*.example.org", "https://a.example.org/", true),
        ("*.example.org", "https://a.b.example.org:99/", true), ("*.example.org", "https://example.org/", false),
        ("*.example.org", "https://badexample.org/", false), ("example.org", "ftp://EXAMPLE.org/", true),
        ("example.org", "http://example.org:8080/", true), ("example.org", "http://www.example.org/", false),
        ("example.org:8080", "http://example.org:8080/", true), ("example.org:8080", "http://example.org/", false),
        ("https://example.org", "https://example.org/", true), ("https://example.org", "http://example.org/", false),
        ("https://example.org", "https://example.org:8443/", false),
        ("https://example.org:8443", "https://example.org:8443/", true), ("\"[::1]\"", "http://[::1]:8080/", true),
        ("\"[::1]:8080\"", "http://[::1]:8080/", true), ("\"[::1]:8080\"", "http://[::1]/", false),
        ("Example.ORG", "http://example.org/", true), ("127.0.0.1:81", "http://127.0.0.1:81/", true),
        ("example.org", "http://example.org./", true), ("*.example.org", "http://a.example.org./", true),
        ("https://example.org.", "https://example.org/", true), ("example.org.:81", "http://example.org.:81/", true),
    ])
    func matchesOrigins(pattern: String, url: String, matches: Bool) throws {
        let hosts = try hosts("\(pattern.hasPrefix("*") ? "\"\(pattern)\"" : pattern): {per_host: 1}")
        #expect(hosts.sections(for: try origin(url)).count == (matches ? 1 : 0))
    }

    @Test func theMostSpecificWinsFieldByField() throws {
        let hosts = try hosts(
            "https://a.example.org: {requests: 30/m}", "\"*\": {per_host: 9, rate: 1kB/s, requests: 1/s}",
            "a.example.org: {rate: 3kB/s}", "\"*.example.org\": {per_host: 2, rate: 2kB/s}", "\"*.org\": {per_host: 7}")
        let policy = hosts.policy(for: try origin("https://a.example.org/"))
        #expect(policy.perHost == 2)
        #expect(policy.rate == 3000)
        #expect(policy.interval == .seconds(2))
        let other = hosts.policy(for: try origin("https://b.org/"))
        #expect(other.perHost == 7)
        #expect(other.rate == 1000)
        #expect(other.interval == .seconds(1))
        #expect(hosts.sections(for: try origin("http://a.example.org/")).last?.pattern.text == "a.example.org")
    }

    @Test(arguments: [
        (".a.org: {}", "3:3: `.a.org` begins with a dot; write `*.` before the name for the hosts below it"),
        (
            "\"http://.a.org\": {}",
            "3:3: `http://.a.org` begins with a dot; write `*.` before the name for the hosts below it"
        ),
        ("a*b: {}", "3:3: `a*b` has a `*` that is not its first part; write `*` alone or `*.example.org`"),
        ("\"*.a:80\": {}", "3:3: `*.a:80` has a `*` that is not its first part; write `*` alone or `*.example.org`"),
        (
            "http://h/x: {}",
            "3:3: `http://h/x` goes on behind the host; a section is for a whole host: host, host:port or scheme://host"
        ),
        ("u@h: {}", "3:3: `u@h` holds a user; write it as `auth` in the section"),
        ("h: {perhost: 2}", "3:7: unknown key `perhost` in a section of `hosts`; did you mean `per_host`?"),
        ("h: {requests: 3}", "3:17: `requests` wants a number in a time, such as 3/s, 30/m or 100/h, not `3`"),
        ("h: {requests: 0/s}", "3:17: `requests` wants a number in a time, such as 3/s, 30/m or 100/h, not `0/s`"),
        ("h: 3", "3:6: `h` wants a mapping, such as `h: {per_host: 2}`"),
        ("\"h:99999\": {}", "3:3: `h:99999` is no host: the port of the URL must be a number from 0 to 65535"),
        ("{H: {}, h: {}}", "3:11: `hosts` has two sections for `h`"),
    ])
    func tellsWhatIsWrong(line: String, message: String) {
        #expect(JobText.faults("version: 1\nhosts:\n  \(line)\ntasks: []\n") == [message])
    }
}
