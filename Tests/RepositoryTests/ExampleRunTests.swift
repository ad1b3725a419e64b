import TestSupport
import Testing

/// Every example is run for real, with its hosts replaced by a server on loopback.
@Suite("Running the examples")
struct ExampleRunTests {
    private static let files = Repository.files(under: "examples").filter { $0.hasSuffix(".yaml") && !isPart($0) }
    /// Whether a file is not an example itself, but what one includes or takes rows from.
    private static func isPart(_ file: String) -> Bool {
        file.hasPrefix("examples/included/") || file.hasSuffix(".csv")
    }
    private static let pdf = Content.text("%PDF-1.4\n")

    @Test(arguments: Repository.files(under: "examples/lists"))
    func everyListIsImported(_ file: String) async throws {
        try folder.write(file, Repository.text(file))
        let made = try await RunnerBinary.run(["import", file, "-o", "job.yaml"], in: folder.path)
        #expect(made.status == 0, "\(made.errorOutput)")
        #expect(made.errorOutput.split(separator: "\n").count == 1, "\(made.errorOutput)")
        let checked = try await RunnerBinary.run(["check", "job.yaml"], in: folder.path)
        #expect(checked.status == 0, "\(checked.errorOutput)")
    }

    /// The bytes that the digests in the examples belong to.
    private static let hello = Content.text("hello")

    /// A tar archive with gzip around it: `tool-1.4/doc/guide.txt` and `tool-1.4/test.sh`.
    private static let toolArchive = Content.bytes(
        """
        1f8b0800000000000203edd5b10a83301440d1ccfd8a4c6e5a936afc1ed1a00521d644e8e757840e4ae954ade03dcbcb
        96e19297e05c17ab24bb8aeda49322cfe73959cf0fe7426b2d642e7630fa500ed395e29cc2bb7fedaaeb71fa17a6a0ff
        eefd9bf15edb243cc3effb9b2cfbd2df2cfb2b65b41232a5ffe65adb75ee2270f6f71fac0f896fffb2ffcd6affab34bf
        65bcff3d3483ed65fc90f31e9061b076f913c82892b66a9dec4bef6dcda60000000000000000000080837a013df3056d
        00280000
        """.split(separator: "\n").flatMap { line in
            stride(from: 0, to: line.utf8.count, by: 2).compactMap { offset in
                UInt8(line.dropFirst(offset).prefix(2), radix: 16)
            }
        })

    private let plain: FaultServer
    private let secure: FaultServer
    private let folder: TemporaryDirectory

    init() throws {
        plain = try FaultServer()
        secure = try FaultServer(tls: .valid)
        folder = try TemporaryDirectory()
        for server in [plain, secure] { Self.prepare(server) }
    }

    private static func prepare(_ server: FaultServer) {
        func on(_ suffix: String, _ steps: Step...) {
            server.on("/", from: 1, through: .max, when: { $0.path.hasSuffix(suffix) }, steps)
        }
        let list = ["amd64.img", "arm64.img"].map { "\(hello.sha256)  \($0)\n" } + ["\(pdf.sha256)  manual.pdf\n"]
        on("/SHA256SUMS", .content(.text(list.joined())))
        on(".pdf", .content(pdf))
        server.on("/release/tool-1.4.tar.gz", .content(toolArchive))
        on(".zip", .content(.bytes([0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18))))
        on("/index.json", .content(.text("{}")), .header("Content-Type", "application/json"))
        on("/summary.txt", .status(203), .content(hello))
        server.on("/", .content(hello))
    }

    /// The example and what it refers to, in a folder where its `directory` leads nowhere else.
    private func place(_ file: String) throws {
        for part in Repository.files(under: "examples") where Self.isPart(part) { try placeOne(part) }
        try placeOne(file)
    }

    /// A file with its hosts replaced.
    private func placeOne(_ file: String) throws {
        let hosts = ["example.org", "mirror-a.example.net", "mirror-b.example.net", "files.example.org"]
        var text = Repository.text(file)
        for host in hosts { text = text.split(separator: "https://\(host)/").joined(separator: plain.origin + "/") }
        text = text.split(separator: "https://example.org\n").joined(separator: plain.origin + "\n")
        try folder.write(file, text)
    }

    private func run(_ file: String) async throws -> RunnerBinary.Outcome {
        try place(file)
        return try await RunnerBinary.run(
            [
                "run", file, "--report", "report.jsonl",
                "--set", "host=localhost:\(secure.port)", "--set", "ca=\(try TestCertificate.authorityPath)",
            ].filter { file.contains("own-authority") || !$0.contains("=") && $0 != "--set" },
            environment: [
                "API_TOKEN": "token-for-tests", "FILES_PASSWORD": "password-for-tests", "API_BASE": plain.origin,
            ], in: folder.path)
    }

    @Test(arguments: files)
    func fetchesWhatItSays(_ file: String) async throws {
        let outcome = try await run(file)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let finished = (DiskFile.text(folder.path("report.jsonl")) ?? "").split(separator: "\n")
            .filter { $0.contains("\"event\":\"task.finished\"") }
        #expect(!finished.isEmpty)
        #expect(finished.allSatisfy { $0.contains("\"outcome\":\"succeeded\"") })
        // Everything but the job, the report and the fetched lists lies below the example's own directory.
        let elsewhere = folder.files().filter { !$0.hasPrefix("downloads/") }
        #expect(
            elsewhere.allSatisfy { $0 == file || Self.isPart($0) || $0.hasPrefix("report.jsonl") }, "\(elsewhere)")
    }

    @Test func thePrivateServerIsToldWhoAsksAndNobodyElse() async throws {
        let outcome = try await run("examples/06-private-server.yaml")
        let export = try #require(plain.requests(to: "/export/latest").first)
        #expect(export.header("Authorization") == "Bearer token-for-tests")
        #expect(export.header("X-Request-Source") == "06-private-server")
        #expect(export.header("User-Agent") == "nightly-copy/1.0 (ops@example.org)")
        let ledger = try #require(plain.requests(to: "/ledger.csv").first)
        #expect(ledger.header("Authorization") == "Basic bmlnaHRseTpwYXNzd29yZC1mb3ItdGVzdHM=")
        let told = outcome.output + outcome.errorOutput + (DiskFile.text(folder.path("report.jsonl")) ?? "")
        #expect(!told.contains("for-tests"))
    }

    /// Outcomes of the last run's tasks, by their ids.
    private func outcomes() -> [String: String] {
        var outcomes: [String: String] = [:]
        for line in (DiskFile.text(folder.path("report.jsonl")) ?? "").split(separator: "\n") {
            guard let match = line.firstMatch(of: #/"event":"task.finished","task":"([^"]*)".*?"outcome":"([a-z_]+)"/#)
            else { continue }
            outcomes[String(match.1)] = String(match.2)
        }
        return outcomes
    }

    /// The ids of the tasks that were done, and not found up to date, by a further run.
    private func done(_ file: String) async throws -> Set<String> {
        let outcome = try await RunnerBinary.run(["run", file, "--report", "report.jsonl"], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        return Set(outcomes().filter { $0.value == "succeeded" }.keys)
    }

    @Test func aReleaseIsMadeOnceAndThenOnlyWhatAChangeAsksFor() async throws {
        let file = "examples/release.yaml"
        #expect(try await run(file).status == 0)
        let sent = try #require(plain.requests(to: "/releases/doc-1.4.tar.gz").first)
        #expect(sent.method == "PUT" && sent.body == folder.read("downloads/release/doc.tar.gz"))
        #expect(plain.requests(to: "/releases/announcements").map(\.method) == ["POST"])
        #expect(folder.read("downloads/release/announcement.txt") == Self.hello.allBytes)
        #expect(folder.read("downloads/release/test.log") == Array("passed\n".utf8))
        #expect(try await done(file) == [])

        try folder.write("downloads/release/test.log", "failed\n")
        // What it makes is what was announced.
        #expect(try await done(file) == ["test"])
        try folder.write("downloads/release/tree/doc/guide.txt", "spoilt")
        #expect(try await done(file) == ["tree", "guide", "test", "pack"])
        try folder.write("downloads/release/announcement.txt", "spoilt")
        #expect(try await done(file) == ["announce"])
        #expect(try await done(file) == [])

        let text = DiskFile.text(folder.path(file)) ?? ""
        for (old, new, tasks) in [
            ("Tool 1.4, tested", "Tool 1.4", Set(["announce"])), ("size: 6", "expect: {max_size: 6}", ["guide"]),
            ("doc.tar.gz\n    strip: 1", "doc.tar.gz", ["pack", "publish"]),
        ] {
            try folder.write(file, text.split(separator: old).joined(separator: new))
            #expect(try await done(file) == tasks, "\(old)")
            try folder.write(file, text)
            _ = try await done(file)
        }
    }
}
