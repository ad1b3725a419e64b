import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@Suite("Checks of files that are there")
struct CheckTests {
    let content = Content.pattern(count: 10_000)

    @Test func aDownloadIsCheckedOnceItIsThere() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try JobBench()
        let tasks = """
              - {id: c, check: d/a, sha256: \(content.sha256), size: 10000}
              - {id: a, download: '\(server.url("/a"))', to: d/a, exists: keep}
            """
        let outcome = try await bench.run(tasks)
        #expect(outcome.finished.exitStatus == 0)
        let check = try #require(outcome.task("c"))
        #expect(check.outcome == .succeeded && check.kind == .check && check.to == "")
        #expect(check.digest?.hex == content.sha256)
        #expect(check.attempts == 1)
        let started = outcome.events.compactMap { event -> TaskStarted? in
            if case .taskStarted(let started) = event.kind { return started }
            return nil
        }
        #expect(started.map(\.kind) == [.download, .check])
        #expect(started.last?.source == "d/a" && started.last?.verdict == .run)

        // Nothing has changed: it is not even read.
        #expect(try bench.plan(tasks).tasks.map(\.verdict) == [.upToDate, .upToDate])
        #expect(try await bench.run(tasks).task("c")?.outcome == .upToDate)
        // Another question is asked anew, and so is another file.
        let larger = tasks.replacing("size: 10000", with: "size: 10001")
        #expect(try await bench.run(larger).task("c")?.outcome == .failed)
        _ = try bench.folder.write("d/a", "other")
        let outcomeOfOther = try await bench.run(tasks)
        #expect(outcomeOfOther.task("c")?.failure?.faultClass == .integrity)
        #expect(outcomeOfOther.finished.exitStatus == 1)
    }

    @Test func whatProvesToBeUnchangedDuringTheRunIsUpToDate() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content, etag: "\"v1\"")])
        server.on("/a", when: { $0.header("If-None-Match") == "\"v1\"" }, .status(304))
        let bench = try JobBench()
        let tasks = """
              - {id: a, download: '\(server.url("/a"))', to: a}
              - {id: c, check: a, size: 10000}
            """
        #expect(try await bench.run(tasks).task("c")?.outcome == .succeeded)
        let plan = try bench.plan(tasks)
        #expect(plan.tasks.map(\.verdict) == [.revalidate, .run])
        #expect(try await bench.run(tasks).task("c")?.outcome == .upToDate)
    }

    @Test(arguments: [
        ("{id: c, check: none}", FaultClass.input, "none is not there"),
        ("{id: c, check: f, size: 5}", .integrity, "f: it has 4 bytes, the job says size: 5"),
        ("{id: c, check: f, expect: {min_size: 5}}", .content, "f: it has 4 bytes, expect.min_size is 5"),
        ("{id: c, check: f, expect: {max_size: 3}}", .tooLarge, "f: it has 4 bytes, expect.max_size is 3"),
        ("{id: c, check: f, expect: {type: zip}}", .content, "f: the file is of another type, wanted is zip"),
        ("{id: c, check: f, digest: {file: SUMS}}", .integrity, "SUMS: no checksum for f among 1 entry (other)"),
    ])
    func tellsWhatIsWrong(_ task: String, _ faultClass: FaultClass, _ message: String) async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("f", "text")
        _ = try bench.folder.write("SUMS", "\(String(repeating: "a", count: 64))  other\n")
        let failure = try #require(try await bench.run("  - \(task)").task("c")?.failure)
        #expect(failure.message == message)
        #expect(failure.faultClass == faultClass)
        #expect(failure.advice != nil)
    }

    @Test func aListOnTheDiskIsRead() async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("f", "text")
        _ = try bench.folder.write("SUMS", "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1  f\n")
        let outcome = try await bench.run("  - {id: c, check: f, digest: {file: SUMS}}")
        #expect(outcome.task("c")?.outcome == .succeeded)
    }

    @Test func aFailureBlocksWhatNeedsIt() async throws {
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: c, check: none, optional: true}
              - {id: d, check: none, needs: [c]}
            """)
        #expect(outcome.task("d")?.outcome == .blocked)
        #expect(outcome.task("d")?.blockedBy == "c")
    }

    @Test func aNamedClassIsTriedAgain() async throws {
        let bench = try JobBench()
        let folder = bench.folder
        let outcome = try await bench.run(
            "  - {id: c, check: f, retry: {on: [input], attempts: 3, first: 1ms}}",
            observe: { event, _ in
                if case .attemptFailed = event.kind { _ = try? folder.write("f", "there") }
            })
        #expect(outcome.task("c")?.outcome == .succeeded)
        #expect(outcome.task("c")?.attempts == 2)
        #expect(outcome.failedAttempts == [.input])
        let other = try await bench.run("  - {id: d, check: g, retry: {on: [input], attempts: 2, first: 1ms}}")
        #expect(other.task("d")?.outcome == .failed && other.task("d")?.attempts == 2)
    }

    @Test func localTasksGoOnOutsideTheHoursOfTransfers() async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("f", "text")
        let outcome = try await bench.run(
            "  - {id: c, check: f}", top: "limits: {window: '10:00-11:00'}",
            configure: { $0.wallClock = { 1_700_000_000 } })
        #expect(outcome.task("c")?.outcome == .succeeded)
    }
}
