import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite("Errors that a store explains")
struct StoreErrorTests {
    private let content = Content.pattern(count: 20_000)

    private func says(
        _ code: String, _ message: String = "in the store's words", status: Int = 400, _ more: Step...
    ) -> [Step] {
        let text = "<?xml version=\"1.0\"?>\n<Error><Code>\(code)</Code><Message>\(message)</Message></Error>"
        return [.status(status), .content(.text(text)), .header("Content-Type", "application/xml; charset=utf-8")]
            + more
    }

    private func answer(_ server: FaultServer, nth: Int? = nil, _ steps: [Step]) {
        server.on("/a", from: nth ?? 1, through: nth ?? .max, steps)
    }

    private func task(_ server: FaultServer, _ more: String = "") -> String {
        "  - {id: a, download: '\(server.url("/a"))', to: a\(more)}"
    }

    @Test(arguments: [("SlowDown", FaultClass.rateLimited), ("RequestTimeout", .server)])
    func whatPassesIsAskedAgain(_ code: String, _ faultClass: FaultClass) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        answer(server, nth: 1, says(code))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server))
        #expect(outcome.task("a")?.outcome == .succeeded && outcome.failedAttempts == [faultClass])
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test func whatDoesNotPassIsNot() async throws {
        let server = try FaultServer()
        answer(server, says("NoSuchKey", "It\u{E4}&#x202E; is gone: s3cretw0rd", status: 503))
        let outcome = try await JobBench().run(
            task(server, ", headers: {X: \"${secret:S}\"}"), environment: ["S": "s3cretw0rd"])
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .notFound && failure.code == "http_503")
        #expect(server.requests.count == 1)
        #expect(!failure.message.contains("s3cretw0rd"))
        #expect(failure.message.contains(": NoSuchKey, \"It\u{E4}\\u{202e} is gone: "), "\(failure.message)")
    }

    @Test func adviceSpeaksOfWhoAsks() async throws {
        let server = try FaultServer()
        answer(server, says("RequestTimeTooSkewed", status: 403))
        let outcome = try await JobBench().run(task(server))
        #expect(outcome.task("a")?.failure?.advice == "set the clock of this machine")
    }

    /// The status has the last word where the body does not come, is no XML, or is one of another kind.
    @Test func whatIsNotExplainedKeepsItsClass() async throws {
        let html: [Step] = [.status(403), .content(.text("<html/>")), .header("Content-Type", "text/html")]
        let cut = says("NoSuchKey", "m", status: 403, .cut(after: 30))
        let longer = String(repeating: "x", count: 20_000)
        let other: [Step] = [
            .status(403), .content(.text("<a>\(longer)</a>")), .header("Content-Type", "text/xml"),
        ]
        let never = says("NoSuchKey", "m", status: 403, .stall(after: 30))
        for steps in [html, cut, other, never] {
            let server = try FaultServer()
            answer(server, steps)
            let outcome = try await JobBench().run(task(server))
            #expect(outcome.task("a")?.failure?.faultClass == .auth)
            #expect(outcome.task("a")?.failure?.httpStatus == 403)
        }
    }

    @Test func aLongExplanationCountsByItsBeginning() async throws {
        let server = try FaultServer()
        let steps = says("NoSuchBucket", "m</Message><More>\(String(repeating: "x", count: 300_000))</More><Message>n")
        answer(server, steps)
        let outcome = try await JobBench().run(task(server))
        #expect(outcome.task("a")?.failure?.faultClass == .notFound)
    }

    @Test func anUploadThatIsAnsweredWithAnErrorHasFailed() async throws {
        let server = try FaultServer()
        answer(server, nth: 1, says("InternalError", status: 200))
        answer(server, says("Malformed", status: 200))
        let bench = try JobBench()
        _ = try bench.folder.write("f", "text")
        let outcome = try await bench.run("  - {id: a, upload: f, to: '\(server.url("/a"))'}")
        #expect(outcome.failedAttempts == [.server, .client])
        #expect(outcome.task("a")?.failure?.message.contains("answered 200: Malformed, \"in the") == true)
    }

    /// Not every store says that its errors are XML, and none need be asked where no file of ours is meant.
    @Test(arguments: ["upload: f", "upload: f, form: {field: file}", "upload: f, method: POST"])
    func anUploadThatIsAnsweredWithAnErrorOfNoTypeHasFailed(_ fields: String) async throws {
        for type: Step in [.withoutHeader("Content-Type"), .header("Content-Type", "text/plain")] {
            let server = try FaultServer()
            answer(server, says("AccessDenied", status: 200, type))
            let bench = try JobBench()
            _ = try bench.folder.write("f", "text")
            let outcome = try await bench.run("  - {id: a, \(fields), to: '\(server.url("/a"))'}")
            #expect(outcome.task("a")?.failure?.message.contains("answered 200: AccessDenied, \"in the") == true)
        }
    }

    @Test(arguments: [10, 20_000])
    func anUploadsReplyOfXMLIsKept(_ count: Int) async throws {
        let server = try FaultServer()
        let text = "<Result>\(String(repeating: "x", count: count))</Result>"
        answer(server, [.status(200), .content(.text(text)), .header("Content-Type", "application/xml")])
        let bench = try JobBench()
        _ = try bench.folder.write("f", "text")
        let outcome = try await bench.run("  - {id: a, upload: f, to: '\(server.url("/a"))', save_response: r.xml}")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("r.xml") == Array(text.utf8))
    }

    @Test func anErrorThatTheJobExpectsIsTheFile() async throws {
        let server = try FaultServer()
        answer(server, says("NoSuchKey", status: 404))
        let bench = try JobBench()
        let outcome = try await bench.run(task(server, ", expect: {status: 404}"))
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("a")?.starts(with: Array("<?xml".utf8)) == true)
    }
}
