import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Stopping a run, and what it leaves behind.
@Suite struct StopTests {
    static let content = Content.pattern(count: 3 << 20)

    @Test func aStopInMidTransferEndsSoonAndLeavesATruePart() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(Self.content)])
        server.on("/a", nth: 1, .stall(after: 2 << 20))
        let bench = try JobBench()
        let tasks =
            "  - {id: a, download: '\(server.url("/a"))', to: a}\n  - {id: b, download: '\(server.url("/b"))', to: b, needs: [a]}"
        let times = EventLog<ContinuousClock.Instant>()
        let outcome = try await bench.run(
            tasks, configure: { $0.wantsProgress = true },
            observe: { event, run in
                switch event.kind {
                case .taskProgress(let progress) where progress.bytes == 2 << 20:
                    times.append(.now)
                    run.stop(.interrupted)
                case .runFinished: times.append(.now)
                default: break
                }
            })
        let stopped = try #require(times.elements.first)
        let ended = try #require(times.elements.last)
        // The server says nothing more, and would be waited for until `timeout.stall`.
        #expect(ended - stopped < .seconds(20))
        #expect(outcome.finished.outcome == .cancelled)
        #expect(outcome.finished.exitStatus == 130)
        #expect(outcome.task("a")?.outcome == .cancelled)
        #expect(outcome.task("b")?.outcome == .cancelled)
        #expect(bench.bytes("a") == nil)
        server.serve("/b", .text("b"))
        let second = try await bench.run(tasks)
        #expect(second.finished.exitStatus == 0)
        #expect(bench.bytes("a") == Self.content.allBytes)
        #expect(server.requests(to: "/a").map { $0.header("Range") } == [nil, "bytes=\(2 << 20)-"])
    }

    @Test func aStopBeforeTheStartStartsNothing() async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", started: { $0.stop(.terminated) })
        #expect(outcome.finished.exitStatus == 143)
        #expect(outcome.task("a")?.outcome == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test func theFirstOfTwoSignalsCounts() async throws {
        let server = try FaultServer()
        server.on("/a", .hold())
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}",
            observe: { event, run in
                if case .attemptStarted = event.kind {
                    run.stop(.interrupted)
                    run.stop(.terminated)
                }
            })
        #expect(outcome.finished.exitStatus == 130)
    }

    @Test func aTaskThatSleepsIsStopped() async throws {
        let server = try FaultServer()
        server.on("/a", .status(503))
        let bench = try JobBench()
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}",
            defaults: "defaults:\n  retry: {first: 1h, max: 1h, jitter: none}\n",
            observe: { event, run in if case .attemptFailed = event.kind { run.stop(.interrupted) } })
        #expect(outcome.task("a")?.outcome == .cancelled)
        #expect(outcome.finished.exitStatus == 130)
    }

    /// Runs that are made and dropped keep no threads.
    @Test func aRunThatIsNeverCarriedOutCanBeDropped() async throws {
        let bench = try JobBench()
        let plan = try bench.plan("  - {id: a, download: 'http://127.0.0.1:1/a', to: a}")
        let before = Self.threads
        for _ in 0..<2000 { _ = try Run(plan: plan, options: RunOptions(identity: "x", version: "test")) }
        // Other tests run beside this one, with up to a thousand threads; two thousand runs would keep four thousand.
        #expect(Self.threads < before + 3000)
    }

    private static var threads: Int { DiskFile.entries("/proc/self/task").count }
}
