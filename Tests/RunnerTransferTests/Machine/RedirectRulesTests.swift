import RunnerJob
import Testing

@testable import RunnerTransfer

@Suite struct RedirectRulesTests {
    static func follow(
        _ location: String, from base: String = "http://a.test/x/y?q=1", redirects: Int = 0,
        rules: RedirectRules = RedirectRules()
    ) throws -> Result<RequestMachine.Hop, Fault> {
        let hop = RequestMachine.Hop(url: try Sample.url(base), redirects: redirects)
        return rules.follow(location, status: 307, from: hop, resolve: URLResolution.resolve)
    }

    @Test(arguments: [
        ("z", "http://a.test/x/z"), ("/z", "http://a.test/z"), ("?n=2", "http://a.test/x/y?n=2"),
        ("../z", "http://a.test/z"),
        ("//b.test/z", "http://b.test/z"), ("https://b.test:8443/z", "https://b.test:8443/z"),
        ("HTTP://B.test/z", "http://b.test/z"),
        ("/a b", "http://a.test/a%20b"),
        ("http://b.test/a b\tc", "http://b.test/a%20b%09c"), ("/a?y=b c", "http://a.test/a?y=b%20c"),
        ("https://b.test/?x=\"y z.zip\"", "https://b.test/?x=\"y%20z.zip\""),
        ("http://b.test/c#d e", "http://b.test/c"),
        ("//b.test/a b", "http://b.test/a%20b"), ("/a%20b", "http://a.test/a%20b"), ("/c+d", "http://a.test/c+d"),
        ("/z#part", "http://a.test/z"), ("./a:b", "http://a.test/x/a:b"), ("http://b.test", "http://b.test/"),
        ("#part", "http://a.test/x/y?q=1"), ("#", "http://a.test/x/y?q=1"),
        (".#part", "http://a.test/x/"),
    ])
    func aReferenceIsResolved(_ location: String, target: String) throws {
        let hop = try Self.follow(location).get()
        #expect(hop.url.url.text == target)
        #expect(hop.redirects == 1)
    }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:///etc/passwd", "ftp://b.test/z", "gopher://b.test/", "data:text/plain,x",
        "javascript:alert(1)",
        "dict://b.test/", "mailto:x@b.test", "a+b-c.d:x",
    ])
    func onlyTheWebIsFollowed(_ location: String) throws {
        let scheme = location.prefix { $0 != ":" }.lowercased()
        let wanted = Fault(.redirect, .redirectRefused(to: location, why: .scheme(scheme)))
        #expect(throws: wanted) { try Self.follow(location).get() }
    }

    @Test func encryptionIsNotGivenUp() throws {
        let from = "https://a.test/x"
        let refused = Fault(.redirect, .redirectRefused(to: "http://a.test/z", why: .downgrade))
        #expect(throws: refused) { try Self.follow("http://a.test/z", from: from).get() }
        let allowing = RedirectRules(allowsDowngrade: true)
        #expect(try Self.follow("http://a.test/z", from: from, rules: allowing).get().url.origin.scheme == "http")
        #expect(try Self.follow("https://b.test/z", from: from).get().url.origin.scheme == "https")
    }

    @Test(arguments: ["http://", "http://[::1", "http://b.test:99999/", "http:// /"])
    func whatIsNoURLIsRefused(_ location: String) throws {
        let wanted = Fault(.redirect, .redirectRefused(to: location, why: .unreadable))
        #expect(throws: wanted) { try Self.follow(location).get() }
    }

    @Test(arguments: [(0, 0, false), (0, 1, true), (1, 1, false), (19, 20, true), (20, 20, false), (.max, 20, false)])
    func theirNumberIsLimited(_ done: Int, limit: Int, follows: Bool) throws {
        let result = try Self.follow("/z", redirects: done, rules: RedirectRules(limit: limit))
        if follows {
            #expect(try result.get().redirects == done + 1)
        } else {
            #expect(throws: Fault(.redirect, .tooManyRedirects(limit))) { try result.get() }
        }
    }

    @Test(arguments: [
        ("http://a.test/", "http://a.test/other", true),
        ("http://a.test/", "http://A.test:80/", true),
        ("http://a.test/", "https://a.test/", true),
        ("https://a.test/", "http://a.test/", false),
        ("http://a.test:8080/", "https://a.test/", false),
        ("http://a.test/", "https://a.test:8443/", false),
        ("http://a.test/", "https://b.test/", false),
        ("http://a.test/", "http://a.test:81/", false),
        ("http://a.test/", "http://sub.a.test/", false),
        ("http://127.0.0.1/", "http://localhost/", false),
    ])
    func credentialsStayWithTheirOrigin(_ one: String, other: String, shares: Bool) throws {
        #expect(RedirectRules.sharesCredentials(try Sample.url(one).origin, try Sample.url(other).origin) == shares)
    }
}
