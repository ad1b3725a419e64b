import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct PinTests {
    private let other = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private func run(_ server: FaultServer, tls: String) async throws -> JobBench.Outcome {
        try await JobBench().run("  - {id: a, download: '\(server.url("/a"))', to: a, tls: \(tls)}")
    }

    @Test func oneOfThePinsHasToBeTheServers() async throws {
        let server = try FaultServer(files: ["/a": .text("x")], tls: .valid)
        let authority = try TestCertificate.authorityPath
        let own = try #require(server.publicKeyPin)
        for pin in [own, "\(other);\(own)"] {
            #expect(try await run(server, tls: "{ca: \(authority), pin: '\(pin)'}").finished.exitStatus == 0)
        }
        let outcome = try await run(server, tls: "{ca: \(authority), pin: '\(other)'}")
        #expect(outcome.task("a")?.failure?.faultClass == .tls)
        #expect(outcome.task("a")?.failure?.advice?.contains("tls: {pin}") == true)
        #expect(server.requests.count == 2)
    }

    @Test func aPinIsNotForWhereARedirectLeads() async throws {
        let target = try FaultServer(files: ["/b": .text("x")], tls: .valid)
        let server = try FaultServer(tls: .valid)
        server.on("/a", .redirect(to: target.url("/b")))
        let own = try #require(server.publicKeyPin)
        #expect(own != target.publicKeyPin)
        let outcome = try await run(server, tls: "{ca: \(try TestCertificate.authorityPath), pin: '\(own)'}")
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test(arguments: [("ca", "{ca: none.pem}"), ("cert", "{cert: none.pem}"), ("key", "{cert: c.pem, key: none.pem}")])
    func aFileThatIsMissingIsNamedByItsField(_ field: String, _ tls: String) async throws {
        let bench = try JobBench()
        try bench.folder.write("c.pem", "")
        let outcome = try await bench.run("  - {id: a, download: 'https://127.0.0.1:1/a', to: a, tls: \(tls)}")
        #expect(outcome.task("a")?.failure?.faultClass == .tls)
        #expect(outcome.task("a")?.failure?.message.contains("none.pem of `tls.\(field)` cannot be read") == true)
    }

    @Test func aCertificateThatIsNoneIsTold() async throws {
        let server = try FaultServer(files: ["/a": .text("x")], tls: .valid)
        let bench = try JobBench()
        try bench.folder.write("c.pem", "no certificate\n")
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, tls: {cert: c.pem}}")
        #expect(outcome.task("a")?.failure?.faultClass == .tls)
        #expect(outcome.task("a")?.failure?.advice?.contains("cert") == true)
        #expect(outcome.failedAttempts == [.tls])
    }

    @Test func anSFTPServerThatNobodyKnowsIsNotAsked() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'sftp://127.0.0.1:1/a', to: a}",
            configure: { $0.environment = ["HOME": bench.folder.path] })
        #expect(outcome.task("a")?.failure?.faultClass == .tls)
        #expect(outcome.task("a")?.failure?.message.contains("`ssh.known_hosts`") == true)
    }
}
