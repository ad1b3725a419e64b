import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerTransfer
import Synchronization
import TestSupport
import Testing

/// A server's window: that many requests in a span of time, then 429.
private final class RequestWindow: Sendable {
    private struct State {
        var began: ContinuousClock.Instant?
        var count = 0
        var refused = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var refusals: Int { state.withLock { $0.refused } }

    /// Whether a request is one too many in its second.
    func refuses(_ request: RecordedRequest) -> Bool {
        state.withLock { state in
            if state.began.map({ request.time - $0 >= .seconds(1) }) ?? true {
                state.began = request.time
                state.count = 0
            }
            state.count += 1
            if state.count > limit { state.refused += 1 }
            return state.count > limit
        }
    }
}

@Suite struct OriginLimitTests {
    private func tasks(_ server: FaultServer, _ count: Int, _ prefix: String) -> String {
        (0..<count).map { "  - {download: '\(server.url("/\(prefix)\($0)"))', to: \(prefix)\($0)}" }
            .joined(separator: "\n")
    }

    private func server(_ count: Int, _ prefix: String) throws -> FaultServer {
        try FaultServer(
            files: Dictionary(uniqueKeysWithValues: (0..<count).map { ("/\(prefix)\($0)", .text("\($0)")) }))
    }

    @Test func aServerThatRefusesWhatIsTooMuchGetsEverythingAskedInTheEnd() async throws {
        let strict = try server(60, "s")
        let free = try server(60, "f")
        let window = RequestWindow(limit: 20)
        strict.on("/", when: { window.refuses($0) }, .status(429), .retryAfter("1"))
        let bench = try JobBench()
        let outcome = try await bench.run(tasks(strict, 60, "s") + "\n" + tasks(free, 60, "f"), defaults: "")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.finished.counts[.succeeded] == 120)
        // The origin is asked again only after the second it asked for, by few at a time.
        #expect(window.refusals <= 30)
        let lastFree = try #require(free.requests.last?.time)
        let lastStrict = try #require(strict.requests.last?.time)
        #expect(lastFree < lastStrict)
    }

    @Test func noRequestComesBeforeRetryAfterIsOver() async throws {
        let server = try server(12, "a")
        server.on("/", nth: 3, .status(429), .retryAfter("1"))
        let bench = try JobBench()
        let outcome = try await bench.run(tasks(server, 12, "a"), top: "limits: {per_host: 1}")
        #expect(outcome.finished.exitStatus == 0)
        let times = server.requests.map(\.time)
        #expect(times.count == 13)
        #expect(times[3] - times[2] >= .milliseconds(990))
    }

    @Test func theJobsPaceIsKept() async throws {
        let server = try server(10, "a")
        let bench = try JobBench()
        let outcome = try await bench.run(
            tasks(server, 10, "a"), top: "hosts: {127.0.0.1: {requests: 20/s, per_host: 8}}")
        #expect(outcome.finished.exitStatus == 0)
        let times = server.requests.map(\.time)
        // Each begins 50 ms after the one before; on its way one may be held up, so that only the whole is told.
        #expect(times[9] - times[0] >= .milliseconds(400))
    }

    @Test func theCapOfAHostIsKept() async throws {
        let server = try server(8, "a")
        let gate = try Gate()
        server.on("/", .hold(until: gate))
        let bench = try JobBench()
        async let running = bench.run(tasks(server, 8, "a"), defaults: "", top: "hosts: {127.0.0.1: {per_host: 2}}")
        _ = await server.waitForRequests(2)
        #expect(server.createdConnections == 2)
        gate.open()
        #expect(try await running.finished.exitStatus == 0)
    }

    @Test func anOriginThatSaysHowMuchIsLeftIsNotAskedTooOften() async throws {
        let server = try server(4, "a")
        server.on("/", nth: 1, .header("RateLimit", "\"default\";r=0;t=1"))
        let bench = try JobBench()
        let outcome = try await bench.run(tasks(server, 4, "a"), top: "limits: {per_host: 1}")
        #expect(outcome.finished.exitStatus == 0)
        let times = server.requests.map(\.time)
        #expect(times[1] - times[0] >= .milliseconds(990))
    }

    @Test func tasksGoToAMirrorRatherThanWaitForAHeldOrigin() async throws {
        let held = try server(3, "a")
        let mirror = try server(3, "a")
        held.on("/", .status(429), .retryAfter("600"))
        let bench = try JobBench()
        let list = (0..<3).map {
            "  - {download: '\(held.url("/a\($0)"))', mirrors: '\(mirror.url("/a\($0)"))', to: a\($0)}"
        }.joined(separator: "\n")
        let outcome = try await bench.run(list, top: "limits: {per_host: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(held.requests.count == 1)
        #expect(mirror.requests.count == 3)
    }

    @Test func aWaitThatIsTooLongFailsAllThatWaitNowAndInTheNextRun() async throws {
        let server = try server(3, "a")
        server.on("/", .status(429), .retryAfter("7200"))
        let bench = try JobBench()
        let outcome = try await bench.run(tasks(server, 3, "a"), top: "limits: {per_host: 1}")
        #expect(outcome.finished.exitStatus == 1)
        #expect(outcome.finished.counts[.failed] == 3)
        #expect(server.requests.count == 1)
        #expect(outcome.task("a2")?.failure?.faultClass == .rateLimited)
        let later = try await bench.run(tasks(server, 3, "a"), top: "limits: {per_host: 1}")
        #expect(later.finished.counts[.failed] == 3)
        #expect(server.requests.count == 1)
    }

    /// Tasks that wait for an origin are no riddle: the first wait of more than a few seconds is told, once.
    @Test func thatAnOriginIsLeftAloneIsTold() async throws {
        let server = try server(3, "a")
        server.on("/", .status(429), .retryAfter("600"))
        let bench = try JobBench()
        let outcome = try await bench.run(
            tasks(server, 3, "a"), top: "limits: {per_host: 1}",
            observe: { event, run in
                if case .warning = event.kind { run.stop(.interrupted) }
            })
        let warnings = outcome.warnings
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.hasPrefix(
                "no request goes to http://127.0.0.1:\(server.port) for 10m: the server answered 429")
                == true, "\(warnings)")
    }

    @Test func aHoldOfAnEarlierRunIsWaitedFor() async throws {
        let server = try server(1, "a")
        let bench = try JobBench()
        let until = WallClock.milliseconds + 1000
        let outcome = try await bench.run(
            tasks(server, 1, "a"), configure: { $0.initialHolds = ["http://127.0.0.1:\(server.port)": until] })
        #expect(outcome.finished.exitStatus == 0)
        #expect(WallClock.milliseconds >= until)
    }

    /// What the server said then is not known any more, and is not made up.
    @Test func aHoldOfAnEarlierRunThatIsTooLongIsToldAsOne() async throws {
        let server = try server(1, "a")
        let bench = try JobBench()
        let until = WallClock.milliseconds + 7_200_000
        let outcome = try await bench.run(
            tasks(server, 1, "a"), configure: { $0.initialHolds = ["http://127.0.0.1:\(server.port)": until] })
        let failure = try #require(outcome.task("a0")?.failure)
        #expect(failure.faultClass == .rateLimited && failure.code == nil && failure.httpStatus == nil)
        #expect(failure.message.contains("the server asked an earlier run to come back in"))
        #expect(server.requests.isEmpty)
    }

    /// The task's own limits hold for a wait that it has not brought about, too.
    @Test(arguments: [("timeout", "total"), ("retry", "deadline"), ("retry", "max_wait")])
    func aHoldOfAnEarlierRunBeyondTheTasksEndIsNotWaitedFor(_ section: String, _ field: String) async throws {
        let server = try server(1, "a")
        let bench = try JobBench()
        let until = WallClock.milliseconds + 600_000
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a0"))', to: a, \(section): {\(field): 3s}}",
            configure: { $0.initialHolds = ["http://127.0.0.1:\(server.port)": until] })
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .rateLimited)
        #expect(failure.message.contains("\(section).\(field)"), "\(failure.message)")
        #expect(server.requests.isEmpty)
    }

    /// What the origin says to the task itself shows nothing of its answering others.
    @Test(arguments: [429, 503])
    func aRedirectToARefusalUsesTheAttemptsUp(_ status: Int) async throws {
        let server = try FaultServer()
        server.on("/a", from: 1, through: .max, [.redirect(to: "/b")])
        server.on("/b", from: 1, through: .max, [.status(status), .retryAfter("0")])
        let bench = try JobBench()
        // Two, as each of them must not count for the other either.
        let list = ["a", "c"].map {
            "  - {id: \($0), download: '\(server.url("/a"))', to: \($0), retry: {attempts: 3}}"
        }
        let outcome = try await bench.run(list.joined(separator: "\n"))
        #expect(outcome.finished.counts[.failed] == 2)
        #expect(server.requests.count { $0.path == "/b" } == 6)
    }

    @Test func ownFailuresInBetweenDoNotGiveAnAttemptBack() async throws {
        let server = try FaultServer()
        server.on("/a", nth: 1, .status(500))
        server.on("/a", from: 2, through: .max, [.status(503), .retryAfter("0")])
        let outcome = try await JobBench().run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, retry: {attempts: 2}}")
        #expect(outcome.task("a")?.outcome == .failed)
        #expect(server.requests.count == 2)
    }

    /// What one task found out about a mirror serves the next ones, and is told once.
    @Test(arguments: [true, false])
    func aMirrorThatFailedWhereAnotherServedIsAskedLast(_ isWrong: Bool) async throws {
        let right = try server(6, "a")
        let bad = try server(6, "a")
        if isWrong { bad.on("/", .content(.text("wrong"))) } else { bad.on("/", .status(500)) }
        let bench = try JobBench()
        let list = (0..<6).map {
            "  - {download: '\(bad.url("/a\($0)"))', mirrors: ['\(right.url("/a\($0)"))'], to: a\($0), "
                + "sha256: \(Content.text("\($0)").sha256)}"
        }.joined(separator: "\n")
        let outcome = try await bench.run(list, top: "limits: {concurrency: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(bad.requests.count == (isWrong ? 2 : 1))
        #expect(right.requests.count == 6)
        #expect(outcome.warnings.count == 1)
        #expect(outcome.warnings.first?.contains("http://127.0.0.1:\(bad.port)") == true, "\(outcome.warnings)")
    }

    /// It is asked all the same where nobody else has the file, and then has its old place again.
    @Test func aMirrorThatIsAskedLastCanMakeUpForIt() async throws {
        let first = try server(4, "a")
        let second = try server(4, "a")
        first.on("/a0", .status(500))
        second.on("/a1", .status(404))
        let bench = try JobBench()
        let list = (0..<4).map {
            "  - {download: '\(first.url("/a\($0)"))', mirrors: ['\(second.url("/a\($0)"))'], to: a\($0)}"
        }.joined(separator: "\n")
        let outcome = try await bench.run(list, top: "limits: {concurrency: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(first.requests.map(\.path) == ["/a0", "/a1", "/a2", "/a3"])
        #expect(second.requests.map(\.path) == ["/a0", "/a1"])
    }

    /// A point in time in place of seconds, or a clock that goes wrong, must not shut a server out for years.
    @Test func noWishIsKeptForLongerThanADay() async throws {
        let server = try server(1, "a")
        server.on("/", .status(429), .retryAfter("1767225600"))
        let bench = try JobBench()
        let outcome = try await bench.run(tasks(server, 1, "a"))
        #expect(outcome.task("a0")?.failure?.message.contains("asks to come back in") == true)
        let day: Int64 = 86_400_000
        let site = JobSite(try bench.plan(tasks(server, 1, "a")).job, identity: bench.folder.path + "/job.yaml")
        let kept = try #require(site.view().holds["http://127.0.0.1:\(server.port)"])
        #expect(kept <= WallClock.milliseconds + day)
        #expect(kept > WallClock.milliseconds + day / 2)
        let later = try await bench.run(
            tasks(server, 1, "a"),
            configure: { $0.initialHolds = ["http://127.0.0.1:\(server.port)": WallClock.milliseconds + 99 * day] })
        let message = try #require(later.task("a0")?.failure?.message)
        #expect(["come back in 1d,", "come back in 23h59m"].contains { message.contains($0) }, "\(message)")
    }

    @Test func anOriginThatIsDownIsLeftAloneAndMirrorsAreUsed() async throws {
        let down = try server(20, "a")
        let mirror = try server(20, "a")
        down.on("/", .drop(by: .reset))
        let bench = try JobBench()
        let list = (0..<20).map {
            "  - {download: '\(down.url("/a\($0)"))', mirrors: '\(mirror.url("/a\($0)"))', to: a\($0)}"
        }.joined(separator: "\n")
        let outcome = try await bench.run(list, top: "limits: {per_host: 1}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(down.requests.count == 5)
        #expect(mirror.requests.count == 20)
    }
}
