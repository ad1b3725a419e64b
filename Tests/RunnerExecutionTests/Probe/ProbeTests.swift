import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// Servers are asked what they have; no body is fetched and nothing is written.
@Suite struct ProbeTests {
    static let content = Content.pattern(count: 300_000)
    /// A busy machine must not turn a server that waits for the test into one that has stalled.
    static let patient = "defaults:\n  timeout: {connect: 5m, stall: 5m}\n"

    static func probe(
        _ bench: JobBench, _ tasks: String, top: String = ""
    ) async throws -> PlanProbe? {
        let plan = try bench.plan(tasks, defaults: patient, top: top)
        let probe = try Probe(plan: plan, options: RunOptions(identity: "probe", version: "test"))
        return await probe.execute()
    }

    @Test func aHeadTellsAllThereIsToKnow() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        let bench = try JobBench()
        let found = try await Self.probe(bench, "  - {id: a, download: '\(server.url("/a"))', to: a}")
        let source = try #require(found?.tasks[0]?.first)
        #expect(source.size == 300_000)
        #expect(source.status == 200)
        #expect(source.ranges == .yes)
        #expect(source.etag == "\"v1\"")
        #expect(source.hasStrongValidator)
        #expect(source.httpVersion == "1.1")
        #expect(source.failure == nil)
        #expect(server.requests.map(\.method) == ["HEAD"])
        #expect(bench.folder.files().isEmpty)
    }

    /// Servers that refuse HEAD, lie, or break on it.
    @Test(arguments: [[.status(405)], [.status(404)], [.contentLength(0)], [.drop()], [.drop(by: .reset)]] as [[Step]])
    func aFirstByteIsAskedForInstead(_ steps: [Step]) async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content, etag: "\"v1\"")])
        server.on("/a", method: "HEAD", from: 1, through: .max, steps)
        let bench = try JobBench()
        let found = try await Self.probe(bench, "  - {id: a, download: '\(server.url("/a"))', to: a}")
        let source = try #require(found?.tasks[0]?.first)
        #expect(source.size == 300_000)
        #expect(source.status == 206)
        #expect(source.ranges == .yes)
        #expect(source.failure == nil)
        #expect(server.requests.last?.header("Range") == "bytes=0-0")
        #expect(server.bytesSent <= 1)
    }

    /// A server that sends everything is cut off: it cannot get more than its sockets hold on the way.
    @Test func aServerThatIgnoresRangeIsCutOff() async throws {
        let size = 64 << 20
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: size), etag: "\"v1\"")])
        server.on("/a", method: "HEAD", .status(501))
        server.on("/a", .ignoreRange)
        let bench = try JobBench()
        let found = try await Self.probe(bench, "  - {id: a, download: '\(server.url("/a"))', to: a}")
        let source = try #require(found?.tasks[0]?.first)
        #expect(source.size == Int64(size))
        #expect(source.ranges == .no)
        _ = await server.waitUntilIdle()
        #expect(server.bytesSent < size / 2)
    }

    @Test func everyMirrorIsAskedAndFailuresAreTold() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/locked", .status(401))
        server.on("/moved", .redirect(to: "/a?token=hunter22"))
        let bench = try JobBench()
        let found = try await Self.probe(
            bench,
            """
              - id: a
                download: '\(server.url("/missing"))'
                mirrors: ['\(server.url("/locked"))', '\(server.url("/moved"))']
                to: a
              - {id: b, download: '\(server.url("/missing"))', to: b}
              - {id: c, download: 'file:///nowhere/at/all', to: c}
            """)
        let sources = try #require(found?.tasks[0])
        #expect(sources.map(\.failure?.faultClass) == [.notFound, .auth, nil])
        #expect(sources[2].finalURL?.hasPrefix(server.url("/a?token=")) == true)
        #expect(sources[2].finalURL?.contains("hunter22") == false)
        #expect(found?.failingTasks == [1, 2])
    }

    /// As in a run, credentials are for the origin of the task's URL, whether or not `hosts` has something to say.
    @Test(arguments: ["", "hosts: {\"*\": {per_host: 2, headers: {X-Plain: yes}}}\n"])
    func aMirrorElsewhereGetsNoCredentials(_ hosts: String) async throws {
        let first = try FaultServer(files: ["/a": .text("a")])
        let mirror = try FaultServer(files: ["/a": .text("a")])
        let bench = try JobBench()
        _ = try await Self.probe(
            bench,
            """
              - id: a
                download: '\(first.url("/a"))'
                mirrors: ['\(mirror.url("/a"))']
                to: a
                auth: {bearer: s3cret-token}
                headers: {Cookie: sid=1}
            """, top: hosts)
        #expect(first.requests.map { $0.header("Authorization") } == ["Bearer s3cret-token"])
        #expect(first.requests.map { $0.header("Cookie") } == ["sid=1"])
        #expect(mirror.requests.map { $0.header("Authorization") } == [nil])
        #expect(mirror.requests.map { $0.header("Cookie") } == [nil])
    }

    @Test func aServerThatIsNotThereIsTold() async throws {
        let port = try FaultServer().port
        let bench = try JobBench()
        let found = try await Self.probe(bench, "  - {id: a, download: 'http://127.0.0.1:\(port)/a', to: a}")
        #expect(found?.tasks[0]?.first?.failure?.faultClass == .connect)
    }

    @Test func aSizeThatNobodyKnewGoesIntoThePlan() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        let bench = try JobBench()
        let tasks = "  - {id: a, download: '\(server.url("/a"))', to: a}"
        let plan = try bench.plan(tasks)
        #expect(plan.tasks[0].bytes == nil)
        #expect(try await Self.probe(bench, tasks)?.applied(to: plan).tasks[0].bytes == 300_000)
    }

    @Test func whatIsThereAlreadyIsNotAskedFor() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        let bench = try JobBench()
        try bench.folder.write("a", "there")
        let found = try await Self.probe(bench, "  - {id: a, download: '\(server.url("/a"))', to: a, exists: keep}")
        #expect(found?.tasks.isEmpty == true)
        #expect(server.requests.isEmpty)
    }

    @Test func theCapOfAHostHolds() async throws {
        let gate = try Gate()
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", .hold(until: gate))
        let bench = try JobBench()
        let tasks = (0..<12).map { "  - {id: t\($0), download: '\(server.url("/a?\($0)"))', to: t\($0)}" }
        async let found = Self.probe(bench, tasks.joined(separator: "\n"), top: "limits: {concurrency: 8, per_host: 3}")
        #expect(await server.waitForRequests(3).count == 3)
        gate.open()
        #expect(try await found?.tasks.count == 12)
        #expect(server.createdConnections <= 3)
    }

    @Test func aStopEndsItAtOnce() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", .hold())
        let bench = try JobBench()
        let plan = try bench.plan("  - {id: a, download: '\(server.url("/a"))', to: a}", defaults: Self.patient)
        let probe = try Probe(plan: plan, options: RunOptions(identity: "probe", version: "test"))
        async let found = probe.execute()
        _ = await server.waitForRequests(1)
        probe.stop()
        #expect(await found?.tasks == nil)
        let late = try Probe(plan: plan, options: RunOptions(identity: "probe", version: "test"))
        late.stop()
        #expect(await late.execute()?.tasks == nil)
    }
}
