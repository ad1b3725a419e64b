import RunnerCLI
import RunnerExecution
import TestSupport
import Testing

/// `runner plan --probe`, against servers.
@Suite struct PlanProbeTests {
    static func made(
        _ server: FaultServer, signals: AsyncStream<TerminationSignal> = AsyncStream { $0.finish() }
    ) throws -> TestContext {
        let test = try TestContext(signals: signals)
        try test.folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - {download: "\(server.url("/a?token=hunter22"))", to: a}
              - {download: "\(server.url("/missing"))", to: b}

            """)
        return test
    }

    @Test func whatServersSayIsShownAndNothingIsWritten() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 4096), etag: "\"v1\"")])
        let test = try Self.made(server)
        #expect(await test.run("plan", "job.yaml", "--probe") == 0)
        let text = test.output.text
        #expect(text.contains("HTTP/1.1 200, 4.0 KiB, gives ranges, \"v1\""))
        #expect(text.contains("would fail, not_found: "))
        #expect(text.contains("asked: 2 sources; 1 task would fail: b"))
        #expect(text.contains("to fetch: 4.0 KiB and 1 file of unknown size"))
        #expect(!text.contains("hunter22"))
        #expect(test.folder.files() == ["job.yaml"])
        #expect(server.requests.filter { $0.path == "/a" }.map(\.method) == ["HEAD"])
    }

    @Test func theObjectHoldsWhatServersSay() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 4096), etag: "\"v1\"")])
        let test = try Self.made(server)
        #expect(await test.run("plan", "job.yaml", "--probe", "--format", "json") == 0)
        let text = test.output.text
        #expect(text.contains("\"bytes\":4096,\"ranges\":\"yes\",\"etag\":\"\\\"v1\\\"\""))
        #expect(text.contains("\"strong_validator\":true,\"requests\":1"))
        #expect(text.contains("\"error\":{\"class\":\"not_found\",\"code\":\"http_404\""))
        #expect(text.contains("\"failing_tasks\":1"))
        #expect(!text.contains("hunter22"))
    }

    @Test func withoutTheOptionNobodyIsAsked() async throws {
        let server = try FaultServer()
        let test = try Self.made(server)
        #expect(await test.run("plan", "job.yaml") == 0)
        #expect(server.requests.isEmpty)
        #expect(!test.output.text.contains("asked:"))
    }

    @Test func aPictureHasNoPlaceForIt() async throws {
        let test = try Self.made(try FaultServer())
        #expect(await test.run("plan", "job.yaml", "--probe", "--format", "dot") == 2)
        #expect(await test.run("plan", "job.yaml", "--probe", "--format", "mermaid") == 2)
    }

    @Test(arguments: [(.interrupt, 130), (.terminate, 143)] as [(TerminationSignal, Int32)])
    func aSignalEndsIt(_ signal: TerminationSignal, status: Int32) async throws {
        let server = try FaultServer()
        server.on("/", .hold())
        let (stream, continuation) = AsyncStream.makeStream(of: TerminationSignal.self)
        let test = try Self.made(server, signals: stream)
        async let ended = test.run("plan", "job.yaml", "--probe")
        _ = await server.waitForRequests(1)
        continuation.yield(signal)
        #expect(await ended == status)
        #expect(test.output.text == "")
    }
}
