import RunnerExecution
import RunnerJob
import TestSupport
import Testing

/// When a transfer gives its slot to the next one.
@Suite struct SlotTests {
    /// Starts of attempts and ends of tasks, as a run over some small files tells them.
    static func order(of files: Int, concurrency: Int) async throws -> [String] {
        let served = Dictionary(uniqueKeysWithValues: (0..<files).map { ("/\($0)", ServedFile.text("file \($0)")) })
        let server = try FaultServer(files: served)
        let tasks = (0..<files).map { "  - {id: t\($0), download: '\(server.url("/\($0)"))', to: f\($0)}" }
        let outcome = try await JobBench().run(
            tasks.joined(separator: "\n"), top: "limits: {concurrency: \(concurrency), per_host: \(concurrency)}")
        #expect(outcome.finished.exitStatus == 0)
        return outcome.events.compactMap { event in
            switch event.kind {
            case .attemptStarted(let attempt): "start \(attempt.task)"
            case .taskFinished(let task): "end \(task.task)"
            default: nil
            }
        }
    }

    /// Nothing is missing of it but its place, and for that no server is asked.
    @Test func aFileThatIsWholeHoldsNoSlot() async throws {
        let order = try await Self.order(of: 3, concurrency: 2)
        let third = try #require(order.firstIndex(of: "start t2"))
        #expect(!order[..<third].contains { $0.hasPrefix("end") }, "\(order)")
    }

    @Test func oneSlotIsForOneFileAfterTheOther() async throws {
        let order = try await Self.order(of: 3, concurrency: 1)
        #expect(order == (0..<3).flatMap { ["start t\($0)", "end t\($0)"] })
    }

    /// However slow the disk is, no more files wait for it than there are slots.
    @Test(arguments: [2, 3, 8])
    func filesThatWaitForTheDiskAreFew(_ concurrency: Int) async throws {
        var (open, most) = (0, 0)
        for event in try await Self.order(of: 200, concurrency: concurrency) {
            open += event.hasPrefix("start") ? 1 : -1
            most = max(most, open)
        }
        #expect(most <= 2 * concurrency)
    }
}
