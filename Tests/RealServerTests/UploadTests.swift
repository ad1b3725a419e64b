import Glibc
import TestSupport
import Testing

/// What the built program sends to servers that others wrote.
@Suite("Uploads to nginx, pyftpdlib and sshd")
struct UploadTests {
    private let folder: TemporaryDirectory
    private let content = Content.pattern(count: 3_000_000)

    init() throws {
        folder = try TemporaryDirectory()
        try DiskFile.write(folder.path("f.bin"), content.allBytes)
    }

    private func run(_ task: String) async throws -> RunnerBinary.Outcome {
        try folder.write("job.yaml", "version: 1\ntasks:\n  - upload: f.bin\n\(task)\n")
        return try await RunnerBinary.run(
            ["run", "job.yaml", "--report", "report.jsonl"], environment: ["HOME": folder.path], in: folder.path)
    }

    /// Sends the file twice, the second time without need.
    private func expectSent(_ task: String, to path: String) async throws {
        let outcome = try await run(task)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        // Compared as a value: a failure that prints the bytes helps nobody.
        let isWhole = DiskFile.read(path) == content.allBytes
        #expect(isWhole)
        #expect(try await run(task).status == 0)
        #expect((DiskFile.text(folder.path("report.jsonl")) ?? "").contains("\"outcome\":\"up_to_date\""))
    }

    @Test func webDAVTakesAFile() async throws {
        let server = try RealServer()
        try await expectSent("    to: \(server.http)/drop/new/", to: server.files + "/drop/new/f.bin")
        try await expectSent(
            "    to: \(server.https)/drop/tls/f.bin\n    tls: {ca: \"\(server.authority)\"}",
            to: server.files + "/drop/tls/f.bin")
    }

    @Test func aRefusalIsToldByItsClass() async throws {
        let server = try RealServer()
        let outcome = try await run("    to: \(server.http)/elsewhere.bin")
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("http_413"), "\(outcome.errorOutput)")
    }

    @Test func ftpTakesAFileIntoANewFolder() async throws {
        let server = try FileServer(named: "FTP")
        try await expectSent(
            "    to: ftp://reader:pass%20word@\(server.address)/drop/a/b/", to: server.files + "/drop/a/b/f.bin")
        let refused = try await run(
            "    to: ftp://reader:pass%20word@\(server.address)/no/f.bin\n    retry: {attempts: 1}")
        #expect(refused.status == 1)
    }

    @Test func sftpTakesAFileIntoANewFolder() async throws {
        let server = try FileServer(named: "SSH")
        let user = try RealServer.variable("RUNNER_SSH_USER")
        let key = try RealServer.variable("RUNNER_SSH_KEY")
        let pin = try RealServer.variable("RUNNER_SSH_FINGERPRINT")
        try await expectSent(
            """
                to: sftp://\(user)@\(server.address)\(server.files)/drop/a/b.bin
                ssh: {key: "\(key)", pin: "\(pin)"}
            """, to: server.files + "/drop/a/b.bin")
    }

    // MARK: - Files that appear as a whole

    /// What a folder of a server holds.
    private func names(in folder: String) -> [String] {
        DiskFile.entries(folder).sorted()
    }

    private func sftp(_ server: FileServer, _ path: String, _ more: String = "") throws -> String {
        let user = try RealServer.variable("RUNNER_SSH_USER")
        let key = try RealServer.variable("RUNNER_SSH_KEY")
        let pin = try RealServer.variable("RUNNER_SSH_FINGERPRINT")
        return """
                to: "sftp://\(user)@\(server.address)\(server.files)/\(path)"
                ssh: {key: "\(key)", pin: "\(pin)"}
                retry: {attempts: 1}
            \(more)
            """
    }

    private func ftp(_ server: FileServer, _ path: String) -> String {
        "    to: \"ftp://reader:pass%20word@\(server.address)/\(path)\"\n    retry: {attempts: 2, first: 1ms}"
    }

    @Test func aFileThatIsThereIsReplacedByOneThatIsWhole() async throws {
        let ftp = try FileServer(named: "FTP"), ssh = try FileServer(named: "SSH")
        let tasks = [
            (self.ftp(ftp, "drop/whole/a%20%22b%5C%C3%A4.bin"), ftp.files + "/drop/whole"),
            (try sftp(ssh, "drop/whole/a%20%22b%5C%C3%A4.bin"), ssh.files + "/drop/whole"),
        ]
        for (task, folder) in tasks {
            for count in [1_000_000, 20, 0, 300_000] {
                try DiskFile.write(self.folder.path("f.bin"), Content.pattern(count: count).allBytes)
                let outcome = try await run(task)
                #expect(outcome.status == 0, "\(outcome.errorOutput)")
                #expect(names(in: folder) == ["a \"b\\\u{E4}.bin"])
                let isWhole = DiskFile.read(folder + "/a \"b\\\u{E4}.bin") == Content.pattern(count: count).allBytes
                #expect(isWhole)
            }
        }
    }

    @Test func anFTPUploadThatIsCutLeavesTheOldFileAndNothingElse() async throws {
        let server = try FileServer(named: "FTP")
        try server.publish("drop/full/f.bin", .text("old"))
        let outcome = try await run(ftp(server, "drop/full/f.bin"))
        #expect(outcome.status == 1, "\(outcome.errorOutput)")
        #expect(names(in: server.files + "/drop/full") == ["f.bin"])
        #expect(DiskFile.text(server.files + "/drop/full/f.bin") == "old")
    }

    @Test func aServerThatDoesNotRenameGetsTheFileInItsPlace() async throws {
        let server = try FileServer(named: "FTP")
        // Many times: the second request is made on a connection on which the server may answer at once or later.
        for round in 0..<12 {
            try server.publish("drop/fixed/\(round).bin", .text("old"))
            let outcome = try await run(ftp(server, "drop/fixed/\(round).bin"))
            #expect(outcome.status == 0, "round \(round): \(outcome.errorOutput)")
            guard outcome.status == 0 else { return }
            #expect(names(in: server.files + "/drop/fixed").allSatisfy { $0.hasSuffix(".bin") })
            let isWhole = DiskFile.read(server.files + "/drop/fixed/\(round).bin") == content.allBytes
            #expect(isWhole)
            #expect((DiskFile.text(folder.path("report.jsonl")) ?? "").contains("does not give it its name"))
        }
    }
}
