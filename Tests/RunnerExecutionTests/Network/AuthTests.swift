import Glibc
import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@Suite struct AuthTests {
    private let challenge = "Digest realm=\"r\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256"

    private func digestServer() throws -> FaultServer {
        let server = try FaultServer()
        server.on(
            "/a", when: { $0.header("Authorization")?.hasPrefix("Digest username=\"me\"") != true }, .status(401),
            .header("WWW-Authenticate", challenge))
        server.on("/a", .content(.pattern(count: 5000)))
        return server
    }

    @Test func digestAnswersTheChallengeWithoutThePassword() async throws {
        let server = try digestServer()
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, auth: {digest: {user: me, password: hidden-word}}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Content.pattern(count: 5000).allBytes)
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { "\($0.headers)".contains("hidden-word") })
        #expect(outcome.task("a")?.attempts == 1)
    }

    /// Servers behind one address may not share their nonces.
    @Test func aNonceThatHasGoneStaleIsReplaced() async throws {
        let server = try FaultServer()
        server.on("/a", nth: 1, .status(401), .header("WWW-Authenticate", challenge))
        server.on(
            "/a", nth: 2, .status(401),
            .header("WWW-Authenticate", challenge.replacing("abc", with: "fresh") + ", stale=true"))
        server.on("/a", when: { $0.header("Authorization")?.contains("nonce=\"fresh\"") != true }, .status(403))
        server.on("/a", .content(.pattern(count: 5000)))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, auth: {digest: {user: me, password: x}}}")
        #expect(outcome.task("a")?.failure == nil)
        #expect(bench.bytes("a") == Content.pattern(count: 5000).allBytes)
        #expect(server.requests.count == 3 && outcome.task("a")?.attempts == 1)
    }

    @Test func aWrongPasswordFailsOnce() async throws {
        let server = try digestServer()
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, auth: {digest: {user: you, password: x}}}")
        #expect(outcome.task("a")?.failure?.faultClass == .auth)
        #expect(outcome.task("a")?.failure?.httpStatus == 401)
        #expect(server.requests.count == 2)
    }

    // MARK: netrc

    private func run(
        netrc: String, mode: UInt32 = 0o600, host: String = "127.0.0.1"
    ) async throws -> (String?, JobBench.Outcome) {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        try bench.folder.write("secrets", netrc)
        chmod(bench.folder.path("secrets"), mode)
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://\(host):\(server.port)/a', to: a, auth: {netrc: secrets}}")
        return (server.requests.first?.header("Authorization"), outcome)
    }

    @Test(arguments: [
        ("machine 127.0.0.1 login me password word\n", "Basic bWU6d29yZA=="),
        // Quotes, an escape, no line end, a comment, and a host that only begins like this one.
        (
            "# machine 127.0.0.1 login x password y\nmachine 127.0.0.1 login me password \"a b\\\"\"",
            "Basic bWU6YSBiIg=="
        ),
        (
            "machine 127.0.0.10 login no password no\nmachine 127.0.0.1\r\n login me\r\n password word\r\n",
            "Basic bWU6d29yZA=="
        ),
        ("machine example.org login no password no\ndefault login me password word\n", "Basic bWU6d29yZA=="),
        ("machine example.org login no password no\n", nil),
    ])
    func netrcGivesTheHostsPassword(_ text: String, _ sent: String?) async throws {
        let (field, outcome) = try await run(netrc: text)
        #expect(field == sent)
        #expect(outcome.finished.exitStatus == 0)
    }

    /// "me" and "you@home" are in the file, in an order of their own.
    @Test(arguments: [
        ("me@", "Basic bWU6bWluZQ=="), ("you%40home@", "Basic eW91QGhvbWU6eW91cnM="), ("me:@", "Basic bWU6bWluZQ=="),
        ("me:own@", "Basic bWU6b3du"),
    ])
    func theUserOfTheURLChoosesAmongTheEntries(_ user: String, _ sent: String) async throws {
        let text = "machine 127.0.0.1 password yours login you@home\nmachine 127.0.0.1 login me password mine\n"
        let (field, outcome) = try await run(netrc: text, host: user + "127.0.0.1")
        #expect(field == sent)
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test func aBrokenNetrcIsAClearFailure() async throws {
        let (field, outcome) = try await run(netrc: "machine 127.0.0.1 login me password \"never closed\n")
        #expect(field == nil)
        #expect(outcome.task("a")?.failure?.faultClass == .input)
        #expect(outcome.task("a")?.failure?.message.contains("netrc") == true)
        #expect(outcome.task("a")?.failure?.message.contains("/secrets: ") == true)
    }

    /// libcurl takes the mark for a part of the first word, and passes over the entry.
    @Test func aByteOrderMarkInANetrcIsTold() async throws {
        let (field, outcome) = try await run(netrc: "\u{FEFF}machine 127.0.0.1 login me password word\n")
        #expect(field == nil)
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .input)
        #expect(failure.message.contains("/secrets:1: ") && failure.message.contains("byte order mark"))
        let (sent, _) = try await run(netrc: "\u{FEFF}# mine\nmachine 127.0.0.1 login me password word\n")
        #expect(sent == "Basic bWU6d29yZA==")
    }

    @Test func aMissingNetrcIsNamed() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://127.0.0.1:1/a', to: a, auth: {netrc: none.txt}}")
        #expect(outcome.task("a")?.failure?.faultClass == .input)
        #expect(outcome.task("a")?.failure?.message.contains("none.txt of `auth.netrc` cannot be read") == true)
        #expect(outcome.failedAttempts.isEmpty)
    }

    /// A folder can be opened, and would be read as a file without entries.
    @Test(arguments: ["auth: {netrc: .}", "cookies: .", "tls: {ca: .}"])
    func aFolderInPlaceOfAFileIsNamed(_ field: String) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, \(field)}")
        let message = try #require(outcome.task("a")?.failure?.message)
        #expect(message.contains("cannot be read: is a directory"), "\(message)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [["NETRC": "FOLDER/other"], ["HOME": "FOLDER"]])
    func trueFindsTheUsualFile(_ environment: [String: String]) async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        for name in [".netrc", "other"] { try bench.folder.write(name, "default login me password word\n") }
        let variables = environment.mapValues { $0.split(separator: "FOLDER").joined() }
            .mapValues { bench.folder.path + $0 }
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, auth: {netrc: true}}",
            configure: { $0.environment = variables })
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.first?.header("Authorization") == "Basic bWU6d29yZA==")
    }

    @Test func theDefaultEntryIsNotForWhereARedirectLeads() async throws {
        let other = try FaultServer(files: ["/b": .text("x")])
        let server = try FaultServer()
        server.on("/a", .redirect(to: other.url("/b")))
        let bench = try JobBench()
        try bench.folder.write("secrets", "default login me password word\n")
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, auth: {netrc: secrets}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.first?.header("Authorization") != nil)
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.header("Authorization") == nil)
    }

    @Test(arguments: [(UInt32(0o600), 0), (0o644, 1)])
    func anOpenNetrcIsAWarning(_ mode: UInt32, warnings: Int) throws {
        let bench = try JobBench()
        try bench.folder.write("secrets", "default login me password word\n")
        chmod(bench.folder.path("secrets"), mode)
        let plan = try bench.plan(
            "  - {download: 'http://h/a', auth: {netrc: secrets}}\n  - {download: 'http://h/b', auth: {netrc: secrets}}"
        )
        #expect(plan.warnings.filter { $0.message.contains("chmod 600") }.count == warnings)
    }
}
