import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// Files that servers give their names.
@Suite struct ServerNameTests {
    let content = Content.pattern(count: 300_000)

    private func disposition(_ name: String) -> Step {
        .header("Content-Disposition", "attachment; filename=\"\(name)\"")
    }

    @Test func areNamedByTheReply() async throws {
        let server = try FaultServer(files: ["/get": ServedFile(content)])
        server.on("/get", from: 1, through: .max, [.content(content), disposition("tool-1.2.tar.gz")])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/get"))', to: d/, name: server}
              - {id: b, download: '\(server.url("/get?2"))', to: 'e/${stem}-b${suffix}', name: server}
            """)
        #expect(outcome.task("a")?.to == "d/tool-1.2.tar.gz")
        #expect(outcome.task("b")?.to == "e/tool-1.2-b.tar.gz")
        #expect(bench.files == ["d/tool-1.2.tar.gz", "e/tool-1.2-b.tar.gz"])
        #expect(bench.bytes("d/tool-1.2.tar.gz") == content.allBytes)
    }

    @Test func areNamedByWhereRedirectsLed() async throws {
        let server = try FaultServer(files: ["/tool-2.bin": ServedFile(content)])
        server.on("/latest", from: 1, through: .max, [.redirect(to: server.url("/tool-2.bin"))])
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/latest"))', name: server}")
        #expect(outcome.task("a")?.to == "tool-2.bin")
        #expect(bench.files == ["tool-2.bin"])
    }

    @Test func areKnownInTheNextRun() async throws {
        let server = try FaultServer(files: ["/get": ServedFile(content)])
        server.on("/get", nth: 1, .content(content), disposition("a.bin"), .header("ETag", "\"v1\""))
        server.on("/get", from: 2, through: 2, [.status(304)])
        server.on(
            "/get", from: 3, through: 3, [.content(content), disposition("b.bin"), .header("ETag", "\"v2\"")])
        let bench = try JobBench()
        let tasks = "  - {id: a, download: '\(server.url("/get"))', to: d/, name: server}"
        _ = try await bench.run(tasks)
        #expect(try bench.plan(tasks).tasks.map(\.verdict) == [.revalidate])
        #expect(try bench.plan(tasks).tasks.first?.task.action.work.targetText == "d/a.bin")
        let second = try await bench.run(tasks)
        #expect(second.task("a")?.outcome == .upToDate)
        #expect(second.task("a")?.to == "d/a.bin")
        let third = try await bench.run(tasks)
        #expect(third.task("a")?.to == "d/b.bin")
        #expect(bench.files == ["d/a.bin", "d/b.bin"])
    }

    @Test func doNotReplaceWhatIsNotTheirs() async throws {
        let server = try FaultServer()
        server.on("/get", from: 1, through: .max, [.content(content), disposition("mine.txt")])
        let bench = try JobBench()
        _ = try bench.folder.write("mine.txt", "precious")
        func run(_ more: String = "") async throws -> TaskFinished? {
            try await bench.run("  - {id: a, download: '\(server.url("/get"))', name: server\(more)}").task("a")
        }
        let refused = try await run()
        #expect(refused?.failure?.faultClass == .disk)
        #expect(refused?.failure?.message.contains("mine.txt, which is there already") == true)
        #expect(bench.bytes("mine.txt").map { String(decoding: $0, as: UTF8.self) } == "precious")
        #expect(try await run(", exists: fail")?.outcome == .failed)
        #expect(try await run(", exists: replace")?.outcome == .succeeded)
        #expect(bench.bytes("mine.txt") == content.allBytes)
    }

    @Test func takeAFileWithTheSameBytesForTheirs() async throws {
        let server = try FaultServer()
        server.on("/get", from: 1, through: .max, [.content(content), disposition("a.bin")])
        let bench = try JobBench()
        _ = try bench.folder.write("a.bin", content.allBytes)
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/get"))', name: server}")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.files == ["a.bin"])
    }

    @Test func doNotTakeThePlaceOfAnotherTask() async throws {
        let server = try FaultServer()
        server.on(
            "/", from: 1, through: .max, when: { $0.path.hasPrefix("/get") },
            [.content(content), disposition("one.bin")])
        server.on("/one.bin", from: 1, through: .max, [.content(.text("other"))])
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/get?1"))', to: d/, name: server}
              - {id: b, download: '\(server.url("/get?2"))', to: d/, name: server}
              - {id: c, download: '\(server.url("/get?3"))', to: e/, name: server}
              - {id: d, download: '\(server.url("/one.bin"))', to: e/one.bin}
            """)
        let failed = ["a", "b"].compactMap { outcome.task($0)?.failure }
        #expect(failed.count == 1)
        #expect(failed.first?.message.contains("which another task of this run writes") == true)
        #expect(outcome.task("c")?.failure?.message.contains("e/one.bin, which another task") == true)
        #expect(bench.bytes("e/one.bin").map { String(decoding: $0, as: UTF8.self) } == "other")
    }

    /// What is told of the whole need not be told of the rest.
    private func forgetful(_ first: Step) throws -> FaultServer {
        let server = try FaultServer()
        let file = Step.file(ServedFile(content, etag: "\"v1\""))
        server.on("/get", nth: 1, file, disposition("whole.bin"), first)
        server.on("/get", from: 2, through: .max, [file])
        return server
    }

    @Test func keepTheNameOverARetry() async throws {
        let server = try forgetful(.cut(after: 200_000))
        let bench = try JobBench()
        let outcome = try await bench.run("  - {id: a, download: '\(server.url("/get"))', name: server}")
        #expect(outcome.task("a")?.to == "whole.bin")
        #expect(bench.bytes("whole.bin") == content.allBytes)
        #expect(server.requests.last?.header("Range") != nil)
    }

    @Test func keepTheNameOverRuns() async throws {
        let server = try forgetful(.stall(after: 200_000))
        let bench = try JobBench()
        let tasks = "  - {id: a, download: '\(server.url("/get"))', name: server}"
        _ = try await bench.run(
            tasks, configure: { $0.wantsProgress = true },
            observe: { event, run in
                if case .taskProgress(let progress) = event.kind, progress.bytes == 200_000 { run.stop(.interrupted) }
            })
        #expect(try bench.plan(tasks).tasks.map(\.verdict) == [.resume])
        let second = try await bench.run(tasks)
        #expect(second.task("a")?.resumedFrom == 200_000)
        #expect(second.task("a")?.to == "whole.bin")
        #expect(bench.bytes("whole.bin") == content.allBytes)
    }
}
