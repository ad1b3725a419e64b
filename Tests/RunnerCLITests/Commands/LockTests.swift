import TestSupport
import Testing

/// `runner lock` and `runner run --locked`, by the built program.
@Suite struct LockTests {
    let folder: TemporaryDirectory
    let server: FaultServer
    let a = Content.pattern(count: 5000)

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/a": ServedFile(a, etag: "\"v1\""), "/b": ServedFile(.text("bee")), "/c": ServedFile(.text("c")),
        ])
        try write(task("a"), task("b"))
    }

    private func task(_ name: String, _ fields: String = "") -> String {
        "  - {download: \"\(server.url("/" + name))\", to: \(name)\(fields)}\n"
    }

    private func write(_ tasks: String...) throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {retry: {attempts: 2, first: 1ms, max: 2ms}}\ntasks:\n"
                + tasks.joined())
    }

    private func runner(_ words: String...) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(words, in: folder.path)
    }

    private var lock: String? { folder.read("job.lock").map { String(decoding: $0, as: UTF8.self) } }

    @Test func aLockFileSaysWhatWasThere() async throws {
        let outcome = try await runner("lock", "job.yaml")
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        #expect(outcome.errorOutput.contains("job.lock: 2 locked, 2 added"))
        let lock = try #require(lock)
        let url = server.url("/a")
        #expect(lock.contains("  - to: \"a\"\n    sha256: \(a.sha256)\n    size: 5000\n    url: \"\(url)\"\n"))
        #expect(lock.contains("    etag: \"\\\"v1\\\"\"\n"))
        #expect(!lock.contains("final_url"))
        // A second time changes not a byte.
        #expect(try await runner("lock", "job.yaml").errorOutput.contains("nothing changed"))
        #expect(self.lock == lock)
    }

    @Test func whatIsLockedRuns() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        #expect(try await runner("run", "job.yaml", "--locked").status == 0)
        #expect(try await runner("run", "job.yaml", "--locked", "--directory", "other").status == 0)
        #expect(folder.read("other/a") == a.allBytes)
    }

    /// What a list said is in the lock file, as what a registry says is in that of a package manager.
    @Test func aChecksumListIsNotAskedForAgain() async throws {
        server.on("/SUMS", nth: 1, .content(.text("\(a.sha256)  a\n")))
        server.on("/SUMS", .status(503))
        try write(task("a", ", digest: {file: \"\(server.url("/SUMS"))\"}"))
        #expect(try await runner("lock", "job.yaml").status == 0)
        #expect(try await runner("run", "job.yaml", "--locked", "--directory", "other").status == 0)
        #expect(server.requests(to: "/SUMS").count == 1)
        #expect(try await runner("run", "job.yaml", "--directory", "third").status == 1)
    }

    @Test func aChangedByteFailsWithADifference() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        var bytes = a.allBytes
        bytes[4321] ^= 1
        let changed = Content.bytes(bytes)
        server.on("/a", .content(changed))
        let outcome = try await runner("run", "job.yaml", "--locked", "--directory", "other", "--report", "r")
        #expect(outcome.status == 5)
        #expect(outcome.errorOutput.contains("  a\n    - sha256: \(a.sha256)\n    + sha256: \(changed.sha256)\n"))
        #expect(!outcome.errorOutput.contains("  b\n"))
        #expect(folder.read("other/a") == nil)
        let report = String(decoding: folder.read("r") ?? [], as: UTF8.self)
        #expect(report.contains("\"exit_status\":5"))
    }

    @Test func aChangedSizeFailsWithADifference() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        server.on("/b", .content(.text("been")))
        let outcome = try await runner("run", "job.yaml", "--locked", "--directory", "other")
        #expect(outcome.status == 5)
        #expect(outcome.errorOutput.contains("  b\n    - size: 3\n    + size: 4\n"))
    }

    @Test func anotherFailureKeepsItsStatus() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        server.on("/b", .status(404))
        #expect(try await runner("run", "job.yaml", "--locked", "--directory", "other").status == 1)
    }

    @Test func anotherURLIsWarnedOf() async throws {
        server.on("/moved", .content(.text("bee")))
        #expect(try await runner("lock", "job.yaml").status == 0)
        try write(task("a"), "  - {download: \"\(server.url("/moved"))\", to: b}\n")
        let outcome = try await runner("run", "job.yaml", "--locked", "--directory", "other")
        #expect(outcome.status == 0)
        #expect(outcome.errorOutput.contains("the URL is not the one that was locked (\(server.url("/b")))"))
    }

    @Test func aJobThatGrewIsNotStarted() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        try write(task("a", ", sha256: \(String(repeating: "0", count: 64))"), task("c"))
        let outcome = try await runner("run", "job.yaml", "--locked", "--directory", "other")
        #expect(outcome.status == 5)
        #expect(outcome.errorOutput.contains("    - sha256: \(a.sha256)\n    + sha256: 000000"))
        #expect(outcome.errorOutput.contains("c (line 6): not in the lock file"))
        #expect(outcome.errorOutput.contains("b: in the lock file, but not in the job"))
        #expect(folder.files().contains { $0.hasPrefix("other") } == false)
    }

    @Test func withoutALockFileNothingIsStarted() async throws {
        let outcome = try await runner("run", "job.yaml", "--locked")
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("job.lock is missing; write it with: runner lock job.yaml"))
        #expect(folder.files() == ["job.yaml"])
        #expect(try await runner("run", "-", "--locked").status == 2)
    }

    @Test func aFaultyLockFileIsToldWithItsLine() async throws {
        try folder.write("job.lock", "version: 1\ndownloads:\n  - to: a\n")
        let outcome = try await runner("run", "job.yaml", "--locked")
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("job.lock:3:5: error: `sha256` is missing"))
    }

    @Test func oneDownloadCanBeLockedAnew() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        let before = try #require(lock)
        let (newA, newB) = (Content.text("new a"), Content.text("new b"))
        server.on("/a", .content(newA), .etag("\"v2\""))
        server.on("/b", .content(newB))
        let outcome = try await runner("lock", "job.yaml", "--update", "a")
        #expect(outcome.errorOutput.contains("2 locked, 1 changed"))
        let after = try #require(lock)
        #expect(after.contains(newA.sha256))
        #expect(!after.contains(newB.sha256))
        #expect(after.split(separator: "\n").suffix(5) == before.split(separator: "\n").suffix(5))
        #expect(try await runner("lock", "job.yaml", "--update", "nope").status == 2)
    }

    /// The name is the server's, so that the entry is found by the URL.
    @Test func aNameOfTheServerStaysLocked() async throws {
        try write(task("a"), "  - {download: \"\(server.url("/b"))\", to: got/, name: server}\n")
        #expect(try await runner("lock", "job.yaml").status == 0)
        let before = try #require(lock)
        #expect(before.contains("  - to: \"got/b\"\n"))
        let outcome = try await runner("lock", "job.yaml", "--update", "a")
        #expect(outcome.errorOutput.contains("job.lock: 2 locked, nothing changed"), "\(outcome.errorOutput)")
        #expect(lock == before)
    }

    /// What a comparison with the lock file finds right still came from where it came from.
    @Test func aLockedRunForgetsNothing() async throws {
        try write(task("a"), "  - {download: \"\(server.url("/b"))\", to: got/, name: server}\n")
        #expect(try await runner("run", "job.yaml").status == 0)
        #expect(try await runner("lock", "job.yaml").status == 0)
        #expect(try await runner("run", "job.yaml", "--locked").status == 0)
        let verified = try await runner("verify", "job.yaml")
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try await runner("run", "job.yaml").status == 0)
        #expect(server.requests(to: "/a").last?.header("If-None-Match") == "\"v1\"")
    }

    @Test func whatTheUpdateLeavesOutIsTold() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        try write(task("a"), task("b"), task("c"))
        let outcome = try await runner("lock", "job.yaml", "--update", "a")
        #expect(
            outcome.errorOutput.contains("c is not locked, and `run --locked` refuses the job until it is"),
            "\(outcome.errorOutput)")
    }

    @Test func whatIsNotThereIsNotLocked() async throws {
        try write(task("a"), task("none", ", optional: true"))
        let outcome = try await runner("lock", "job.yaml")
        #expect(outcome.status == 4)
        #expect(outcome.errorOutput.contains("1 locked, 1 added"))
        #expect(outcome.errorOutput.contains("none is not locked; `run --locked` leaves it out"))
        let run = try await runner("run", "job.yaml", "--locked")
        #expect(run.status == 0)
        #expect(
            run.errorOutput.contains("warning: 'none' is optional and not in the lock file, so that it is left out"))
        try write(task("a"), task("none"))
        #expect(try await runner("run", "job.yaml", "--locked").status == 5)
    }

    /// What version control leaves where two changes met.
    @Test func anUnsettledMergeIsToldAsThat() async throws {
        #expect(try await runner("lock", "job.yaml").status == 0)
        try folder.write("job.lock", (lock ?? "") + "<<<<<<< HEAD\n=======\n>>>>>>> other\n")
        let outcome = try await runner("run", "job.yaml", "--locked")
        #expect(outcome.status == 2)
        #expect(
            outcome.errorOutput.contains("job.lock:18:1: error: a merge conflict begins here"), "\(outcome.errorOutput)"
        )
        #expect(outcome.errorOutput.contains("or remove it and write it anew with: runner lock job.yaml"))
        let again = try await runner("lock", "job.yaml")
        #expect(again.status == 2)
        #expect(again.errorOutput.contains("runner: mend job.lock, or remove it to have it written anew"))
    }

    @Test func aFailedRunLeavesTheLockFileAlone() async throws {
        server.on("/a", .status(404))
        let outcome = try await runner("lock", "job.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("job.lock was left as it is"))
        #expect(lock == nil)
        #expect(try await runner("lock", "job.yaml", "--update", "a").status == 2)
    }

    @Test func secretsAreNotLocked() async throws {
        server.on("/from", .redirect(to: "/a?token=s3cret"))
        try write("  - {download: \"\(server.url("/from?sig=s3cret"))\", to: a}\n")
        #expect(try await runner("lock", "job.yaml").status == 0)
        let lock = try #require(lock)
        #expect(!lock.contains("s3cret"))
        #expect(lock.contains("final_url: \"\(server.url("/a?token=***"))\""))
        #expect(try await runner("run", "job.yaml", "--locked").errorOutput.contains("warning") == false)
    }

    /// A tag of a server that echoes who asks; neither the lock file nor the state of later runs may keep it.
    @Test(arguments: [false, true]) func aTagWithASecretIsNotKept(isCut: Bool) async throws {
        let file = ServedFile(a, etag: "\"for-s3cr3t-token\"")
        let server = try FaultServer(files: ["/e": file])
        if isCut {
            server.on("/e", nth: 1, .file(file), .cut(after: 2000))
            server.on("/e", .status(503))
        }
        try write("  - {download: \"\(server.url("/e"))\", to: e, auth: {bearer: s3cr3t-token}}\n")
        #expect(try await runner("lock", "job.yaml").status == (isCut ? 1 : 0))
        #expect(server.requests.last?.header("Authorization") == "Bearer s3cr3t-token")
        let kept = folder.files().filter { $0 != "job.yaml" }
        #expect(kept.contains { isCut ? $0.contains("/parts/") : $0 == "job.lock" })
        for name in kept {
            let text = String(decoding: folder.read(name) ?? [], as: UTF8.self)
            #expect(!text.contains("s3cr3t"), "\(name)")
        }
    }
}
