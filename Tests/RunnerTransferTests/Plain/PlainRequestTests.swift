import RunnerJob
import RunnerPlan
import Testing

@testable import RunnerTransfer

/// Which requests are plain, and what is sent for them.
@Suite struct PlainRequestTests {
    static func text(_ request: WireRequest, proxy: ProxyChoice = .none) -> String? {
        PlainRequest(request, proxy: proxy).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    static func field(_ name: String, _ value: String) -> HeaderField {
        HeaderField(name: name, value: value, isCredential: false)
    }

    @Test func aRequestIsThatOfLibcurl() throws {
        let request = try WireRequestTests.request("http://a.test:8080/d/f%20g?q=1&r")
        #expect(
            Self.text(request)
                == "GET /d/f%20g?q=1&r HTTP/1.1\r\nHost: a.test:8080\r\nUser-Agent: runner/test\r\nAccept: */*\r\n"
                + "Accept-Encoding: identity\r\n\r\n")
    }

    @Test(arguments: [
        ("http://a.test/", "GET / HTTP/1.1\r\nHost: a.test\r\n"),
        ("http://a.test", "GET / HTTP/1.1\r\nHost: a.test\r\n"),
        ("http://a.test:80/x", "GET /x HTTP/1.1\r\nHost: a.test\r\n"),
        ("http://a.test/?q", "GET /?q HTTP/1.1\r\nHost: a.test\r\n"),
        ("http://[::1]:81/x", "GET /x HTTP/1.1\r\nHost: [::1]:81\r\n"),
        ("http://a.test/x//y", "GET /x//y HTTP/1.1\r\nHost: a.test\r\n"),
        ("http://a.test:443/x", "GET /x HTTP/1.1\r\nHost: a.test:443\r\n"),
        ("https://a.test/x?q", "GET /x?q HTTP/1.1\r\nHost: a.test\r\n"),
        ("https://a.test:443", "GET / HTTP/1.1\r\nHost: a.test\r\n"),
        ("https://a.test:80/x", "GET /x HTTP/1.1\r\nHost: a.test:80\r\n"),
    ])
    func theTargetIsThePathOfTheURL(_ url: String, _ beginning: String) throws {
        let text = try #require(Self.text(try WireRequestTests.request(url)))
        #expect(text.hasPrefix(beginning), "\(text)")
    }

    @Test func aPartIsAskedForByItsBytes() throws {
        var request = try WireRequestTests.request(goal: .rest())
        #expect(try #require(Self.text(request)).contains("\r\nRange: bytes=500-\r\n"))
        #expect(try #require(Self.text(request)).contains("\r\nIf-Range: \"v1\"\r\n"))
        request.end = 600
        #expect(try #require(Self.text(request)).contains("\r\nRange: bytes=500-599\r\n"))
    }

    @Test func fieldsOfTheJobTakeThePlaceOfOurs() throws {
        let fields = [Self.field("accept", "text/plain"), Self.field("X-Empty", ""), Self.field("X-Own", "1;")]
        let text = try #require(Self.text(try WireRequestTests.request(headers: fields, auth: .bearer("t0ken"))))
        #expect(!text.contains("*/*"))
        #expect(text.contains("\r\naccept: text/plain\r\nX-Empty:\r\nX-Own: 1;\r\n\r\n"))
        #expect(text.contains("\r\nAuthorization: Bearer t0ken\r\n"))
    }

    /// What is libcurl's: each changes one thing in a plain request.
    static let others: [(name: String, change: @Sendable (inout WireRequest) -> Void)] = [
        ("head", { $0.isHeadOnly = true }), ("method", { $0.method = "DELETE" }),
        ("body", { $0.body = .text("q") }), ("cookies", { $0.cookies = .file(nil) }),
        ("basic", { $0.auth = .basic(user: "a", password: "b") }),
        ("digest", { $0.auth = .digest(user: "a", password: "b") }), ("rate", { $0.sendRate = 1 }),
        ("host", { $0.headers = [field("HOST", "b.test")] }), ("te", { $0.headers = [field("TE", "trailers")] }),
        ("connection", { $0.headers = [field("Connection", "close")] }),
        ("line end", { $0.headers = [field("X", "a\r\nY: b")] }),
        ("version 1.0", { $0.network = $0.network.changing { $0.httpVersion = .http10 } }),
        ("version 2", { $0.network = $0.network.changing { $0.httpVersion = .http2 } }),
        ("socket", { $0.network = $0.network.changing { $0.unixSocket = "/s" } }),
    ]

    @Test(arguments: others.indices)
    func whatIsNotPlainIsLibcurls(_ index: Int) throws {
        var request = try WireRequestTests.request()
        #expect(Self.text(request) != nil)
        Self.others[index].change(&request)
        #expect(Self.text(request) == nil, "\(Self.others[index].name)")
    }

    @Test(arguments: ["ftp://a.test/f", "sftp://a.test/f", "http://[fe80::1%25eth0]/f"])
    func otherSchemesAndZonesAreLibcurls(_ url: String) throws {
        #expect(Self.text(try WireRequestTests.request(url, from: url)) == nil)
    }

    /// A connection is for those alone who are known, and know the server, in the same way.
    @Test func aRouteOfTLSIsThatOfItsTerms() throws {
        func route(_ request: WireRequest) throws -> PlainRequest.Route {
            try #require(PlainRequest(request, proxy: .none)).route
        }
        func request(_ change: (inout TLSFields) -> Void = { _ in }) throws -> WireRequest {
            var request = try WireRequestTests.request("https://a.test/f", from: "https://a.test/f")
            var fields = TLSFields()
            change(&fields)
            request.network = request.network.changing { $0.tls = fields }
            return request
        }
        let plain = try route(request())
        #expect(try route(request()) == plain)
        #expect(try route(request { $0.authorities = "/a.pem" }) != plain)
        #expect(try route(request { $0.pins = ["sha256//x"] }) != plain)
        #expect(try route(request { $0.certificate = "/c.pem" }) != plain)
        var other = try request {
            $0.pins = ["sha256//x"]
            $0.certificate = "/c.pem"
        }
        other.isTrusted = false
        #expect(try route(other) == plain)
        #expect(try route(WireRequestTests.request()).tls == nil)
    }

    @Test func aProxyIsLibcurls() throws {
        let proxy = try #require(ProxyServer(environment: "http://p.test:3128"))
        #expect(Self.text(try WireRequestTests.request(), proxy: .server(proxy)) == nil)
        #expect(Self.text(try WireRequestTests.request(), proxy: .unreadable) == nil)
    }
}
