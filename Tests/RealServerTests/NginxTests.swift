import Glibc
import TestSupport
import Testing

/// The built program against a server that others wrote.
@Suite("Against nginx")
struct NginxTests {
    private let server: RealServer
    private let folder: TemporaryDirectory

    init() throws {
        server = try RealServer()
        folder = try TemporaryDirectory()
    }

    private static let manyFiles: [(name: String, content: Content)] = (0..<200).map { number in
        // Sizes from empty to some hundred kilobytes, none of them a power of two.
        (name: "file-\(number).bin", content: .pattern(count: number * number * 13, seed: UInt64(number)))
    }

    private func job(_ origin: String, _ place: String, head: String = "") -> String {
        let tasks = Self.manyFiles.map { file in
            "  - download: \(origin)/\(place)/\(file.name)\n    to: \(file.name)\n    sha256: \(file.content.sha256)\n"
        }
        return "version: 1\ndirectory: out\n\(head)tasks:\n\(tasks.joined())"
    }

    private func run(_ arguments: String...) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(["run", "job.yaml", "--report", "report.jsonl"] + arguments, in: folder.path)
    }

    private func outcomes() -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in (DiskFile.text(folder.path("report.jsonl")) ?? "").split(separator: "\n")
        where line.contains("\"event\":\"task.finished\"") {
            for match in line.matches(of: #/"outcome":"([a-z_]+)"/#) { counts[String(match.1), default: 0] += 1 }
        }
        return counts
    }

    private func expectAllFiles() {
        // Compared as a list of names: a failure that prints the bytes helps nobody.
        let wrong = Self.manyFiles.filter { folder.read("out/\($0.name)") != $0.content.allBytes }.map(\.name)
        #expect(wrong.isEmpty)
    }

    @Test func fetchesTwoHundredFilesOnceAndRepairsOne() async throws {
        try server.publish(Self.manyFiles, in: "many")
        try folder.write("job.yaml", job(server.http, "many"))
        let first = try await run()
        #expect(first.status == 0, "\(first.errorOutput)")
        #expect(outcomes() == ["succeeded": 200])
        expectAllFiles()
        #expect(server.requests(in: "many").count == 200)

        #expect(try await run().status == 0)
        #expect(outcomes() == ["up_to_date": 200])
        #expect(server.requests(in: "many").count == 200)

        try DiskFile.write(folder.path("out/file-150.bin"), "spoilt")
        #expect(try await run().status == 0)
        #expect(outcomes() == ["up_to_date": 199, "succeeded": 1])
        expectAllFiles()
        #expect(server.requests(in: "many").count == 201)
    }

    @Test func aWrongDigestFailsThatTaskAlone() async throws {
        try server.publish(Self.manyFiles, in: "wrong")
        let right = Self.manyFiles[100].content.sha256
        let text = job(server.http, "wrong").split(separator: right).joined(
            separator: String(repeating: "0", count: 64))
        try folder.write("job.yaml", text)
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcomes() == ["succeeded": 199, "failed": 1])
        #expect(outcome.errorOutput.contains("file-100.bin"))
        #expect(outcome.errorOutput.contains("integrity"))
        #expect(folder.read("out/file-100.bin") == nil)
    }

    @Test(arguments: [("", "HTTP/1.1"), (", http_version: \"2\"", "HTTP/2.0")])
    func speaksTheVersionOfTheJobOverTLS(_ version: String, _ spoken: String) async throws {
        let place = "secure\(spoken.filter { $0 != "/" })"
        try server.publish(Self.manyFiles, in: place)
        try folder.write(
            "job.yaml", job(server.https, place, head: "defaults: {tls: {ca: \"\(server.authority)\"}\(version)}\n"))
        let outcome = try await run()
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        expectAllFiles()
        let requests = server.requests(in: place)
        #expect(requests.count == 200)
        #expect(requests.allSatisfy { $0.hasPrefix(spoken + " 200") })
    }

    @Test(arguments: [("1.1", "HTTP/1.1"), ("2", "HTTP/2.0")])
    func aDigestBehindTheBodyIsHeldTo(_ version: String, _ spoken: String) async throws {
        let place = spoken.filter { $0 != "/" }
        try server.publish([("a.bin", .text("hello"))], in: place)
        let origin = version == "2" ? server.https : server.http
        func job(_ digest: String) -> String {
            "version: 1\ndefaults: {http_version: \"\(version)\", tls: {ca: \"\(server.authority)\"}}\ntasks:\n"
                + "  - {download: \"\(origin)/trailer/\(place)/a.bin?digest=\(digest)\", to: a.bin}\n"
        }
        try folder.write("job.yaml", job("LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="))
        let right = try await run()
        #expect(right.status == 0, "\(right.errorOutput)")
        #expect(server.requests(in: place).allSatisfy { $0.hasPrefix(spoken) })
        try folder.write("job.yaml", job("AAJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="))
        let wrong = try await run()
        #expect(wrong.status == 1)
        #expect(wrong.errorOutput.contains("the server's Repr-Digest says 00024dba"), "\(wrong.errorOutput)")
    }

    @Test func doesNotTrustAnUnknownCertificate() async throws {
        try server.publish([("a.bin", .text("a"))], in: "untrusted")
        try folder.write("job.yaml", "version: 1\ntasks:\n  - \(server.https)/untrusted/a.bin\n")
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("tls"))
        #expect(folder.read("a.bin") == nil)
        #expect(server.requests(in: "untrusted").isEmpty)
    }

    @Test func tellsAMissingFileByItsClass() async throws {
        try folder.write("job.yaml", "version: 1\ntasks:\n  - \(server.http)/absent/a.bin\n")
        let outcome = try await run()
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("not_found"))
        #expect(server.requests(in: "absent").count == 1)
    }

    @Test func goesOnWhereABrokenAttemptEnded() async throws {
        // A mebibyte a second and one second an attempt: no single attempt can be enough.
        let content = Content.pattern(count: 5 << 19)
        try server.publish([("slow.bin", content)], in: "ranged")
        try folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - download: \(server.http)/slow/ranged/slow.bin
                sha256: \(content.sha256)
                retry: {first: 10ms, attempts: 10}
                timeout: {attempt: 1s}
            """)
        let outcome = try await run()
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        let isWhole = folder.read("slow.bin") == content.allBytes
        #expect(isWhole)
        let later = server.requests(in: "ranged").dropFirst()
        #expect(!later.isEmpty)
        #expect(later.allSatisfy { $0.hasPrefix("HTTP/1.1 206") && $0.contains("range=\"bytes=") })
    }

    @Test func stopsAtOnceAndLeavesNoHalfFile() async throws {
        // A mebibyte a second, as nginx limits it below /slow/.
        try server.publish([("large.bin", .pattern(count: 60 << 20))], in: "held")
        try folder.write("job.yaml", "version: 1\ntasks:\n  - \(server.http)/slow/held/large.bin\n")
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await process.waitForLine { $0.text.contains("\"event\":\"attempt.started\"") } != nil)
        let start = ContinuousClock.now
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(143))
        // The rest of the file would take three times as long.
        #expect(try #require(process.endTime) - start < .seconds(20) * Soak.slowness)
        #expect(folder.read("large.bin") == nil)
    }
}
