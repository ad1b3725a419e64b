import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// The fields that say how a server is reached.
@Suite struct WayTests {
    private func run(_ url: String, _ fields: String) async throws -> JobBench.Outcome {
        try await JobBench().run("  - {id: a, download: '\(url)', to: a, \(fields)}")
    }

    @Test(arguments: [("4", 0), ("any", 0), ("6", 1)])
    func theAddressFamilyIsChosen(_ family: String, status: Int32) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let outcome = try await run("http://localhost:\(server.port)/a", "ip: \(family), retry: {attempts: 1}")
        #expect(outcome.finished.exitStatus == status)
        #expect(server.requests.count == (status == 0 ? 1 : 0))
    }

    @Test func anAddressToLeaveFromIsUsed() async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        #expect(try await run(server.url("/a"), "interface: 127.0.0.1").finished.exitStatus == 0)
        let outcome = try await run(server.url("/a"), "interface: no-such-interface")
        #expect(outcome.task("a")?.failure?.faultClass == .client)
        #expect(outcome.task("a")?.failure?.message.contains("no-such-interface") == true)
        #expect(server.requests.count == 1)
    }

    @Test func aSocketStandsInForTheHostAndForNoOther() async throws {
        let other = try FaultServer(files: ["/b": .text("b")])
        let bench = try JobBench()
        let server = try FaultServer(files: ["/a": .text("x")], unixSocket: bench.folder.path("socket"))
        server.on("/moved", .redirect(to: other.url("/b")))
        let outcome = try await bench.run(
            """
              - {id: a, download: 'http://service.invalid/a', to: a, unix_socket: socket}
              - {id: b, download: 'http://service.invalid/moved', to: b, unix_socket: socket}
            """, configure: { $0.environment = ["http_proxy": "http://127.0.0.1:1", "no_proxy": "127.0.0.1"] })
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("x".utf8))
        #expect(bench.bytes("b") == Array("b".utf8))
        #expect(server.requests(to: "/a").first?.header("Host") == "service.invalid")
    }

    @Test func aSocketThatNobodyListensOnIsNamed() async throws {
        let outcome = try await run("http://service.invalid/a", "unix_socket: none.sock, retry: {attempts: 1}")
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .connect)
        #expect(failure.message.contains("none.sock: no such file or directory"), "\(failure.message)")
        #expect(failure.advice?.contains("unix_socket") == true)
    }

    @Test(arguments: [("\"1.0\"", true), ("\"1.1\"", false)])
    func theVersionOfHTTPIsChosen(_ version: String, isOld: Bool) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let outcome = try await run(server.url("/a"), "http_version: \(version)")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.first?.version == (isOld ? "HTTP/1.0" : "HTTP/1.1"))
    }

    // MARK: Redirects

    @Test(arguments: [(0, 1), (1, 1), (2, 0)])
    func onlySoManyRedirectsAreFollowed(_ most: Int, status: Int32) async throws {
        let server = try FaultServer(files: ["/c": .text("x")])
        server.on("/a", .redirect(to: "/b"))
        server.on("/b", .redirect(to: "/c"))
        let outcome = try await run(server.url("/a"), "redirects: {max: \(most)}")
        #expect(outcome.finished.exitStatus == status)
        #expect(server.requests.count == most + 1)
        if status == 1 { #expect(outcome.task("a")?.failure?.faultClass == .redirect) }
    }

    @Test(arguments: [(true, 0), (false, 1)])
    func aStepDownFromHTTPSHasToBeAllowed(_ isAllowed: Bool, status: Int32) async throws {
        let plain = try FaultServer(files: ["/b": .text("x")])
        let secure = try FaultServer(tls: .valid)
        secure.on("/a", .redirect(to: plain.url("/b")))
        let authority = try TestCertificate.authorityPath
        let outcome = try await run(
            secure.url("/a"), "redirects: {downgrade: \(isAllowed)}, tls: {ca: \(authority)}")
        #expect(outcome.finished.exitStatus == status)
        #expect(plain.requests.isEmpty != isAllowed)
    }

    // MARK: Rate

    @Test func aBodyThatComesTooSlowlyIsAStall() async throws {
        let content = Content.pattern(count: 200_000)
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .trickle(bytesPerSecond: 2_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, min_rate: 100kB/s, timeout: {stall: 300ms}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts.first == .stall)
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test func aSteadyBodyAboveTheRateIsLeftAlone() async throws {
        let content = Content.pattern(count: 250_000)
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .trickle(bytesPerSecond: 60_000))
        let outcome = try await run(server.url("/a"), "min_rate: 10kB/s, timeout: {stall: 3s}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts.isEmpty)
    }
}
