import Glibc
import TestSupport
import Testing

/// The built program against an FTP server that others wrote.
@Suite("Against pyftpdlib")
struct FTPTests {
    private let server: FileServer
    private let folder: TemporaryDirectory
    private let content = Content.pattern(count: 3_000_000)

    init() throws {
        server = try FileServer(named: "FTP")
        folder = try TemporaryDirectory()
    }

    private func run(_ path: String, _ fields: String = "", user: String = "reader:pass%20word@") async throws
        -> RunnerBinary.Outcome
    {
        try folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - download: ftp://\(user)\(server.address)/\(path)
                to: file
                retry: {attempts: 3, first: 10ms}
            \(fields.isEmpty ? "" : "    " + fields)
            """)
        return try await RunnerBinary.run(["run", "job.yaml", "--report", "report.jsonl"], in: folder.path)
    }

    @Test func fetchesAFileWithItsTime() async throws {
        try server.publish("times/a.bin", content, modified: 1_577_934_245)
        let outcome = try await run("times/a.bin", "mtime: server")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == content.allBytes)
        var status = stat()
        #expect(stat(folder.path("file"), &status) == 0 && status.st_mtim.tv_sec == 1_577_934_245)
        #expect(!(DiskFile.text(folder.path("report.jsonl")) ?? "").contains("pass word"))
    }

    @Test func goesOnWhereTheServerCutIt() async throws {
        try server.publish("cut/b.bin", content)
        let outcome = try await run("cut/b.bin", "sha256: \(content.sha256)")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == content.allBytes)
        let report = DiskFile.text(folder.path("report.jsonl")) ?? ""
        #expect(report.contains("\"class\":\"truncated\""))
        #expect(report.contains("\"resumed_from\":262144"))
    }

    @Test func startsOverWhereNothingGuardsTheJoin() async throws {
        try server.publish("cut/c.bin", content)
        let outcome = try await run("cut/c.bin")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == content.allBytes)
    }

    @Test(arguments: ["auth: {basic: {user: reader, password: pass word}}", "auth: {netrc: secrets}"])
    func logsInByTheJob(_ auth: String) async throws {
        try server.publish("login/a.bin", .text("private"))
        try folder.write("secrets", "machine 127.0.0.1 login reader password \"pass word\"\n")
        let outcome = try await run("login/a.bin", auth, user: "")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(folder.read("file") == Array("private".utf8))
    }

    @Test func needsNoUserWhereAnybodyMayRead() async throws {
        try server.publish("open/a.bin", .text("public"))
        #expect(try await run("a.bin", user: "").status == 0)
        #expect(folder.read("file") == Array("public".utf8))
    }

    @Test(arguments: [
        ("absent.bin", "reader:pass%20word@", "not_found"), ("absent/absent.bin", "reader:pass%20word@", "not_found"),
        ("a.bin", "reader:wrong@", "auth"),
    ])
    func tellsFailuresByTheirClass(_ path: String, _ user: String, _ faultClass: String) async throws {
        let outcome = try await run(path, user: user)
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains(faultClass), "\(outcome.errorOutput)")
        #expect(folder.read("file") == nil)
    }
}
