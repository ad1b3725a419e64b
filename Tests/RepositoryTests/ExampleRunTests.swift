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

    /// The bytes that the digests in the examples belong to.
    private static let hello = Content.text("hello")

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
        #expect(plain.requests(to: "/releases/notes.txt").map(\.method) == ["PUT"])
        #expect(plain.requests(to: "/releases/notes.txt").first?.body == Self.hello.allBytes)
        #expect(plain.requests(to: "/releases/announcements").map(\.method) == ["POST"])
        #expect(folder.read("downloads/release/announcement.txt") == Self.hello.allBytes)
        #expect(try await done(file) == [])

        try folder.write("downloads/release/words.txt", "7\n")
        #expect(try await done(file) == ["count", "counted", "announce"])
        try folder.write("downloads/release/notes.txt", "spoilt")
        #expect(try await done(file).isSuperset(of: ["notes", "count", "publish"]))
        #expect(try await done(file) == [])
        try folder.write("downloads/release/announcement.txt", "spoilt")
        #expect(try await done(file) == ["announce"])

        let text = DiskFile.text(folder.path(file)) ?? ""
        try folder.write(file, text.split(separator: "Release notes, counted").joined(separator: "Another title"))
        #expect(try await done(file) == ["announce"])
        try folder.write(file, text.split(separator: "min_size: 2").joined(separator: "min_size: 1"))
        #expect(try await done(file) == ["counted", "announce"])
    }
}
