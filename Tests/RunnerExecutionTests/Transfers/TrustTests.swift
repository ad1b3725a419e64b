import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct TrustTests {
    static let content = Content.pattern(count: 60_000)

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

    @Test(arguments: [
        [Step.cut(after: 20_000)], [.cut(after: 20_000, by: .reset)], [.chunkedWithoutEnd], [.drop()],
        [.noLength, .cut(after: 20_000)],
    ])
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

    /// Without a length and without close_notify (RFC 8446 section 6.1) nobody knows where the file ends, unless the job
    /// does.
    @Test(arguments: ["", "sha256: \(content.sha256)", "size: 60000"])
    func aBodyThatOnlyTheConnectionEndsMayBeCut(_ known: String) async throws {
        // Under a validator the server would be asked for more, and say that there is none.
        let file = ServedFile(Self.content, etag: nil, modified: nil)
        let server = try FaultServer(files: ["/a": file], tls: .valid)
        server.on("/a", .noLength, .cut(after: 60_000))
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}, \(known)}")
        #expect(outcome.task("a")?.failure?.faultClass == (known.isEmpty ? .truncated : nil))
        #expect(bench.bytes("a") == (known.isEmpty ? nil : Self.content.allBytes))
    }

    @Test func aBodyThatTheConnectionEndsInOrderIsWhole() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content), "/b": .text("b")], tls: .valid)
        server.on("/a", .noLength)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            """
              - {id: b, download: '\(server.url("/b"))', to: b, tls: {ca: '\(authority)'}}
              - {id: a, download: '\(server.url("/a"))', to: a, tls: {ca: '\(authority)'}, needs: [b]}
            """)
        #expect(outcome.failedAttempts == [])
        #expect(bench.bytes("a") == Self.content.allBytes)
    }

    /// The reply is not the file; to send that again would help nobody.
    @Test func theReplyToAnUploadMayEndAnyhow() async throws {
        let server = try FaultServer(tls: .valid)
        server.on("/up", .content(.text("thanks")), .noLength, .cut(after: 6))
        let bench = try JobBench()
        _ = try bench.folder.write("f", Self.content.allBytes)
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: u, upload: f, to: '\(server.url("/up"))', tls: {ca: '\(authority)'}}")
        #expect(outcome.failedAttempts == [])
        #expect(outcome.task("u")?.reply == "thanks")
    }
}
