import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Digests that servers send are held to.
@Suite struct SentDigestTests {
    private let content = Content.pattern(count: 100_000)
    private let wrong = String(repeating: "0", count: 64)

    private func run(_ bench: JobBench, _ server: FaultServer, _ fields: String = "") async throws -> JobBench.Outcome {
        try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a\(fields)}")
    }

    @Test func whatTheServerPromisedIsPublished() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .header("X-File-SHA256", content.sha256))
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(outcome.task("a")?.digest?.hex == content.sha256)
    }

    @Test func otherBytesAreAskedForOnceMorePastCachesAndThenRefused() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .header("X-Checksum-Sha256", wrong))
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        let failure = outcome.task("a")?.failure
        #expect(failure?.faultClass == .integrity)
        #expect(failure?.message.contains("the server's X-Checksum-SHA256 says \(wrong)") == true)
        #expect(failure?.message.contains(content.sha256) == true)
        #expect(server.requests.map { $0.header("Cache-Control") } == [nil, "no-cache"])
        #expect(bench.files == [])
    }

    /// The sum of a store counts, unless the server has sent a hash too.
    @Test(arguments: [false, true]) func aStoresSumIsHeldTo(hasHash: Bool) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let sum = Step.header("X-Goog-Hash", "crc32c=AAAAAA==")
        if hasHash {
            server.on("/a", sum, .header("X-File-SHA256", content.sha256))
        } else {
            server.on("/a", sum)
        }
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        #expect(outcome.task("a")?.outcome == (hasHash ? .succeeded : .failed))
        let message = outcome.task("a")?.failure?.message ?? ""
        #expect(hasHash || message.contains("X-Goog-Hash says 00000000"), "\(message)")
    }

    @Test func theNextMirrorIsAskedThen() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content), "/b": ServedFile(content)])
        server.on("/a", .header("X-Checksum-Sha256", wrong))
        let bench = try JobBench()
        let outcome = try await run(bench, server, ", mirrors: ['\(server.url("/b"))']")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(outcome.failedAttempts == [.integrity, .integrity])
    }

    @Test func theJobsOwnDigestHasTheLastWord() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        server.on("/a", .header("X-Checksum-Sha256", wrong))
        let bench = try JobBench()
        let outcome = try await run(bench, server, ", sha256: \(content.sha256)")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func aResumedFileIsHeldToTheDigestOfTheWhole(isRight: Bool) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 40_000, by: .reset))
        server.on("/a", nth: 2, .header("X-File-SHA256", isRight ? content.sha256 : wrong))
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("a") == content.allBytes)
        #expect(outcome.failedAttempts.last == (isRight ? .reset : .integrity))
        #expect(server.requests.map { $0.header("Range") != nil } == (isRight ? [false, true] : [false, true, false]))
    }

    /// A digest in base64, in the spelling of structured fields.
    private func structured(_ hex: String) throws -> String {
        ":" + Base64.text(try #require(Hexadecimal.bytes(hex.utf8))) + ":"
    }

    @Test(arguments: [true, false]) func whatFollowsTheBodyCountsToo(isRight: Bool) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let digest = try structured(isRight ? content.sha256 : wrong)
        server.on("/a", .chunked(size: 9000), .trailer("X-Other", "1"), .trailer("Repr-Digest", "sha-256=\(digest)"))
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        #expect(outcome.task("a")?.outcome == (isRight ? .succeeded : .failed))
        let message = outcome.task("a")?.failure?.message ?? ""
        #expect(isRight || message.contains("the server's Repr-Digest says \(wrong)"), "\(message)")
        #expect(server.requests.count == (isRight ? 1 : 2))
    }

    @Test func fieldsThatDoNotEndAreCutOff() async throws {
        let server = try FaultServer()
        let fields = String(repeating: "Repr-Digest: " + String(repeating: "x", count: 1000) + "\r\n", count: 400)
        server.on("/a", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n" + fields))
        let outcome = try await run(try JobBench(), server)
        let failure = outcome.task("a")?.failure
        #expect(failure?.faultClass == .protocol)
        #expect(failure?.message.contains("the fields behind the body are more than 300 KiB") == true)
    }

    /// Content-Digest speaks of the part that came, wherever it stands.
    @Test(arguments: [true, false]) func thePartIsHeldToTheDigestBehindIt(isRight: Bool) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        let bytes = content.allBytes
        server.on("/a", nth: 1, .cut(after: 40_000))
        let rest = Content.bytes(Array(bytes[40_000...]))
        let digest = try structured(isRight ? rest.sha256 : wrong)
        server.on("/a", nth: 2, .trailer("Content-Digest", "sha-256=\(digest)"))
        let bench = try JobBench()
        let outcome = try await run(bench, server)
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("a") == bytes)
        #expect(server.requests.map { $0.header("Range") != nil } == (isRight ? [false, true] : [false, true, false]))
    }

    @Test func anEntityTagIsComparedWhereTheJobSaysSo() async throws {
        let server = try FaultServer(files: [
            "/right": ServedFile(content, etag: "\"\(content.digest("MD5"))\""),
            "/wrong": ServedFile(content, etag: "\"\(String(wrong.prefix(32)))\""),
            "/parts": ServedFile(content, etag: "\"\(content.digest("MD5"))-2\""),
        ])
        let bench = try JobBench()
        let outcome = try await bench.run(
            ["right", "wrong", "parts"]
                .map { "  - {id: \($0), download: '\(server.url("/" + $0))', to: \($0), expect: {etag: md5}}" }
                .joined(separator: "\n"))
        #expect(outcome.task("right")?.outcome == .succeeded)
        #expect(outcome.task("wrong")?.failure?.faultClass == .integrity)
        #expect(outcome.task("parts")?.failure?.faultClass == .content)
        #expect(outcome.task("parts")?.failure?.message.contains("-2") == true)
    }
}
