import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Redirects between two servers, and what they get to see.
@Suite struct RedirectTests {
    static let secretive = """
        defaults:
          retry: {attempts: 1}
          headers: {Authorization: Basic c2VjcmV0, Cookie: id=secret, X-Plain: seen}

        """

    @Test(arguments: [301, 302, 303, 307, 308])
    func credentialsStayAtHome(_ status: Int) async throws {
        let home = try FaultServer()
        let abroad = try FaultServer(files: ["/f": .text("content")])
        home.on("/a", .redirect(to: "/b", status: status))
        home.on("/b", .redirect(to: abroad.url("/f"), status: status))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(home.url("/a"))', to: a}", defaults: Self.secretive)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("content".utf8))
        #expect(home.requests.map { $0.header("Authorization") } == ["Basic c2VjcmV0", "Basic c2VjcmV0"])
        #expect(home.requests.allSatisfy { $0.header("Cookie") == "id=secret" && $0.header("X-Plain") == "seen" })
        let request = try #require(abroad.requests.first)
        #expect(request.header("Authorization") == nil && request.header("Cookie") == nil)
        #expect(request.header("X-Plain") == "seen")
        #expect(request.method == "GET")
        #expect(outcome.task("a")?.finalURL == abroad.url("/f"))
        #expect(outcome.task("a")?.attempts == 1)
    }

    /// The name that one server is asked by is none of another's (RFC 9110 section 7.2).
    @Test(arguments: ["", "hosts: {\"*\": {per_host: 2, headers: {X-Plain: yes}}}\n"])
    func theNameOfAHostStaysAtHome(_ hosts: String) async throws {
        let home = try FaultServer()
        let abroad = try FaultServer(files: ["/f": .text("content")])
        home.on("/a", .redirect(to: "/b"))
        home.on("/b", .redirect(to: abroad.url("/f")))
        home.on("/c", .status(404))
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(home.url("/a"))', to: a, headers: {Host: home.test}}
              - {id: c, download: '\(home.url("/c"))', mirrors: ['\(abroad.url("/f"))'], to: c, headers: {host: home.test}}
            """, top: hosts)
        #expect(outcome.finished.exitStatus == 0)
        #expect(home.requests.map { $0.header("Host") } == ["home.test", "home.test", "home.test"])
        #expect(abroad.requests.map { $0.header("Host") } == ["127.0.0.1:\(abroad.port)", "127.0.0.1:\(abroad.port)"])
    }

    @Test(arguments: ["basic: {user: me, password: s3cret}", "bearer: s3cret"])
    func loginsStayAtHome(_ auth: String) async throws {
        let home = try FaultServer()
        let abroad = try FaultServer(files: ["/f": .text("content")])
        home.on("/a", .redirect(to: abroad.url("/f")))
        let bench = try JobBench()
        _ = try await bench.run("  - {id: a, download: '\(home.url("/a"))', to: a, auth: {\(auth)}}")
        #expect(home.requests.first?.header("Authorization") != nil)
        #expect(abroad.requests.count == 1)
        #expect(abroad.requests.first?.header("Authorization") == nil)
    }

    /// The same handle goes on to the other server; nothing of the login may stick to it.
    @Test func aLoginDoesNotStickToAHandle() async throws {
        let home = try FaultServer(files: ["/a": .text("a")])
        let abroad = try FaultServer(files: ["/b": .text("b")])
        let bench = try JobBench()
        _ = try await bench.run(
            """
              - {id: a, download: '\(home.url("/a"))', to: a, auth: {basic: {user: me, password: s3cret}}}
              - {id: b, download: '\(abroad.url("/b"))', to: b, needs: [a]}
              - {id: c, download: '\(home.url("/a"))', to: c, needs: [b]}
            """)
        #expect(home.requests.map { $0.header("Authorization") } == ["Basic bWU6czNjcmV0", nil])
        #expect(abroad.requests.map { $0.header("Authorization") } == [nil])
    }

    @Test func theRestIsAskedForAtTheTasksURL() async throws {
        let content = Content.pattern(count: 50_000)
        let home = try FaultServer()
        let abroad = try FaultServer(files: ["/f": ServedFile(content)])
        home.on("/a", nth: 1, .redirect(to: abroad.url("/f?signature=1")))
        home.on("/a", .redirect(to: abroad.url("/f?signature=2")))
        abroad.on("/f", nth: 1, .cut(after: 20_000))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(home.url("/a"))', to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(abroad.requests.map(\.target) == ["/f?signature=1", "/f?signature=2"])
        #expect(abroad.requests.last?.header("Range") == "bytes=20000-")
    }

    @Test func theBodyOfARedirectIsNotTheFile() async throws {
        let server = try FaultServer(files: ["/b": .text("right")])
        server.on("/a", .redirect(to: "/b"), .content(.pattern(count: 200_000)))
        let bench = try JobBench()
        _ = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(bench.bytes("a") == Array("right".utf8))
    }

    @Test func aLoopEnds() async throws {
        let server = try FaultServer()
        server.on("/a", .redirect(to: "/a"))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.failedAttempts == [.redirect])
        #expect(server.requests.count == 21)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "data:,x"])
    func noOtherSchemeIsFollowed(_ target: String) async throws {
        let server = try FaultServer()
        server.on("/a", .redirect(to: target))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.failedAttempts == [.redirect])
        #expect(bench.files == [])
    }

    @Test func aMirrorFollowsARefusedRedirect() async throws {
        let server = try FaultServer(files: ["/b": .text("b")])
        server.on("/a", .redirect(to: "ftp://127.0.0.1/x"))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', mirrors: ['\(server.url("/b"))'], to: a}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("b".utf8))
    }
}
