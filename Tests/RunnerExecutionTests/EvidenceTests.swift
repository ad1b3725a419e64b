import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// What a person is told of a file that is not what was meant.
@Suite struct EvidenceTests {
    private let wanted = Content.pattern(count: 1000)

    private func message(
        _ steps: Step..., name: String = "a", fields: String = "", configure: (inout RunOptions) -> Void = { _ in }
    ) async throws -> String {
        let server = try FaultServer()
        server.on("/", from: 1, through: .max, steps)
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/" + name))', to: \(name)\(fields)}", configure: configure)
        #expect(bench.files == [])
        return try #require(outcome.task("a")?.failure?.message)
    }

    /// A server that quotes the request, in the places that a message quotes of its reply.
    @Test(arguments: [
        "<html><title>no pl4nted/key for you</title>", "no pl4nted/key for you", "pl4nted%2Fkey",
    ])
    func whatGivesAccessInTheURLIsNotQuoted(_ body: String) async throws {
        let server = try FaultServer()
        server.on("/a", from: 1, through: .max, [.content(.text(body))])
        let outcome = try await JobBench().run(
            "  - {id: a, download: '\(server.url("/a?token=pl4nted%2Fkey"))', to: a, sha256: \(wanted.sha256)}")
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.message.contains("***") && !failure.message.contains("pl4nted"), "\(failure.message)")
    }

    @Test func aGzipOfWhatWasMeantIsKnown() async throws {
        let message = try await message(
            .content(.bytes([0x1f, 0x8b, 8, 0])), .header("Content-Encoding", "gzip"),
            fields: ", sha256: \(wanted.sha256)")
        #expect(message.contains("this may be a gzip of what was meant: the server applied Content-Encoding: gzip"))
    }

    @Test func aPageInPlaceOfAnArchiveIsToldAsWhatItIs() async throws {
        let message = try await message(
            .content(.text("<html><title>Sign in</title>")), .header("Content-Type", "text/html"), name: "a.zip")
        #expect(message.contains("an HTML page came"))
        #expect(message.contains("content type text/html, an HTML page titled \"Sign in\""))
    }

    @Test(arguments: [
        ("to: tool", true), ("to: dir/a.new", true), ("name: server", true), ("name: server, to: '${stem}.bin'", true),
        ("to: page.html", false), ("to: tool, expect: {content_type: text/html}", false),
    ])
    func anArchiveOfTheURLIsOneUnderAnyName(_ fields: String, isRefused: Bool) async throws {
        let server = try FaultServer()
        server.on("/a.zip", from: 1, through: .max, [.redirect(to: "/login.html")])
        server.on(
            "/login.html", from: 1, through: .max,
            [.content(.text("<html><title>Sign in</title>")), .header("Content-Type", "text/html")])
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a.zip"))', \(fields)}")
        #expect((outcome.task("a")?.failure?.faultClass == .content) == isRefused)
        #expect((outcome.task("a")?.outcome == .succeeded) != isRefused)
    }

    @Test func aServersOwnDigestSaysWhoIsWrong() async throws {
        let other = Content.text("other")
        let replaced = try await message(
            .content(other), .header("X-File-SHA256", other.sha256), fields: ", sha256: \(wanted.sha256)")
        #expect(replaced.contains("the server's own digest fits these bytes"))
        let damaged = try await message(
            .content(.text("broken")), .header("X-File-SHA256", other.sha256), fields: ", sha256: \(wanted.sha256)")
        #expect(damaged.contains("the bytes changed on the way"))
    }

    @Test func anEmptyArchiveIsAskedForAgainAndThenRefused() async throws {
        let server = try FaultServer(files: ["/a.zip": .text("")])
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a.zip"))', to: a.zip}")
        #expect(outcome.failedAttempts == [.content, .content])
        #expect(outcome.task("a")?.failure?.message.contains("the file is empty") == true)
    }

    @Test func theFileIsKeptWhereThatIsAskedFor() async throws {
        let bad = try TemporaryDirectory()
        let message = try await message(
            .content(.text("wrong")), name: "a.iso", fields: ", sha256: \(wanted.sha256)",
            configure: { $0.keepBad = bad.path("kept") })
        let files = bad.files()
        #expect(files.count == 1)
        let file = try #require(files.first)
        #expect(file.hasPrefix("kept/a.iso."))
        #expect(DiskFile.text(bad.path(file)) == "wrong")
        #expect(message.contains("kept as \(bad.path(file))"))
    }

    @Test func whatEndsTooEarlyIsTold() async throws {
        let message = try await message(
            .content(.text("%PDF-1.7 …")), name: "a.pdf", fields: ", expect: {type: pdf}")
        #expect(message.contains("the file begins as pdf, but it has no end mark"))
    }
}
