import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// Rates are shown from below: bytes cannot have come sooner than the rate lets them, however slow the machine is.
@Suite struct RateTests {
    private let content = Content.pattern(count: 300_000)

    private func server(_ paths: String...) throws -> FaultServer {
        try FaultServer(files: Dictionary(uniqueKeysWithValues: paths.map { ($0, ServedFile(content)) }))
    }

    /// The least that so many bytes take: the bucket starts with a tenth of a second in it.
    private func least(_ bytes: Int, at rate: Int) -> Duration {
        .seconds(Double(bytes) / Double(rate) - 0.2)
    }

    @Test func holdForAllTransfersTogether() async throws {
        let server = try server("/a", "/b", "/c")
        let bench = try JobBench()
        let outcome = try await bench.run(
            ["a", "b", "c"].map { "  - {download: '\(server.url("/\($0)"))', to: \($0)}" }.joined(separator: "\n"),
            top: "limits: {rate: 600kB/s}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.finished.duration >= least(900_000, at: 600_000))
        for name in ["a", "b", "c"] { #expect(bench.bytes(name) == content.allBytes) }
        #expect(outcome.failedAttempts.isEmpty)
    }

    @Test func holdForOneTask() async throws {
        let server = try server("/a", "/b")
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, rate: 300kB/s}
              - {id: b, download: '\(server.url("/b"))', to: b, needs: []}
            """)
        let slow = try #require(outcome.task("a")?.timing.total)
        #expect(slow >= least(300_000, at: 300_000))
        let ids = outcome.events.compactMap { event -> ExactText? in
            if case .taskFinished(let task) = event.kind { return task.task }
            return nil
        }
        #expect(ids == ["b", "a"])
    }

    /// A pause leaves a part of a record in the library, of which no socket tells.
    @Test func holdUnderTLS() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 4000))], tls: .valid)
        let bench = try JobBench()
        let authority = try TestCertificate.authorityPath
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, rate: 4kB/s, tls: {ca: '\(authority)'}, timeout: {stall: 3s}}"
        )
        #expect(outcome.failedAttempts.isEmpty)
        #expect(outcome.task("a")?.outcome == .succeeded)
    }

    @Test func holdForOneOrigin() async throws {
        let slow = try server("/a", "/b")
        let fast = try server("/c")
        let bench = try JobBench()
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(slow.url("/a"))', to: a}
              - {id: b, download: '\(slow.url("/b"))', to: b}
              - {id: c, download: '\(fast.url("/c"))', to: c}
            """, top: "hosts: {\"127.0.0.1:\(slow.port)\": {rate: 600kB/s}}")
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.finished.duration >= least(600_000, at: 600_000))
        let first = outcome.events.compactMap { event -> ExactText? in
            if case .taskFinished(let task) = event.kind { return task.task }
            return nil
        }.first
        #expect(first == "c")
    }

    @Test func aPauseForTheRateIsNoStall() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(.pattern(count: 2000))])
        let bench = try JobBench()
        // libcurl hands over a kilobyte at a time, after which nothing may come for two seconds.
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/a"))', to: a, rate: 500B/s, timeout: {stall: 1s}}")
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(outcome.failedAttempts.isEmpty)
    }
}
