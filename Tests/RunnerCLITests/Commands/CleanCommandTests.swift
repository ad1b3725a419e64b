import Glibc
import TestSupport
import Testing

/// `runner clean`, by the built program.
@Suite struct CleanCommandTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        var files: [String: ServedFile] = [:]
        for name in ["a", "b", "c", "d"] { files["/" + name] = ServedFile(.pattern(count: 100_000)) }
        server = try FaultServer(files: files)
    }

    private func write(_ names: [String], clean: String = "") throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\n\(clean)tasks:\n"
                + names.map { "  - {download: \"\(server.url("/" + $0))\", to: \($0)}\n" }.joined())
    }

    private func runner(_ words: String...) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(words, in: folder.path)
    }

    private var downloads: [String] { folder.files().filter { $0.hasPrefix("out/") && !$0.contains("/.runner/") } }

    /// Runs a job of four files, then takes away three of its tasks.
    private func leaveThree(clean: String) async throws {
        try write(["a", "b", "c", "d"], clean: clean)
        #expect(try await runner("run", "job.yaml", "--quiet").status == 0)
        try folder.write("out/foreign", "not of this program")
        try write(["d"], clean: clean)
    }

    @Test func whatTheJobNamesAndWhatIsForeignStays() async throws {
        try await leaveThree(clean: "clean: {max_size: 0, keep: [c]}\n")
        try folder.write("out/b", "changed since")
        let before = folder.files()
        let plan = try await runner("clean", "job.yaml", "--dry-run")
        #expect(plan.status == 0)
        #expect(plan.output.contains("would remove  download"))
        #expect(plan.output.contains("1 would be removed, 100 KiB\n"))
        #expect(folder.files() == before)
        let outcome = try await runner("clean", "job.yaml")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("removed  download   100 KiB  a  the oldest; all take"))
        #expect(downloads == ["out/b", "out/c", "out/d", "out/foreign"])
        #expect(try await runner("clean", "job.yaml").output == "nothing was removed\n")
    }

    /// Files that servers have named are the job's as long as their tasks are there, also where the URL has changed so
    /// that nobody can know which file is whose.
    @Test(arguments: ["", "?other=1"]) func whatAServerHasNamedStays(query: String) async throws {
        func write(_ url: String, _ more: String = "") throws {
            try folder.write(
                "job.yaml",
                "version: 1\ndirectory: out\nclean: {max_size: 0}\ntasks:\n"
                    + "  - {download: \"\(url)\", to: files/, name: server}\n\(more)")
        }
        server.on("/a", .header("Content-Disposition", "attachment; filename=\"report.bin\""))
        try write(server.url("/a"), "  - {download: \"\(server.url("/b"))\", to: b}\n")
        #expect(try await runner("run", "job.yaml", "--quiet").status == 0)
        #expect(downloads == ["out/b", "out/files/report.bin"])
        try write(server.url("/a") + query)
        #expect(try await runner("clean", "job.yaml").status == 0)
        #expect(downloads == ["out/files/report.bin"])
    }

    @Test func foldersThatAreEmptyThenGoToo() async throws {
        func write(_ names: [String]) throws {
            try folder.write(
                "job.yaml",
                "version: 1\ndirectory: out\nclean: {max_size: 0}\ntasks:\n"
                    + names.map { "  - {download: \"\(server.url("/a"))\", to: \($0)}\n" }.joined())
        }
        try write(["day/1/x/a", "day/2/a", "day/3/a", "b"])
        #expect(try await runner("run", "job.yaml", "--quiet").status == 0)
        try folder.write("out/day/2/mine", "")
        try write(["day/3/a"])
        #expect(try await runner("clean", "job.yaml").status == 0)
        #expect(DiskFile.entries(folder.path("out/day")) == ["2", "3"])
        #expect(downloads == ["out/day/2/mine", "out/day/3/a"])
    }

    @Test func withoutRulesDownloadsStay() async throws {
        try await leaveThree(clean: "")
        #expect(try await runner("clean", "job.yaml").output == "nothing was removed\n")
        #expect(downloads.count == 5)
    }

    @Test func ageCountsFromWhenAFileWasPutInPlace() async throws {
        try await leaveThree(clean: "clean: {older_than: 30d}\n")
        #expect(try await runner("clean", "job.yaml").output == "nothing was removed\n")
        try write(["d"], clean: "clean: {older_than: 1ms}\n")
        // The ledger counts in whole seconds, and the last of the files may have come in another one than the first.
        while try await !runner("clean", "job.yaml", "--dry-run", "--format", "json").output.contains("\"path\":\"b\"")
        {
        }
        let outcome = try await runner("clean", "job.yaml", "--format", "json")
        #expect(
            outcome.output.hasPrefix("{\"schema\":\"runner.clean/1\",\"items\":[{\"kind\":\"download\",\"path\":\"a\",")
        )
        #expect(downloads == ["out/d", "out/foreign"])
    }

    /// As when somebody has copied the file into its place after a run was stopped.
    @Test func thePartOfAFileThatIsThereGoes() async throws {
        server.on("/a", .stall(after: 50_000))
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\ntasks:\n"
                + "  - {download: \"\(server.url("/a"))\", to: a, exists: keep}\n")
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await process.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"a\"") } != nil)
        while !folder.files().contains(where: { $0.hasSuffix(".part") }) {}
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(143))
        try folder.write("out/a", "by other means")
        #expect(try await runner("run", "job.yaml").status == 0)
        #expect(try await runner("clean", "job.yaml").output.contains("  a  no task wants it\n"))
        #expect(downloads == ["out/a"])
    }

    @Test func partFilesThatNobodyWantsGo() async throws {
        server.on("/a", .stall(after: 50_000))
        try write(["a", "d"])
        let process = try RunnerBinary.start(["run", "job.yaml", "--report", "-"], in: folder.path)
        #expect(await process.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"a\"") } != nil)
        while !folder.files().contains(where: { $0.hasSuffix(".part") }) {}
        let busy = try await runner("clean", "job.yaml")
        #expect(busy.status == 3)
        #expect(busy.errorOutput.contains("another run of this job is at work"))
        process.signal(SIGTERM)
        #expect(await process.wait() == .exited(143))
        #expect(try await runner("clean", "job.yaml").output == "nothing was removed\n")
        try write(["d"])
        #expect(try await runner("clean", "job.yaml").output.contains("  a  no task wants it\n"))
        #expect(!folder.files().contains { $0.hasSuffix(".part") })
    }
}
