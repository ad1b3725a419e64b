import RunnerExecution
import RunnerJob
import RunnerPlan
import Synchronization
import TestSupport
import Testing

@Suite struct HoursTests {
    /// A clock on the wall that goes at its own pace from a time of day on.
    fileprivate final class WallClock: Sendable {
        private let began = ContinuousClock.now
        private let start: Int64

        init(hour: Int64, minute: Int64, second: Int64) {
            start = 1_700_006_400 / 86_400 * 86_400 + hour * 3600 + minute * 60 + second
        }

        var seconds: Int64 { start + Int64((ContinuousClock.now - began) / .seconds(1)) }
    }

    private let content = Content.pattern(count: 200_000)

    @Test func nothingIsAskedBeforeTheWindowOpens() async throws {
        let server = try FaultServer(files: ["/a": .text("a")])
        let bench = try JobBench()
        let clock = WallClock(hour: 21, minute: 59, second: 59)
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a}", top: "limits: {window: '22:00-06:00'}",
            configure: { $0.wallClock = { clock.seconds } })
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.finished.duration >= .milliseconds(900))
    }

    @Test func whatIsUnderWayRestsAndGoesOn() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"1\"")])
        server.on("/a", .trickle(bytesPerSecond: 150_000))
        let bench = try JobBench()
        // The hours end after a second and begin again when four more have passed, which count for no limit of time.
        let clock = WallClock(hour: 5, minute: 59, second: 59)
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, timeout: {total: 5s, stall: 2s}}",
            top: "limits: {window: ['22:00-06:00', '06:01-07:00']}",
            configure: { $0.wallClock = { clock.seconds >= clock.closing + 4 ? clock.closing + 61 : clock.seconds } })
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.count == 1)
        #expect(bench.bytes("a") == content.allBytes)
    }

    /// The time at rest does not count for the limit that the next wait is measured by either.
    @Test func aWaitAfterTheRestIsWithinTheDeadline() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"1\"")])
        server.on("/a", nth: 1, .trickle(bytesPerSecond: 150_000), .cut(after: 180_000))
        let bench = try JobBench()
        let clock = WallClock(hour: 5, minute: 59, second: 59)
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, retry: {first: 1ms, deadline: 4s}}",
            top: "limits: {window: ['22:00-06:00', '06:01-07:00']}",
            configure: { $0.wallClock = { clock.seconds >= clock.closing + 4 ? clock.closing + 61 : clock.seconds } })
        #expect(outcome.finished.exitStatus == 0)
        #expect(server.requests.count == 2)
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test func thePlanSaysThatItWouldWait() throws {
        let bench = try JobBench()
        var plan = try bench.plan("  - http://h/a", top: "limits: {window: '22:00-06:00'}")
        plan.lookAt(.utc(now: WallClock(hour: 9, minute: 0, second: 0).seconds))
        #expect(plan.waitsUntil == "22:00")
        plan.lookAt(.utc(now: WallClock(hour: 23, minute: 0, second: 0).seconds))
        #expect(plan.waitsUntil == nil)
    }
}

extension HoursTests.WallClock {
    /// Six o'clock of its day.
    fileprivate var closing: Int64 { 1_700_006_400 / 86_400 * 86_400 + 6 * 3600 }
}
