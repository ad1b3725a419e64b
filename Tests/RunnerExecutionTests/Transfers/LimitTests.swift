import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Limits of time, caps on connections, and waits that a server asks for.
@Suite struct LimitTests {
    static let content = Content.pattern(count: 50_000)

    static func limits(_ timeout: String, retry: String = "attempts: 9") -> String {
        "defaults:\n  retry: {\(retry), first: 1ms, max: 2ms}\n  timeout: {\(timeout)}\n"
    }

    @Test(arguments: [[Step.stall(after: 1_000)], [.hold()], [.chunked(), .stall(after: 49_999)]])
    func silenceEndsAnAttempt(_ steps: [Step]) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", from: 1, through: 1, steps)
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", defaults: Self.limits("stall: 300ms"))
        #expect(outcome.failedAttempts.first == .stall)
        #expect(bench.bytes("a") == Self.content.allBytes)
    }

    @Test func bytesThatTrickleAreNoSilence() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 100))])
        server.on("/a", .trickle(bytesPerSecond: 20))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", defaults: Self.limits("stall: 4s"))
        #expect(outcome.failedAttempts == [])
        #expect(outcome.finished.exitStatus == 0)
    }

    @Test func anAttemptHasItsTime() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", nth: 1, .trickle(bytesPerSecond: 2_000))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", defaults: Self.limits("attempt: 500ms"))
        #expect(outcome.failedAttempts.first == .timeout)
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.last?.header("Range") != nil)
    }

    /// Each of two requests is answered in less than the time of an attempt, but not both together.
    @Test func redirectsShareTheTimeOfAnAttempt() async throws {
        let server = try FaultServer(files: [
            "/a": ServedFile(.text("a")), "/next": ServedFile(.text("a")), "/b": ServedFile(.pattern(count: 1200)),
            "/c": ServedFile(.pattern(count: 1200)),
        ])
        let gates = ["b": try Gate(), "c": try Gate()]
        server.on("/a", .hold(until: gates["b"]), .redirect(to: "/next"))
        server.on("/next", .hold(until: gates["c"]))
        for path in ["/b", "/c"] { server.on(path, .trickle(bytesPerSecond: 2_000)) }
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, timeout: {attempt: 900ms}, retry: {attempts: 1}}
              - {id: b, download: '\(server.url("/b"))', to: b}
              - {id: c, download: '\(server.url("/c"))', to: c, needs: [b]}
            """,
            observe: { event, _ in
                if case .taskFinished(let finished) = event.kind { gates[finished.task.text]?.open() }
            })
        #expect(outcome.task("a")?.failure?.message.contains("timeout.attempt") == true)
        #expect(outcome.task("a")?.failure?.faultClass == .timeout)
    }

    @Test func aTaskHasItsTimeWaitsIncluded() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", .status(503))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}",
            defaults: "defaults:\n  retry: {first: 1h, max: 1h, jitter: none}\n  timeout: {total: 300ms}\n")
        #expect(outcome.task("a")?.failure?.faultClass == .timeout)
        #expect(outcome.task("a")?.failure?.message.contains("timeout.total") == true)
        #expect(outcome.finished.duration < .seconds(10))
    }

    @Test func noConnectionInTimeIsATimeout() async throws {
        let silent = try FullListener()
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://127.0.0.1:\(silent.port)/a', to: a}",
            defaults: Self.limits("connect: 200ms, stall: 5s", retry: "attempts: 1"))
        #expect(outcome.failedAttempts == [.timeout])
        #expect(outcome.task("a")?.failure?.message.contains("timeout.connect") == true)
    }

    @Test func nobodyThereIsAFaultOfTheConnection() async throws {
        let port = try FaultServer().port
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: 'http://127.0.0.1:\(port)/a', to: a}")
        #expect(outcome.failedAttempts == [.connect, .connect, .connect, .connect])
    }

    @Test func aNameThatNobodyHasIsAFaultOfTheNames() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: 'http://nobody.invalid/a', to: a}",
            defaults: Self.limits("connect: 5s", retry: "attempts: 1"))
        #expect(outcome.failedAttempts == [.dns])
    }

    // MARK: - Caps

    @Test func theCapOnAnOriginHolds() async throws {
        let files = Dictionary(
            uniqueKeysWithValues: (0..<24).map { ("/\($0)", ServedFile(.pattern(count: 3_000, seed: $0))) })
        let server = try FaultServer(files: files)
        server.on("/", .trickle(bytesPerSecond: 60_000))
        let bench = try JobBench()
        let highest = EventLog<Int>()
        let tasks = (0..<24).map { "  - {id: t\($0), download: '\(server.url("/\($0)"))', to: f\($0)}" }
        let outcome = try await bench.run(
            tasks.joined(separator: "\n"), top: "limits: {concurrency: 12, per_host: 3}",
            observe: { _, _ in highest.append(server.liveConnections) })
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.createdConnections <= 3)
        #expect((1...3).contains(highest.elements.max() ?? 0))
        #expect(Set(server.requests.map(\.connection)).count <= 3)
    }

    @Test func manySmallFilesShareTheConnections() async throws {
        let files = Dictionary(
            uniqueKeysWithValues: (0..<300).map { ("/\($0)", ServedFile.text("file \($0)")) })
        let server = try FaultServer(files: files)
        let bench = try JobBench()
        let tasks = (0..<300).map { "  - {id: t\($0), download: '\(server.url("/\($0)"))', to: d/f\($0)}" }
        let outcome = try await bench.run(
            tasks.joined(separator: "\n"), top: "limits: {concurrency: 16, per_host: 16}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.finished.counts == [.succeeded: 300])
        #expect(server.requests.count == 300)
        #expect(server.createdConnections <= 16)
        for number in 0..<300 { #expect(bench.bytes("d/f\(number)") == Array("file \(number)".utf8)) }
    }

    @Test func aConnectionThatEndedBetweenTwoRequestsIsNoFault() async throws {
        let files = Dictionary(uniqueKeysWithValues: (0..<20).map { ("/\($0)", ServedFile.text("file \($0)")) })
        let server = try FaultServer(files: files)
        server.on("/", .closeAfterReply)
        let bench = try JobBench()
        let tasks = (0..<20).map { "  - {id: t\($0), download: '\(server.url("/\($0)"))', to: f\($0)}" }
        let outcome = try await bench.run(tasks.joined(separator: "\n"), top: "limits: {concurrency: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == [])
    }

    // MARK: - Retry-After

    @Test func aWaitHoldsForTheWholeOriginAndNoOther() async throws {
        let busy = try FaultServer(files: ["/a": .text("a"), "/b": .text("b")])
        let free = try FaultServer(files: ["/c": .text("c"), "/d": .text("d")])
        busy.on("/a", nth: 1, .status(429), .retryAfter("1"))
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(busy.url("/a"))', to: a}
              - {id: b, download: '\(busy.url("/b"))', to: b}
              - {id: c, download: '\(free.url("/c"))', to: c}
              - {id: d, download: '\(free.url("/d"))', to: d}
            """, top: "limits: {concurrency: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.failedAttempts == [.rateLimited])
        let first = try #require(busy.requests.first?.time)
        let later = busy.requests.dropFirst().map(\.time)
        #expect(later.allSatisfy { $0 - first >= .milliseconds(900) })
        // The others do not wait: with one slot they are served while the busy server is left alone.
        #expect(free.requests.allSatisfy { request in later.allSatisfy { request.time < $0 } })
    }

    @Test(arguments: ["9999999999", "86400"])
    func aWaitThatIsTooLongIsToldAtOnce(_ wait: String) async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        server.on("/a", .status(429), .retryAfter(wait))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/a"))', to: a}")
        #expect(outcome.task("a")?.failure?.faultClass == .rateLimited)
        #expect(outcome.task("a")?.failure?.message.contains("come back in") == true)
        #expect(server.requests.count == 1)
    }

    @Test func manyAttemptsAreMade() async throws {
        let server = try FaultServer()
        server.on("/a", .status(503))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}",
            defaults: Self.limits("stall: 5s", retry: "attempts: 101"))
        #expect(outcome.task("a")?.failure?.httpStatus == 503)
        #expect(server.requests.count == 101)
    }
}
