import RunnerExecution
import RunnerJob
import RunnerStorage
import TestSupport
import Testing

/// `backup: exclude` on downloads.
@Suite struct BackupTests {
    let bench: JobBench
    let server: FaultServer

    init() throws {
        bench = try JobBench()
        server = try FaultServer(files: ["/a": ServedFile(.text("a")), "/b": ServedFile(.text("b"))])
    }

    private func task(_ name: String, to: String, _ fields: String = "") -> String {
        "  - {download: \"\(server.url("/" + name))\", to: \(to)\(fields)}\n"
    }

    /// Whether files of this file system can have the attribute.
    private func hasAttribute() throws -> Bool {
        let directory = JobDirectory(root: bench.folder.path)
        let part = try directory.openPart(for: TargetPath(normalized: "probe"), identity: "probe")
        defer { part.discard() }
        return try part.excludeFromBackup()
    }

    private func warnings(_ outcome: JobBench.Outcome) -> [String] {
        outcome.events.compactMap { if case .warning(let warning) = $0.kind { warning.message } else { nil } }
    }

    @Test func aFolderOfSuchFilesIsTaggedWhereFilesHaveNoAttribute() async throws {
        let outcome = try await bench.run(
            task("a", to: "cache/a", ", backup: exclude") + task("b", to: "cache/b", ", backup: exclude"))
        #expect(outcome.finished.exitStatus == 0)
        #expect(warnings(outcome).isEmpty)
        let isTagged = bench.bytes("cache/CACHEDIR.TAG") != nil
        #expect(try isTagged != hasAttribute())
    }

    @Test func aFolderWithOtherFilesIsNotTagged() async throws {
        let outcome = try await bench.run(
            task("a", to: "mixed/a", ", backup: exclude") + task("b", to: "mixed/b", ", needs: [mixed/a]"))
        #expect(outcome.finished.exitStatus == 0)
        #expect(bench.bytes("mixed/CACHEDIR.TAG") == nil)
        try bench.folder.write("foreign/own", "mine")
        let second = try await bench.run(task("a", to: "foreign/a", ", backup: exclude"))
        #expect(bench.bytes("foreign/CACHEDIR.TAG") == nil)
        let isWarned = warnings(second).contains { $0.contains("foreign/a cannot be left out of backups") }
        #expect(try isWarned != hasAttribute())
    }
}
