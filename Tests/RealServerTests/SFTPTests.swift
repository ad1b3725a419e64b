import Glibc
import TestSupport
import Testing

/// The built program against OpenSSH's server.
@Suite("Against sshd")
struct SFTPTests {
    private let server: FileServer
    private let user: String
    /// Private key that logs in, known_hosts file, and fingerprint of the host key.
    private let key: String
    private let knownHosts: String
    private let fingerprint: String
    private let folder: TemporaryDirectory
    private let other = "SHA256:" + String(repeating: "A", count: 43)

    init() throws {
        server = try FileServer(named: "SSH")
        user = try RealServer.variable("RUNNER_SSH_USER")
        key = try RealServer.variable("RUNNER_SSH_KEY")
        knownHosts = try RealServer.variable("RUNNER_SSH_KNOWN_HOSTS")
        fingerprint = try RealServer.variable("RUNNER_SSH_FINGERPRINT")
        folder = try TemporaryDirectory()
    }

    private func run(_ path: String, ssh: [String], _ fields: String = "") async throws -> RunnerBinary.Outcome {
        let tasks = ssh.enumerated().map { number, ssh in
            """
              - download: sftp://\(user)@\(server.address)\(server.files)/\(path)
                to: file-\(number)
                ssh: {key: "\(key)", \(ssh)}
                \(number > 0 ? "needs: [file-\(number - 1)]" : "optional: false")
                \(fields)

            """
        }
        try folder.write("job.yaml", "version: 1\ntasks:\n\(tasks.joined())")
        return try await RunnerBinary.run(["run", "job.yaml"], environment: ["HOME": folder.path], in: folder.path)
    }

    @Test func fetchesFromAHostThatIsKnownOrPinned() async throws {
        let content = Content.pattern(count: 1_000_000)
        try server.publish("known.bin", content, modified: 1_577_934_245)
        let outcome = try await run(
            "known.bin", ssh: ["known_hosts: \"\(knownHosts)\"", "pin: \"\(fingerprint)\""], "mtime: server")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        for name in ["file-0", "file-1"] {
            #expect(folder.read(name) == content.allBytes)
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0 && status.st_mtim.tv_sec == 1_577_934_245)
        }
    }

    @Test func theUsualFileIsReadWithoutAWord() async throws {
        try server.publish("usual.bin", .text("x"))
        mkdir(folder.path(".ssh"), 0o700)
        try folder.write(".ssh/known_hosts", try #require(DiskFile.text(knownHosts)))
        #expect(try await run("usual.bin", ssh: ["x-note: none"]).status == 0)
    }

    @Test func aHostThatIsNotKnownIsNotTrusted() async throws {
        try server.publish("unknown.bin", .text("x"))
        try folder.write("empty", "")
        for ssh in ["known_hosts: empty", "pin: \"\(other)\""] {
            let outcome = try await run("unknown.bin", ssh: [ssh])
            #expect(outcome.status == 1)
            #expect(outcome.errorOutput.contains("tls"), "\(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains("`ssh: {pin}`"), "\(outcome.errorOutput)")
            #expect(folder.read("file-0") == nil)
        }
    }

    /// A connection that was opened for one task is not used by another that trusts differently.
    @Test func trustIsNotInherited() async throws {
        try server.publish("inherited.bin", .text("x"))
        let outcome = try await run("inherited.bin", ssh: ["pin: \"\(fingerprint)\"", "pin: \"\(other)\""])
        #expect(outcome.status == 1)
        #expect(folder.read("file-0") == Array("x".utf8))
        #expect(folder.read("file-1") == nil)
    }

    @Test func aMissingFileIsToldByItsClass() async throws {
        let outcome = try await run("absent.bin", ssh: ["pin: \"\(fingerprint)\""])
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("not_found"), "\(outcome.errorOutput)")
    }
}
