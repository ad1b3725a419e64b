import Glibc
import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// A file that is fetched again with the bytes that it had does not make work.
@Suite("Files that come anew")
struct SameBytesTests {
    private let content = Content.pattern(count: 20_000)

    private func outcomes(_ outcome: JobBench.Outcome, _ ids: String...) -> [TaskFinished.Outcome?] {
        ids.map { outcome.task($0)?.outcome }
    }

    private func tasks(_ server: FaultServer, _ digest: String) -> String {
        """
          - {id: d, download: '\(server.url("/a"))', to: in/a, exists: replace\(digest)}
          - {id: r, run: [cp, in/a, copy], inputs: [in/a], outputs: [copy]}
          - {id: u, upload: in/a, to: '\(server.url("/up"))'}
        """
    }

    @Test func whatHasADigestIsKnownAgain() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content), "/up": .text("ok")])
        let bench = try JobBench()
        let tasks = tasks(server, ", sha256: \(content.sha256)")
        for expected in [TaskFinished.Outcome.succeeded, .upToDate, .upToDate] {
            let outcome = try await bench.run(tasks)
            #expect(outcomes(outcome, "d", "r", "u") == [.succeeded, expected, expected])
        }
        #expect(server.requests(to: "/up").count == 1)
        let plan = try bench.plan(tasks)
        #expect(plan.tasks.map(\.verdict) == [.fetch, .run, .run])
        #expect(
            try bench.plan(tasks.replacing("replace", with: "verify")).tasks.map(\.verdict)
                == Array(repeating: .upToDate, count: 3))
    }

    /// An upload reads its file for the digest of what it sends, and compares before it sends.
    @Test func anUploadKnowsItsFileWithoutOne() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content), "/up": .text("ok")])
        let bench = try JobBench()
        let tasks = tasks(server, "")
        _ = try await bench.run(tasks)
        let outcome = try await bench.run(tasks)
        #expect(outcomes(outcome, "r", "u") == [.succeeded, .upToDate])
        #expect(try bench.plan(tasks.replacing("replace", with: "keep")).tasks.map(\.verdict).last == .upToDate)
    }

    /// Nobody has told what an archive's digest is, so that it is read for it.
    @Test func anArchiveIsKnownByItsBytes() async throws {
        let bench = try JobBench()
        _ = try bench.folder.write("src/f", "hi")
        _ = try await bench.run("  - {archive: src/, to: a.tar}")
        let tasks = """
              - {extract: a.tar, to: tree/}
              - {run: [cp, tree/src/f, copy], inputs: [tree/], outputs: [copy]}
            """
        _ = try await bench.run(tasks)
        let bytes = try #require(bench.bytes("a.tar"))
        _ = try bench.folder.write("a.tar", bytes)
        #expect(try bench.plan(tasks).tasks.map(\.verdict) == [.run, .run])
        let outcome = try await bench.run(tasks)
        #expect(outcomes(outcome, "tree/", "copy") == [.upToDate, .upToDate])
        // It is not read again for that.
        #expect(try bench.plan(tasks).tasks.map(\.verdict) == [.upToDate, .upToDate])
        // Bytes that differ count, whatever their length.
        _ = try bench.folder.write("src/f", "ho")
        _ = try await bench.run("  - {archive: src/, to: a.tar}")
        #expect(outcomes(try await bench.run(tasks), "tree/", "copy") == [.succeeded, .succeeded])
        #expect(bench.bytes("copy") == Array("ho".utf8))
    }

    @Test func otherBytesCount() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content), "/up": .text("ok")])
        let bench = try JobBench()
        _ = try await bench.run(tasks(server, ", sha256: \(content.sha256)"))
        let other = Content.pattern(count: 20_001)
        server.serve("/a", ServedFile(other))
        let outcome = try await bench.run(tasks(server, ", sha256: \(other.sha256)"))
        #expect(outcomes(outcome, "r", "u") == [.succeeded, .succeeded])
    }

    /// A digest that two files can share on purpose proves nothing.
    @Test func aWeakDigestDoesNotCount() {
        let strong = RecordedDigests("md5:aa sha256:bb")
        #expect(strong.isSameContent(as: RecordedDigests("sha256:bb")))
        #expect(!strong.isSameContent(as: RecordedDigests("md5:aa sha256:cc")))
        #expect(!strong.isSameContent(as: RecordedDigests("")))
        #expect(!RecordedDigests("sha1:aa").isSameContent(as: RecordedDigests("sha1:aa")))
    }

    @Test func permissionsAreAPartOfAnArchive() async throws {
        let server = try FaultServer(files: ["/a": ServedFile(content)])
        let bench = try JobBench()
        let tasks = """
              - {id: d, download: '\(server.url("/a"))', to: in/a, exists: replace, sha256: \(content.sha256)}
              - {id: t, archive: in/a, to: a.tar}
            """
        _ = try await bench.run(tasks)
        #expect(try await bench.run(tasks).task("t")?.outcome == .succeeded)
    }
}
