import RunnerJob
import RunnerTransfer
import Testing

/// What goes along to which origin, and what redirects make of a request.
@Suite struct RequestFormTests {
    private func url(_ text: String) throws -> SourceURL { try SourceURL(text, at: Place(line: 1, column: 1)) }

    private func request(
        _ source: String, to hop: String? = nil, form: RequestMachine.Form = .asAsked,
        _ change: (inout RequestFields) -> Void
    ) throws -> WireRequest {
        let hop = RequestMachine.Hop(url: try url(hop ?? source), redirects: 0, form: form)
        return WireRequest(
            hop: hop, source: try url(source), goal: RequestGoal(source: 0),
            settings: RequestSettings.standard.changing(change), timeout: TimeoutSettings(), defaultUserAgent: "t")
    }

    @Test(arguments: [
        ("http://h/a", "http://h/b", true), ("http://h/a", "https://h/b", true), ("https://h/a", "http://h/b", false),
        ("http://h/a", "http://h:81/b", false), ("http://h/a", "http://o/b", false),
    ])
    func credentialsStayWithTheirOrigin(_ source: String, _ hop: String, isTrusted: Bool) throws {
        let wire = try request(source, to: hop) {
            $0.auth = .netrc(.init(place: Place(line: 1, column: 1)))
            $0.headers = [
                HeaderField(name: "Cookie", value: "a=b", isCredential: true),
                HeaderField(name: "Accept", value: "x", isCredential: false),
            ]
        }
        #expect(wire.isTrusted == isTrusted)
        #expect((wire.auth != nil) == isTrusted)
        #expect(wire.headers.map(\.name) == (isTrusted ? ["Cookie", "Accept"] : ["Accept"]))
    }

    @Test func aPasswordInTheURLComesBeforeTheFile() throws {
        let netrc = RequestFields.Auth.netrc(.init(place: Place(line: 1, column: 1)))
        #expect(try request("http://me:pw@h/a") { $0.auth = netrc }.auth == .basic(user: "me", password: "pw"))
        #expect(try request("http://me@h/a") { $0.auth = netrc }.auth == netrc)
    }

    @Test(arguments: [
        (RequestMachine.Form.asAsked, "POST", "POST"), (.getForPost, "POST", "GET"), (.getForPost, "PUT", "PUT"),
        (.get, "PUT", "GET"), (.get, "GET", "GET"),
    ])
    func aBodyGoesWithItsMethod(_ form: RequestMachine.Form, _ method: String, _ then: String) throws {
        let wire = try request("http://h/a", form: form) {
            $0.method = method
            $0.body = .text("q", hasSecret: false)
            $0.headers = [HeaderField(name: "Content-Type", value: "text/plain", isCredential: false)]
        }
        #expect(wire.method == then)
        #expect(wire.body == (then == method ? .text("q") : .none))
        #expect(wire.headers.isEmpty == (then != method))
    }
}
