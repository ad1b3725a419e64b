import Glibc
import TestSupport
import Testing

/// `runner verify`, by the built program; it asks no server.
@Suite struct VerifyCommandTests {
    let folder: TemporaryDirectory
    let good = Content.text("good")

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write("out/good", good.allBytes)
        try folder.write("out/plain", Array("plain".utf8))
    }

    private func write(_ tasks: String...) throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ntasks:\n" + tasks.map { "  - \($0)\n" }.joined())
    }

    private func verify(_ words: String...) async throws -> RunnerBinary.Outcome {
        let before = folder.files()
        let outcome = try await RunnerBinary.run(["verify", "job.yaml"] + words, in: folder.path)
        #expect(folder.files() == before)
        return outcome
    }

    private func task(_ name: String, _ fields: String = "") -> String {
        "{download: \"http://127.0.0.1:1/\(name)\", to: \(name)\(fields)}"
    }

    @Test func aFileThatFitsIsOkAndOneThatNobodyKnowsIsUnverified() async throws {
        try write(task("good", ", sha256: \(good.sha256)"), task("plain"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(
            outcome.output == """
                ok           good   sha256 as in job
                unverified   plain  no digest is known
                2 files: 1 ok, 1 unverified

                """)
    }

    @Test func whatDiffersOrIsMissingGivesStatusFive() async throws {
        let wrong = String(repeating: "0", count: 64)
        try write(task("good", ", sha256: \(wrong)"), task("none"), task("other", ", optional: true"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("differs      good   the sha256 digest is \(good.sha256), wanted is \(wrong)"))
        #expect(outcome.output.contains("missing      none\n"))
        #expect(outcome.output.contains("missing      other  optional\n"))
        let quiet = try await verify("--quiet")
        #expect(quiet.output.split(separator: "\n").count == 2)
        try write(task("other", ", optional: true"))
        #expect(try await verify().status == 0)
    }

    @Test func sizeAndLooksCountToo() async throws {
        try write(task("plain", ", size: 6"), task("good", ", expect: {type: zip}"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("the size is 5, wanted is 6"), "\(outcome.output)")
        #expect(outcome.output.contains("wanted is zip"))
    }

    @Test func theLockFileIsAWitness() async throws {
        try write(task("good"), task("plain"))
        func lock(_ path: String, _ content: Content, size: Int) -> String {
            "  - to: \(path)\n    sha256: \(content.sha256)\n    size: \(size)\n    url: u\n    date: d\n"
        }
        try folder.write(
            "job.lock",
            "version: 1\ndownloads:\n" + lock("good", good, size: 4) + lock("plain", .text("other"), size: 7))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("ok           good   sha256 as in lock"))
        #expect(outcome.output.contains("differs      plain"))
        try folder.write("job.lock", "version: 9\n")
        #expect(try await verify().status == 2)
    }

    @Test func aListOnTheDiskIsAWitness() async throws {
        try folder.write("out/SUMS", "\(good.sha256)  good\n")
        try write(task("good", ", digest: {file: SUMS}"), task("plain", ", digest: {file: SUMS}"))
        let outcome = try await verify()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("ok           good   sha256 as in list"))
        #expect(outcome.output.contains("unverified   plain"))
    }

    @Test func aListThatIsNotTheOneThatIsMeantIsNoWitness() async throws {
        try folder.write("out/SUMS", "\(good.sha256)  good\n")
        try write(task("good", ", digest: {file: SUMS, sha256: \(good.sha256)}"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("differs      good  the checksum list is not the one that the job means"))
    }

    /// What a run has recorded is a witness, whatever the size and the time of the file say.
    @Test(arguments: ["text", "json"]) func theLedgerIsAWitness(format: String) async throws {
        let content = Content.pattern(count: 3000)
        let server = try FaultServer(files: ["/a": ServedFile(content), "/b": ServedFile(content)])
        func task(_ name: String, _ fields: String) -> String {
            "{download: \"\(server.url("/" + name))\", to: \(name)\(fields)}"
        }
        try write(task("a", ", sha256: \(content.sha256)"), task("b", ""))
        #expect(try await RunnerBinary.run(["run", "job.yaml"], in: folder.path).status == 0)
        // The job has forgotten the digest; the ledger has not.
        try write(task("a", ""), task("b", ""))
        let before = try await verify("--format", format)
        #expect(before.status == 0)
        let witnessed = format == "text" ? "ok           a  sha256 as in ledger" : "\"witnesses\":[\"ledger\"]"
        #expect(before.output.contains(witnessed), "\(before.output)")
        try flipByte(of: "out/a")
        let after = try await verify("--format", format)
        #expect(after.status == 5)
        let changed = Content.bytes(folder.read("out/a") ?? [])
        if format == "text" {
            #expect(after.output.contains("differs      a  the sha256 digest is \(changed.sha256)"), "\(after.output)")
            #expect(after.output.contains("unverified   b"))
        } else {
            #expect(
                after.output.contains(
                    "\"differences\":[{\"name\":\"sha256\",\"wanted\":\"\(content.sha256)\",\"found\":\"\(changed.sha256)\"}]"
                ))
            #expect(after.output.contains("\"differs\":1"))
        }
    }

    /// Changes one byte in place and puts the times back.
    private func flipByte(of name: String) throws {
        let path = folder.path(name)
        var status = stat()
        try #require(stat(path, &status) == 0)
        let file = open(path, O_RDWR)
        try #require(file >= 0)
        defer { close(file) }
        var byte: UInt8 = 0
        try #require(pread(file, &byte, 1, 1234) == 1)
        byte ^= 1
        try #require(pwrite(file, &byte, 1, 1234) == 1)
        let times = [status.st_atim, status.st_mtim]
        try #require(futimens(file, times) == 0)
    }

    /// Of what is no download the ledger knows a digest, or how it looked when it was made.
    @Test func whatTasksOfOtherKindsMadeIsLookedAtToo() async throws {
        let server = try FaultServer()
        server.serve("/up", .text("thanks"))
        try write(
            "{archive: good, to: a.tar.gz}", "{extract: a.tar.gz, to: tree/}",
            "{run: [sh, -c, 'echo hi > made'], outputs: [made]}",
            "{upload: good, to: \"\(server.url("/up"))\", save_response: reply}", "{check: good}")
        let before = try await verify()
        #expect(before.status == 5)
        #expect(before.output.contains("4 files: 4 missing"))
        let run = try await RunnerBinary.run(["run", "job.yaml"], in: folder.path)
        #expect(run.status == 0, "\(run.errorOutput)")
        let good = try await verify()
        #expect(good.status == 0)
        #expect(
            good.output == """
                ok           a.tar.gz  sha256 as in ledger
                ok           tree      as it was made
                ok           made      as it was made
                ok           reply     as it was made
                4 files: 4 ok

                """, "\(good.output)")
        let json = try await verify("--format", "json")
        #expect(json.output.contains("\"to\":\"made\",\"status\":\"ok\",\"bytes\":3,\"witnesses\":[\"ledger\"]"))
        // A file with a digest may be touched; of the others nobody knows whether they are still the same.
        try folder.write("out/a.tar.gz", try #require(folder.read("out/a.tar.gz")))
        try folder.write("out/tree/good", "bad")
        try folder.write("out/made", "ho\n")
        unlink(folder.path("out/reply"))
        let bad = try await verify()
        #expect(bad.status == 5)
        #expect(bad.output.contains("ok           a.tar.gz  sha256 as in ledger"))
        #expect(bad.output.contains("changed      tree      changed since it was made"), "\(bad.output)")
        #expect(bad.output.contains("changed      made      changed since it was made"))
        #expect(bad.output.contains("missing      reply"))
        try folder.write("out/a.tar.gz", "other")
        #expect(try await verify().output.contains("differs      a.tar.gz  the sha256 digest is"))
        #expect(try await verify("--format", "json").output.contains("\"changed\":2,\"missing\":1"))
    }

    /// Of a download without a digest the ledger has size and time, as of what other tasks make.
    @Test func aDownloadThatSomebodyChangedIsTold() async throws {
        let server = try FaultServer(files: [
            "/a": .text("one"), "/b": .text("two"), "/c": .text("three"), "/d": .text("four"),
        ])
        func task(_ name: String, _ fields: String = "") -> String {
            "{download: \"\(server.url("/" + name))\", to: \(name)\(fields)}"
        }
        try write(task("a"), task("b"), task("c", ", exists: keep"), task("d"))
        #expect(try await RunnerBinary.run(["run", "job.yaml"], in: folder.path).status == 0)
        #expect(try await verify().status == 0)
        try folder.write("out/a", "other")
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        utimensat(AT_FDCWD, folder.path("out/b"), &times, 0)
        // Whatever is there is right.
        try folder.write("out/c", "mine")
        let after = try await verify()
        #expect(after.status == 5)
        #expect(after.output.contains("changed      a  changed since it was made"), "\(after.output)")
        #expect(after.output.contains("changed      b  changed since it was made"))
        #expect(after.output.contains("unverified   c"))
        #expect(after.output.contains("unverified   d"))
    }

    /// What lies in the place of a file is not missing.
    @Test func aFolderOrALinkInPlaceOfAFileIsToldAsOne() async throws {
        try folder.write("out/dir/x", "x")
        symlink("good", folder.path("out/link"))
        try write(task("dir", ", optional: true"), task("link"), task("none", ", optional: true"))
        let outcome = try await verify()
        #expect(outcome.status == 5)
        #expect(outcome.output.contains("differs      dir   a folder lies there"), "\(outcome.output)")
        #expect(outcome.output.contains("differs      link  a link lies there"))
        #expect(outcome.output.contains("missing      none  optional"))
    }

    @Test func programsGetOneObject() async throws {
        let wrong = String(repeating: "0", count: 64)
        try write(task("good", ", sha256: \(wrong)"), task("plain"), task("none"))
        let outcome = try await verify("--format", "json")
        #expect(outcome.status == 5)
        #expect(
            outcome.output.hasPrefix(
                "{\"schema\":\"runner.verify/1\",\"job\":\"job\",\"file\":\"job.yaml\",\"files\":["))
        #expect(
            outcome.output.contains(
                "\"differences\":[{\"name\":\"sha256\",\"wanted\":\"\(wrong)\",\"found\":\"\(good.sha256)\"}]"))
        #expect(
            outcome.output.hasSuffix(
                "\"counts\":{\"ok\":0,\"unverified\":1,\"differs\":1,\"changed\":0,\"missing\":1,\"unreadable\":0}}\n"))
    }
}
