import TestSupport
import Testing

/// The client's own certificate, seen by nginx.
@Suite("A client's certificate")
struct ClientCertificateTests {
    private let server: RealServer
    private let certificate: String
    private let key: String
    private let folder: TemporaryDirectory

    init() throws {
        server = try RealServer()
        certificate = try RealServer.variable("RUNNER_NGINX_CLIENT_CERTIFICATE")
        key = try RealServer.variable("RUNNER_NGINX_CLIENT_KEY")
        folder = try TemporaryDirectory()
    }

    private func run(_ tls: String, place: String = "who") async throws -> RunnerBinary.Outcome {
        try folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - {download: "\(server.https)/\(place)/", to: file, tls: {ca: "\(server.authority)"\(tls)}, retry: {attempts: 1}}
            """)
        return try await RunnerBinary.run(
            ["run", "job.yaml"], environment: ["PASSPHRASE": "several words"], in: folder.path)
    }

    @Test func showsTheCertificateThatTheJobNames() async throws {
        let tls = ", cert: \"\(certificate)\", key: \"\(key)\", passphrase: \"${secret:PASSPHRASE}\""
        let outcome = try await run(tls)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == Array("CN=client".utf8))
    }

    @Test func showsNoneToWhereARedirectLeads() async throws {
        let tls = ", cert: \"\(certificate)\", key: \"\(key)\", passphrase: \"${secret:PASSPHRASE}\""
        let outcome = try await run(tls, place: "elsewhere")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == Array("nobody".utf8))
    }

    @Test func showsNoneWithoutAWord() async throws {
        #expect(try await run("").status == 0)
        #expect(folder.read("file") == Array("nobody".utf8))
    }

    @Test func aWrongPassphraseIsTold() async throws {
        let outcome = try await run(", cert: \"\(certificate)\", key: \"\(key)\", passphrase: \"not-the-one\"")
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("passphrase"), "\(outcome.errorOutput)")
        #expect(!outcome.errorOutput.contains("not-the-one"))
    }
}
