import RunnerJob
import Testing

@testable import RunnerTransfer

@Suite struct WireRequestTests {
    static let secret = HeaderField(name: "X-Key", value: "s3cret", isCredential: true)
    static let plain = HeaderField(name: "Accept", value: "application/json", isCredential: false)

    static func request(
        _ target: String = "http://a.test/f", from source: String = "http://a.test/f", goal: RequestGoal = .whole,
        headers: [HeaderField] = [], userAgent: String? = nil, auth: RequestFields.Auth? = nil
    ) throws -> WireRequest {
        WireRequest(
            hop: RequestMachine.Hop(url: try Sample.url(target)), source: try Sample.url(source), goal: goal,
            settings: RequestSettings.standard.changing {
                $0.headers = headers
                $0.userAgent = userAgent
                $0.auth = auth
            }, timeout: TimeoutSettings(),
            defaultUserAgent: "runner/test")
    }

    @Test func aPlainRequestAsksForTheBytesAsTheyAre() throws {
        let request = try Self.request()
        #expect(request.headerLines == ["Accept-Encoding: identity"])
        #expect(request.userAgent == "runner/test")
        #expect(request.offset == 0)
        #expect(request.auth == nil)
    }

    /// The digests of no bytes, and of those of a text (FIPS 180-4), which a store takes without TLS too.
    @Test(arguments: [
        (nil, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ])
    func whatIsSignedHasTheDigestOfItsBody(_ text: String?, _ digest: String) throws {
        let key = RequestFields.SigningKey(region: "eu-1", accessKey: "a", secretKey: "b", sessionToken: nil)
        let request = WireRequest(
            hop: RequestMachine.Hop(url: try Sample.url("http://a.test/f")), source: try Sample.url("http://a.test/f"),
            goal: .whole,
            settings: RequestSettings.standard.changing {
                $0.auth = .signature(key)
                $0.method = text == nil ? "GET" : "POST"
                $0.body = text.map { .text($0, hasSecret: false) }
            }, timeout: TimeoutSettings(), defaultUserAgent: "runner/test")
        #expect(request.headerLines.contains("x-amz-content-sha256: \(digest)"))
    }

    @Test func theJobsUserAgentGoesFirst() throws {
        #expect(try Self.request(userAgent: "me/1").userAgent == "me/1")
    }

    @Test func aResumeIsGuarded() throws {
        let request = try Self.request(goal: .rest())
        #expect(request.offset == 500)
        #expect(request.headerLines == ["Accept-Encoding: identity", "If-Range: \"v1\""])
    }

    @Test func cachesArePassedWhenAskedFor() throws {
        let request = try Self.request(goal: RequestGoal(source: 0, bypassesCaches: true))
        #expect(request.headerLines == ["Accept-Encoding: identity", "Cache-Control: no-cache", "Pragma: no-cache"])
    }

    @Test(arguments: ["Accept-Encoding", "accept-encoding", "ACCEPT-ENCODING"])
    func aFieldOfTheJobReplacesOurs(_ name: String) throws {
        let field = HeaderField(name: name, value: "gzip", isCredential: false)
        #expect(try Self.request(headers: [field]).headerLines == ["\(name): gzip"])
    }

    @Test func aNameThatOnlyBeginsLikeOursReplacesNothing() throws {
        let field = HeaderField(name: "Accept", value: "x/y", isCredential: false)
        #expect(try Self.request(headers: [field]).headerLines == ["Accept-Encoding: identity", "Accept: x/y"])
    }

    /// libcurl sends a field without a value only when it is written with a semicolon (CURLOPT_HTTPHEADER(3)).
    @Test func anEmptyValueIsSent() throws {
        let field = HeaderField(name: "X-Empty", value: "", isCredential: false)
        #expect(try Self.request(headers: [field]).headerLines.last == "X-Empty;")
    }

    // MARK: - Who sees what

    @Test(arguments: [
        ("http://a.test/g", true), ("https://a.test/g", true), ("http://a.test:8080/g", false),
        ("https://a.test:444/g", false),
        ("http://b.test/g", false), ("https://b.test/g", false), ("http://x.a.test/g", false),
    ])
    func credentialsGoToTheirOriginOnly(_ target: String, trusted: Bool) throws {
        for auth in [RequestFields.Auth.basic(user: "u", password: "p"), .bearer("t0ken")] {
            let request = try Self.request(target, headers: [Self.secret, Self.plain], auth: auth)
            #expect(request.auth == (trusted ? auth : nil))
            #expect(request.headers == (trusted ? [Self.secret, Self.plain] : [Self.plain]))
            let text = request.headerLines.joined(separator: "\n")
            #expect(text.contains("s3cret") == trusted)
            #expect(text.contains("t0ken") == (trusted && auth == .bearer("t0ken")))
        }
    }

    @Test func credentialsOfTheURLAreSent() throws {
        let source = "http://me:p%40ss@a.test/f"
        let wanted = RequestFields.Auth.basic(user: "me", password: "p@ss")
        #expect(try Self.request(source, from: source).auth == wanted)
        #expect(try Self.request("http://a.test/g", from: source).auth == wanted)
        #expect(try Self.request("http://b.test/g", from: source).auth == nil)
        #expect(try Self.request(source, from: source).url.url.text == "http://a.test/f")
    }

    @Test func theJobsCredentialsGoBeforeTheURLs() throws {
        let request = try Self.request("http://a.test/g", from: "http://me:pass@a.test/f", auth: .bearer("t"))
        #expect(request.auth == .bearer("t"))
    }

    @Test func aRedirectsOwnCredentialsAreForItsTarget() throws {
        let request = try Self.request("http://x:y@b.test/g", auth: .bearer("t0ken"))
        #expect(request.auth == .basic(user: "x", password: "y"))
    }
}
