import RunnerExecution
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

/// Checksum lists that the job names by URL: kept, asked about, and held to digests of their own.
@Suite struct FetchedListTests {
    private let content = Content.pattern(count: 5000)
    private let bench: JobBench
    private let server: FaultServer
    private let list: Content

    init() throws {
        bench = try JobBench()
        list = .text("\(content.sha256)  a\n")
        server = try FaultServer(files: [
            "/a": ServedFile(content), "/SHA256SUMS": ServedFile(list, etag: "\"v1\""),
        ])
    }

    private func run(_ pin: String = "") async throws -> JobBench.Outcome {
        try await bench.run(tasks(pin))
    }

    private func tasks(_ pin: String = "") -> String {
        "  - {id: a, download: '\(server.url("/a"))', to: a, digest: {file: '\(server.url("/SHA256SUMS"))'\(pin)}}"
    }

    private func pin(_ content: Content) -> String { ", sha256: \(content.sha256)" }

    /// The list's own task.
    private func listTask(_ outcome: JobBench.Outcome) -> TaskFinished? {
        for case .taskFinished(let task) in outcome.events.map(\.kind) where task.task != "a" { return task }
        return nil
    }

    @Test func theNextRunAsksWhetherItHasChanged() async throws {
        #expect(try await run().finished.exitStatus == 0)
        let kept = bench.folder.files().filter { $0.hasPrefix(".runner/lists/") && $0.hasSuffix("-SHA256SUMS") }
        #expect(kept.count == 1)
        #expect(kept.first.flatMap { bench.bytes($0) } == list.allBytes)
        let second = try await run()
        #expect(second.finished.exitStatus == 0)
        #expect(second.task("a")?.outcome == .upToDate)
        #expect(listTask(second)?.outcome == .upToDate)
        #expect(listTask(second)?.http?.status == 304)
        #expect(server.requests(to: "/SHA256SUMS").map { $0.header("If-None-Match") } == [nil, "\"v1\""])
        #expect(server.requests(to: "/a").count == 1)
    }

    /// Where it is kept says nothing to whoever has to look for the fault.
    @Test func aListThatDoesNotHelpIsNamedByItsURL() async throws {
        server.serve("/SHA256SUMS", ServedFile(.text("\(content.sha256)  other\n")))
        let failure = try #require(try await run().task("a")?.failure)
        let start = "\(server.url("/SHA256SUMS")): no checksum for a among"
        #expect(failure.message.hasPrefix(start), "\(failure.message)")
    }

    @Test func namesakesAreToldApartByTheURL() async throws {
        server.serve("/x%20y/a", ServedFile(content))
        server.serve(
            "/SHA256SUMS", ServedFile(.text("\(content.sha256)  x y/a\n\(Content.text("b").sha256)  z/a\n")))
        let outcome = try await bench.run(
            "  - {id: a, download: '\(server.url("/x%20y/a"))', to: a, digest: {file: '\(server.url("/SHA256SUMS"))'}}")
        #expect(outcome.finished.exitStatus == 0, "\(String(describing: outcome.task("a")?.failure))")
    }

    @Test func anotherListMeansAnotherFile() async throws {
        #expect(try await run().finished.exitStatus == 0)
        let other = Content.pattern(count: 5000, seed: 2)
        server.serve("/SHA256SUMS", ServedFile(.text("\(other.sha256)  a\n"), etag: "\"v2\""))
        server.serve("/a", ServedFile(other))
        #expect(try await run().finished.exitStatus == 0)
        #expect(bench.bytes("a") == other.allBytes)
    }

    @Test func aListThatCannotBeHadFailsWhatNeedsIt() async throws {
        #expect(try await run().finished.exitStatus == 0)
        server.on("/SHA256SUMS", .status(503))
        let outcome = try await run()
        #expect(outcome.finished.exitStatus == 1)
        #expect(outcome.task("a")?.outcome == .blocked)
        #expect(bench.bytes("a") == content.allBytes)
    }

    @Test func aListWithADigestIsNotAskedForAgain() async throws {
        #expect(try await run(pin(list)).finished.exitStatus == 0)
        server.on("/", .drop())
        let outcome = try await run(pin(list))
        #expect(outcome.finished.exitStatus == 0)
        #expect(outcome.task("a")?.outcome == .upToDate)
        #expect(server.requests.count == 2)
    }

    @Test func anotherListThanTheOneThatIsMeantIsRefused() async throws {
        server.serve("/SHA256SUMS", ServedFile(.text("\(content.sha256)  a\n\n"), etag: "\"v2\""))
        let outcome = try await run(pin(list))
        #expect(outcome.finished.exitStatus == 1)
        #expect(outcome.task("a")?.outcome == .blocked)
        let failure = listTask(outcome)?.failure
        #expect(failure?.faultClass == .integrity)
        #expect(failure?.message.contains("wanted is \(list.sha256)") == true, "\(failure?.message ?? "")")
        #expect(server.requests(to: "/a").isEmpty)
        #expect(bench.files == [])
    }

    /// What was fetched before is not believed when the job comes to mean another list.
    @Test func aNewDigestFetchesTheListAnew() async throws {
        #expect(try await run(pin(list)).finished.exitStatus == 0)
        let newList = Content.text("# version 2\n\(content.sha256)  a\n")
        server.serve("/SHA256SUMS", ServedFile(newList, etag: "\"v2\""))
        #expect(try await run(pin(newList)).finished.exitStatus == 0)
        #expect(server.requests(to: "/SHA256SUMS").count == 2)
        // A list that was tampered with on the disk is one more.
        let path = try #require(bench.folder.files().first { $0.hasPrefix(".runner/lists/") })
        try bench.folder.write(path, "\(String(repeating: "0", count: 64))  a\n")
        #expect(try await run(pin(newList)).finished.exitStatus == 0)
        #expect(bench.bytes(path) == newList.allBytes)
    }

    @Test(arguments: [true, false]) func aListOnTheDiskIsHeldToItsDigest(isRight: Bool) async throws {
        try bench.folder.write("SUMS", list.allBytes)
        let pin = pin(isRight ? list : .text("x"))
        let outcome = try await bench.run(
            """
              - {id: a, download: '\(server.url("/a"))', to: a, digest: {file: SUMS\(pin)}}
              - {id: c, check: a, needs: [a], digest: {file: SUMS\(pin)}}
            """)
        #expect(outcome.task("a")?.outcome == (isRight ? .succeeded : .failed))
        #expect(outcome.task("c")?.outcome == (isRight ? .succeeded : .blocked))
        let message = outcome.task("a")?.failure?.message ?? ""
        let wanted = "SUMS: the checksum list is not the one that the job means: its sha256 digest is \(list.sha256)"
        #expect(isRight || message.hasPrefix(wanted), "\(message)")
        #expect(isRight || server.requests.isEmpty)
    }

    /// A file as the ledger has it is not read.
    ///
    /// What the ledger says of its bytes is compared with the list; here it lies, which nobody would notice otherwise.
    @Test(arguments: [true, false]) func aKnownFileIsNotReadAgain(fits: Bool) async throws {
        #expect(try await run().finished.exitStatus == 0)
        let other = Content.text("other")
        server.serve("/SHA256SUMS", ServedFile(.text("\(other.sha256)  a\n"), etag: "\"v2\""))
        server.serve("/a", ServedFile(other))
        let record = try #require(bench.plan(tasks()).tasks[0].record)
        #expect(record.digests.text == "sha256:\(content.sha256)")
        let outcome = try await bench.run(
            tasks(),
            change: { plan in
                var record = record
                record.digests = RecordedDigests("sha256:\(other.sha256)")
                if !fits { record.changed += 1 }
                plan.tasks[0].recollection = .record(record)
            })
        #expect(outcome.task("a")?.outcome == (fits ? .upToDate : .succeeded))
        #expect(outcome.task("a")?.digest?.hex == other.sha256)
        #expect(bench.bytes("a") == (fits ? content : other).allBytes)
    }

    @Test func aRenamedFileIsFoundByTheNameInItsURL() async throws {
        let outcome = try await bench.run(tasks().replacing("to: a,", with: "to: bin/tool,"))
        #expect(outcome.task("a")?.outcome == .succeeded)
        #expect(bench.bytes("bin/tool") == content.allBytes)
    }

    /// A list and a digest of the job's own, or of its lock file, that differ: nothing could satisfy both.
    @Test func whatTheListAndTheJobSayMustAgree() async throws {
        let other = Content.text("other")
        let outcome = try await bench.run(tasks().dropLast() + ", sha256: \(other.sha256)}")
        let failure = try #require(outcome.task("a")?.failure)
        #expect(failure.faultClass == .integrity)
        #expect(failure.message.contains("says sha256:\(content.sha256) for a, wanted is sha256:\(other.sha256)"))
        #expect(failure.differences == [.init("sha256", wanted: other.sha256, found: content.sha256)])
        #expect(server.requests(to: "/a").isEmpty)
    }

    @Test func theyLieWhereTheStateIs() async throws {
        let elsewhere = try TemporaryDirectory()
        let plan = try bench.plan(tasks())
        let site = JobSite(plan.job, identity: "job", stateFolder: elsewhere.path)
        let moved = try Planner.plan(plan.job, disk: site.view(), listsFolder: site.listsFolder)
        let outcome = try await bench.run(tasks(), change: { $0 = moved })
        #expect(outcome.finished.exitStatus == 0)
        #expect(elsewhere.files().filter { $0.hasPrefix("lists/") }.count == 1)
        #expect(!bench.folder.files().contains { $0.hasPrefix(".runner/lists/") })
    }
}
