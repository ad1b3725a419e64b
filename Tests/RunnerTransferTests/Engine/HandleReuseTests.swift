import RunnerJob
import RunnerPlan
import RunnerTransfer
import TestSupport
import Testing

/// What a handle was used for before does not show in the next request.
@Suite struct HandleReuseTests {
    /// Requests that differ in one thing from the first.
    private static let kinds: [(name: String, change: @Sendable (inout WireRequest) -> Void)] = [
        ("plain", { _ in }),
        ("user agent", { $0.userAgent = "other" }),
        ("field", { $0.headers = [HeaderField(name: "X-Own", value: "1", isCredential: false)] }),
        ("condition", { $0.condition = RevalidationValidators(source: 0, etag: "\"a\"", lastModified: nil) }),
        ("past caches", { $0.bypassesCaches = true }),
        ("rest", { $0.offset = 3 }),
        (
            "guarded rest",
            {
                $0.offset = 3
                $0.ifRange = "\"a\""
            }
        ),
        ("piece", { $0.end = 5 }),
        ("head", { $0.isHeadOnly = true }),
        ("method", { $0.method = "DELETE" }),
        (
            "body",
            {
                $0.method = "POST"
                $0.body = .text("q")
            }
        ),
        ("password", { $0.auth = .basic(user: "me", password: "pw") }),
        ("token", { $0.auth = .bearer("t") }),
        ("cookies", { $0.cookies = .lines(["127.0.0.1\tFALSE\t/\tFALSE\t0\tname\tvalue"]) }),
        ("own connection", { $0.opensConnection = true }),
        ("version", { $0.network = $0.network.changing { $0.httpVersion = .http10 } }),
    ]

    private func request(_ url: String, _ kind: Int) throws -> WireRequest {
        var request = WireRequest(
            hop: RequestMachine.Hop(url: try Sample.url(url)), source: try Sample.url(url),
            goal: RequestGoal(source: 0), settings: .standard, timeout: TimeoutSettings(), defaultUserAgent: "bench")
        Self.kinds[kind].change(&request)
        return request
    }

    /// The last request as the server saw it.
    private func seen(_ kinds: Int...) async throws -> [String] {
        let server = try FaultServer(files: ["/a": .text("0123456789"), "/b": .text("0123456789")])
        let (first, last) = (kinds.first ?? 0, kinds.last ?? 0)
        let bench = try ExchangeBench()
        let outcome =
            kinds.count == 1
            ? await bench.send(try request(server.url("/b"), last))
            : await bench.send(try request(server.url("/a"), first), try request(server.url("/b"), last))
        let request = try #require(server.requests.last)
        #expect(outcome.fault == nil)
        // Its port is the one thing that tells two servers apart.
        return ["\(request.method) \(request.target) \(request.version)"]
            + request.headers.filter { $0.name.lowercased() != "host" }.map { "\($0.name): \($0.value)" }
            + [String(decoding: request.body, as: UTF8.self), "\(outcome.status ?? 0)"]
    }

    @Test(arguments: kinds.indices)
    func eachIsAsIfAlone(_ kind: Int) async throws {
        let alone = try await seen(kind)
        for earlier in Self.kinds.indices {
            #expect(try await seen(earlier, kind) == alone, "after \(Self.kinds[earlier].name)")
        }
    }
}
