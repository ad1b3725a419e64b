import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct TrustTests {
    @Test func aCertificateOfTheJobsAuthorityIsTrusted() async throws {
        let server = try FaultServer(files: ["/a": .text("a"), "/b": .text("b")], tls: .valid)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}}
              - {id: b, download: '\(server.url("/b"))', to: b, tls: {ca: '\(authority)'}}
            """)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("b") == Array("b".utf8))
    }

    @Test(arguments: ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    func theEnvironmentNamesAuthorities(_ variable: String) async throws {
        let server = try FaultServer(files: ["/a": .text("a")], tls: .valid)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", configure: { $0.environment = [variable: authority] }
        )
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test(arguments: [
        (TestCertificate.expired, "renewed"), (.wrongHost, "another host's"), (.unknownAuthority, "tls.ca"),
    ])
    func aWrongCertificateIsRefusedOnce(_ certificate: TestCertificate, advice: String) async throws {
        let server = try FaultServer(files: ["/a": .text("a")], tls: certificate)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}}")
        #expect(outcome.failedAttempts == [.tls])
        #expect(outcome.task("a")?.failure?.advice?.contains(advice) == true)
        #expect(server.requests.isEmpty)
    }

    @Test func withoutTheAuthorityNothingIsTrusted() async throws {
        let server = try FaultServer(files: ["/a": .text("a")], tls: .valid)
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.failedAttempts == [.tls])
    }

    @Test func anAuthorityThatIsNoFileIsAFaultOfTrust() async throws {
        let server = try FaultServer(files: ["/a": .text("a")], tls: .valid)
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: missing.pem}}")
        #expect(outcome.task("a")?.failure?.faultClass == .tls)
        #expect(server.createdConnections == 0)
    }

    /// Trust in one task's authority must not pass to a connection of another task.
    @Test func trustIsNotSharedByConnections() async throws {
        let server = try FaultServer(files: ["/a": .text("a"), "/b": .text("b")], tls: .valid)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}}
              - {id: b, download: '\(server.url("/b"))', to: b, needs: [a]}
            """)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(outcome.task("b")?.failure?.faultClass == .tls)
    }

    @Test(arguments: [[Step.cut(after: 20_000)], [.cut(after: 20_000, by: .reset)], [.chunkedWithoutEnd], [.drop()]])
    func aCutUnderEncryptionIsNoSuccess(_ steps: [Step]) async throws {
        let content = Content.pattern(count: 60_000)
        let server = try FaultServer(files: ["/a": ServedFile(content)], tls: .valid)
        server.on("/a", from: 1, through: 1, steps)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}}")
        #expect(outcome.failedAttempts.count == 1)
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == content.allBytes)
    }
}
