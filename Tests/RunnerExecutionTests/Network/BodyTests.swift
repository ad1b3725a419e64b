import RunnerExecution
import RunnerJob
import TestSupport
import Testing

@Suite struct BodyTests {
    @Test(arguments: [("POST", "'a=b'", "a=b"), ("PUT", "{file: question}", "from the file"), ("POST", "''", "")])
    func aBodyIsSent(_ method: String, _ body: String, _ sent: String) async throws {
        let server = try FaultServer()
        server.on("/a", method: method, .content(.text("answer")))
        let bench = try JobBench()
        try bench.folder.write("question", "from the file")
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, method: \(method), body: \(body)}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Array("answer".utf8))
        let request = try #require(server.requests.first)
        #expect(request.body == Array(sent.utf8))
        #expect(request.header("Content-Length") == "\(sent.utf8.count)")
        #expect(request.header("Content-Type") == nil)
        #expect(request.header("Transfer-Encoding") == nil)
    }

    @Test func theJobsContentTypeIsSent() async throws {
        let server = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        _ = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, method: POST, body: '{}', headers: {content-type: application/json}}"
        )
        #expect(server.requests.first?.header("Content-Type") == "application/json")
    }

    @Test func aFileThatATaskWritesIsWaitedFor() async throws {
        let server = try FaultServer(files: ["/question": .text("what"), "/a": .text("x")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, method: POST, body: {file: question}}
              - {id: q, download: '\(server.url("/question"))', to: question}
            """)
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        #expect(server.requests.last?.body == Array("what".utf8))
    }

    @Test func aFileThatNobodyWritesIsAFaultOfTheJob() throws {
        let bench = try JobBench()
        let faults = #expect(throws: (any Error).self) {
            try bench.plan("  - {download: 'http://h/a', method: POST, body: {file: question}}")
        }
        #expect("\(faults.map { "\($0)" } ?? "")".contains("no task writes the body"))
    }

    /// Requests that a server sees when its first answer is 500 and the next one good.
    @Test(arguments: [
        ("method: POST, body: x", 1), ("method: PATCH, body: x", 1), ("method: PUT, body: x", 2),
        ("method: DELETE", 2), ("method: QUERY, body: x", 2),
        ("method: POST, body: x, headers: {Idempotency-Key: k1}", 2),
    ])
    func onlyHarmlessRequestsAreRepeated(_ fields: String, requests: Int) async throws {
        for steps in [[Step.status(500)], [.drop(by: .reset)]] {
            let server = try FaultServer(files: ["/a": .text("x")])
            server.on("/a", from: 1, through: 1, steps)
            let mirror = try FaultServer(files: ["/a": .text("x")])
            let bench = try JobBench()
            let outcome = try await bench.run(
                "  - {id: a, download: '\(server.url("/a"))', mirrors: ['\(mirror.url("/a"))'], to: a, \(fields)}")
            #expect(server.requests.count + mirror.requests.count == requests)
            #expect(outcome.finished.exitStatus == (requests == 2 ? 0 : 1))
        }
    }

    @Test func aPostWhoseServerIsNotThereIsMadeAtTheMirror() async throws {
        let mirror = try FaultServer(files: ["/a": .text("x")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://127.0.0.1:1/a', mirrors: ['\(mirror.url("/a"))'], to: a, method: POST, body: x}"
        )
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == [.connect])
        #expect(mirror.requests.map(\.body) == [Array("x".utf8)])
    }

    @Test func onlyGetIsResumed() async throws {
        let content = Content.pattern(count: 50_000)
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", nth: 1, .cut(after: 20_000))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a, method: PUT, body: x}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map { $0.header("Range") } == [nil, nil])
        #expect(bench.bytes("a") == content.allBytes)
    }

    // MARK: Redirects

    @Test(arguments: [
        ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("POST", 307, "POST"), ("POST", 308, "POST"),
        ("PUT", 302, "PUT"), ("PUT", 303, "GET"), ("PUT", 308, "PUT"),
    ])
    func redirectsKeepOrDropTheBody(_ method: String, _ status: Int, _ then: String) async throws {
        let server = try FaultServer(files: ["/b": .text("x")])
        server.on("/a", .redirect(to: "/b", status: status))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, method: \(method), body: q, headers: {Content-Type: text/plain}}"
        )
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.map(\.method) == [method, then])
        let last = try #require(server.requests.last)
        #expect(last.body == (then == "GET" ? [] : Array("q".utf8)))
        #expect(last.header("Content-Type") == (then == "GET" ? nil : "text/plain"))
    }

    @Test func aSecretBodyStaysWithItsOrigin() async throws {
        let other = try FaultServer(files: ["/b": .text("x")])
        let server = try FaultServer()
        server.on("/a", .redirect(to: other.url("/b"), status: 307))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, method: POST, body: \"k=${secret:KEY}\"}",
            environment: ["KEY": "hidden-word"])
        #expect(server.requests.first?.body == Array("k=hidden-word".utf8))
        #expect(outcome.task("a")?.failure?.faultClass == .redirect)
        #expect(other.requests.isEmpty)
        #expect(!"\(outcome.events)".contains("hidden-word"))
    }
}
