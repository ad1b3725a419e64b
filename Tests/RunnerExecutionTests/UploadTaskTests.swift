import Glibc
import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

@Suite("Uploads")
struct UploadTaskTests {
    let content = Content.pattern(count: 200_000)

    private func bench(_ name: String = "f.zip") throws -> JobBench {
        let bench = try JobBench()
        _ = try bench.folder.write(name, content.allBytes)
        return bench
    }

    @Test func aFileIsPutAsItIs() async throws {
        let server = try FaultServer(files: ["/up": .text("thanks")])
        let bench = try bench()
        let outcome = try await bench.run("  - {id: u, upload: f.zip, to: '\(server.url("/up"))'}")
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT" && request.body == content.allBytes)
        #expect(request.header("Content-Type") == MediaTypes.ofThisMachine.type(of: "f.zip"))
        let task = try #require(outcome.task("u"))
        #expect(task.outcome == .succeeded && task.kind == .upload)
        #expect(task.sent == 200_000 && task.transferred == 0)
        #expect(task.digest?.hex == content.sha256)
        #expect(task.reply == "thanks" && task.http?.status == 200)
        #expect(outcome.finished.sent == 200_000)
        #expect(bench.files == ["f.zip"])
    }

    @Test func aRefusalOfExpectThatIsTheLastWordCounts() async throws {
        let server = try FaultServer()
        server.on("/up", .status(417))
        let bench = try bench()
        let outcome = try await bench.run("  - {id: u, upload: f.zip, to: '\(server.url("/up"))'}")
        #expect(outcome.task("u")?.failure?.httpStatus == 417)
        #expect(outcome.task("u")?.failure?.faultClass == .client)
    }

    @Test(arguments: [200, 201, 202, 204]) func everyGoodStatusCounts(_ status: Int) async throws {
        let server = try FaultServer()
        server.on("/up", .status(status))
        let bench = try bench()
        let outcome = try await bench.run("  - {id: u, upload: f.zip, to: '\(server.url("/up"))'}")
        #expect(outcome.task("u")?.outcome == .succeeded)
    }

    /// libcurl sends the body once more, and its reply counts.
    @Test(arguments: ["PUT", "POST"]) func aServerThatDoesNotKnowExpectGetsTheFile(_ method: String) async throws {
        let server = try FaultServer(files: ["/up": .text("ok")])
        server.answerExpectations(with: "417 Expectation Failed")
        let bench = try bench()
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', method: \(method)}")
        #expect(outcome.task("u")?.outcome == .succeeded)
        #expect(outcome.task("u")?.reply == "ok")
        #expect(outcome.failedAttempts == [])
        #expect(server.requests.map { $0.body.count } == [0, 200_000])
    }

    /// Who was not given the file cannot have it, whatever the status says.
    @Test(arguments: ["method: PUT", "method: POST", "form: {}"])
    func aServerThatDoesNotWaitForTheFileDoesNotHaveIt(_ way: String) async throws {
        let server = try FaultServer()
        server.answerExpectations(with: "200 OK")
        // libcurl waits with a form for leave only where it is large.
        let bench = try JobBench()
        _ = try bench.folder.write("f.zip", Content.pattern(count: 2_000_000).allBytes)
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', \(way), retry: {attempts: 1}}")
        let task = try #require(outcome.task("u"))
        #expect(task.outcome == .failed && task.sent == 0 && task.digest == nil)
        #expect(task.failure?.faultClass == .protocol)
        #expect(task.failure?.message.contains("before it had the file: 0 of 2") == true, "\(task)")
    }

    /// A server that still waits for the file would take the next request for it.
    @Test func aConnectionThatTheFileDidNotComeOverIsUsedNoMore() async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        server.answerExpectations(with: "200 OK")
        let outcome = try await bench().run(
            """
              - {id: u, upload: f.zip, to: '\(server.url("/up"))', method: POST, optional: true, priority: 1}
              - {id: a, download: '\(server.url("/a"))'}
            """, top: "limits: {concurrency: 1}")
        #expect(outcome.task("a")?.outcome == .succeeded)
        let connections = server.requests.map(\.connection)
        #expect(connections.count == 2 && Set(connections).count == 2)
    }

    @Test func onlyTheStatusThatIsExpectedCounts() async throws {
        let server = try FaultServer(files: ["/up": .text("ok")])
        let bench = try bench()
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', expect: {status: 201}}")
        let failure = try #require(outcome.task("u")?.failure)
        #expect(failure.httpStatus == 200 && failure.faultClass == .content)
        #expect(failure.message.contains("`expect` asks for status 201"))
        // The server has the file; to send it again would help nobody.
        #expect(server.requests.count == 1)
    }

    @Test func aFormHoldsTheFileAndFurtherFields() async throws {
        let server = try FaultServer(files: ["/up": .text("ok")])
        let bench = try bench()
        let outcome = try await bench.run(
            """
              - id: u
                upload: f.zip
                to: "\(server.url("/up"))"
                form: {field: archive, content_type: application/x-own, file_name: "a\\"b.zip", fields: {title: "two words", token: "x=1&y"}, headers: {X-Part: p}}
            """)
        #expect(outcome.task("u")?.outcome == .succeeded)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains("name=\"title\"\r\n\r\ntwo words\r\n"))
        #expect(text.contains("name=\"token\"\r\n\r\nx=1&y\r\n"))
        #expect(
            text.contains(
                "name=\"archive\"; filename=\"a%22b.zip\"\r\nContent-Type: application/x-own\r\nX-Part: p\r\n"))
        #expect(outcome.task("u")?.sent == Int64(request.body.count))
    }

    @Test func theReplyIsSavedWhereTheJobSaysSo() async throws {
        let server = try FaultServer(files: ["/up": .text("{\"id\": 7}")])
        let bench = try bench()
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', save_response: out/reply.json}")
        #expect(outcome.task("u")?.outcome == .succeeded && outcome.task("u")?.reply == nil)
        #expect(bench.bytes("out/reply.json") == Array("{\"id\": 7}".utf8))
    }

    @Test func aPutIsMadeAgainWithTheWholeBody() async throws {
        let server = try FaultServer()
        server.on("/up", nth: 1, .status(503))
        server.on("/up", .status(201))
        let bench = try bench()
        let outcome = try await bench.run("  - {id: u, upload: f.zip, to: '\(server.url("/up"))'}")
        #expect(outcome.task("u")?.outcome == .succeeded && outcome.task("u")?.attempts == 2)
        #expect(server.requests.map(\.body.count) == [200_000, 200_000])
        #expect(outcome.task("u")?.sent == 400_000)
    }

    @Test func aPostIsNotMadeAgainUnlessTheServerCanTell() async throws {
        let server = try FaultServer()
        server.on("/up", .status(503))
        let bench = try bench()
        let outcome = try await bench.run(
            """
              - {id: u, upload: f.zip, to: '\(server.url("/up"))', method: POST}
              - {id: v, upload: f.zip, to: '\(server.url("/up"))', method: POST, headers: {Idempotency-Key: k}}
            """)
        #expect(outcome.task("u")?.attempts == 1)
        #expect(outcome.task("v")?.attempts == 4)
    }

    @Test func aFolderTakesTheFilesName() async throws {
        let server = try FaultServer()
        server.on("/d/a%20b.txt", .status(201))
        let bench = try bench("a b.txt")
        let outcome = try await bench.run("  - {upload: a b.txt, to: '\(server.url("/d/"))'}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.first?.target == "/d/a%20b.txt")
        #expect(server.requests.first?.header("Content-Type") == MediaTypes.ofThisMachine.type(of: "a b.txt"))
    }

    @Test func itIsRepeatedOnlyWhenSomethingHasChanged() async throws {
        let server = try FaultServer(files: ["/up": .text("ok"), "/other": .text("ok")])
        let bench = try bench()
        func task(_ path: String = "/up", _ more: String = "") -> String {
            "  - {id: u, upload: f.zip, to: '\(server.url(path))'\(more)}"
        }
        #expect(try await bench.run(task()).task("u")?.outcome == .succeeded)
        #expect(try bench.plan(task()).tasks.map(\.verdict) == [.upToDate])
        #expect(try await bench.run(task()).task("u")?.outcome == .upToDate)
        #expect(server.requests.count == 1)
        #expect(try await bench.run(task("/other")).task("u")?.outcome == .succeeded)
        #expect(try await bench.run(task("/other", ", headers: {X-A: b}")).task("u")?.outcome == .succeeded)
        let form = ", form: {field: a, fields: {b: c}}"
        #expect(try await bench.run(task("/other", form)).task("u")?.outcome == .succeeded)
        #expect(try await bench.run(task("/other", form)).task("u")?.outcome == .upToDate)
        let changed = form.replacing("b: c", with: "b: d")
        #expect(try await bench.run(task("/other", changed)).task("u")?.outcome == .succeeded)
        _ = try bench.folder.write("f.zip", "PK new")
        #expect(try bench.plan(task("/other", changed)).tasks.map(\.verdict) == [.run])
        #expect(try await bench.run(task("/other", changed)).task("u")?.outcome == .succeeded)
        #expect(server.requests.count == 6)
    }

    @Test func itWaitsForWhatItSends() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content), "/up": .text("ok")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: u, upload: d/a, to: '\(server.url("/up"))'}
              - {id: a, download: '\(server.url("/a"))', to: d/a}
            """)
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map(\.method) == ["GET", "PUT"])
        #expect(server.requests.last?.body == content.allBytes)
    }

    @Test func whatIsNoFileIsRefused() async throws {
        let bench = try JobBench()
        #expect(throws: PlanFaults.self) { try bench.plan("  - {id: u, upload: none, to: 'http://127.0.0.1/up'}") }
        #expect(mkfifo(bench.folder.path("pipe"), 0o600) == 0)
        #expect(throws: PlanFaults.self) { try bench.plan("  - {id: u, upload: pipe, to: 'http://127.0.0.1/up'}") }
    }

    @Test func credentialsStayWithTheirOrigin() async throws {
        let other = try FaultServer()
        other.on("/then", .status(201))
        let server = try FaultServer()
        server.on("/up", .redirect(to: other.url("/then"), status: 307))
        let bench = try bench()
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', auth: {bearer: T0KEN}}")
        #expect(outcome.task("u")?.outcome == .succeeded)
        #expect(server.requests.first?.header("Authorization") == "Bearer T0KEN")
        #expect(other.requests.first?.header("Authorization") == nil)
        #expect(other.requests.first?.body == content.allBytes)
    }

    @Test func aSecretOfAFormGoesToNoOtherOrigin() async throws {
        let other = try FaultServer(files: ["/then": .text("ok")])
        let server = try FaultServer()
        server.on("/up", .redirect(to: other.url("/then"), status: 307))
        let bench = try bench()
        let outcome = try await bench.run(
            "  - {id: u, upload: f.zip, to: '\(server.url("/up"))', form: {fields: {t: \"${secret:S}\"}}}",
            environment: ["S": "hunter22"])
        #expect(outcome.task("u")?.failure?.faultClass == .redirect)
        #expect(other.requests.isEmpty)
    }

    @Test func theDefaultsOfDownloadsDoNotSteerIt() async throws {
        let server = try FaultServer(files: ["/up": .text("ok")])
        let bench = try bench()
        let defaults = "defaults: {method: POST, body: text, headers: {X-All: y}, expect: {type: zip}}\n"
        _ = try await bench.run("  - {id: u, upload: f.zip, to: '\(server.url("/up"))'}", defaults: defaults)
        #expect(server.requests.first?.method == "PUT")
        #expect(server.requests.first?.body == content.allBytes)
        #expect(server.requests.first?.header("X-All") == "y")
    }
}
