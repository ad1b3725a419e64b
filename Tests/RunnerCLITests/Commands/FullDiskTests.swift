import Glibc
import TestSupport
import Testing

/// What a run does when the machine refuses: a full disk, a read-only one, limits of the process.
@Suite struct FullDiskTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/big": ServedFile(.pattern(count: 12 << 20, seed: 1), etag: "\"big\""),
            "/large": ServedFile(.pattern(count: 14 << 20, seed: 2), etag: "\"large\""),
            "/small": ServedFile(.text("small")), "/other": ServedFile(.text("other")),
        ])
    }

    private func task(_ name: String, to: String? = nil, _ fields: String = "") -> String {
        "  - {download: \"\(server.url("/" + name))\", to: \"\(to ?? name)\"\(fields)}\n"
    }

    private func write(_ tasks: String..., directory: String) throws {
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: \(directory)\nlimits: {concurrency: 1}\ntasks:\n" + tasks.joined())
    }

    private func run(_ words: String...) async throws -> RunnerBinary.Outcome {
        try await RunnerBinary.run(["run", "job.yaml"] + words, in: folder.path)
    }

    /// A file system in memory, for as long as the value lives.
    private final class Disk: Sendable {
        let path: String

        init?(_ path: String, size: Int) {
            self.path = path
            mkdir(path, 0o777)
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else { return nil }
        }

        deinit {
            umount2(path, Int32(MNT_DETACH))
        }
    }

    private static let canMount: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryDirectory() else { return false }
        return Disk(folder.path("probe"), size: 1 << 20) != nil
    }()

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func aFullDiskParksWhatWouldGoThere() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 20 << 20))
        // The size of the second is not told, so that it begins and fills the disk up.
        server.on("/large", nth: 1, .chunked(size: 65_536))
        try write(
            task("big", ", priority: 3"), task("large", ", priority: 2"), task("small"),
            task("other", to: folder.path("elsewhere/other")), directory: "small/out")
        let full = try await run("--report", "-", "--state", "state")
        #expect(full.status == 3)
        #expect(full.errorOutput.contains("large: no space left"))
        #expect(full.output.contains("\"task\":\"small\",\"kind\":\"download\",\"outcome\":\"skipped\""))
        #expect(folder.read("elsewhere/other") == Array("other".utf8))
        #expect(full.output.contains("\"outcome\":\"parked\""))
        #expect(full.output.contains("\"exit_status\":3,\"reason\":\"no space left"))
        #expect(folder.files().contains { $0.hasPrefix("small/out/.large.") && $0.hasSuffix(".part") })
        // Room is made, and the next run goes on from there.
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=\(40 << 20)") == 0)
        let sent = server.bytesSent
        let second = try await run("--state", "state")
        #expect(second.status == 0, "\(second.errorOutput)")
        #expect(folder.read("small/out/large") == Content.pattern(count: 14 << 20, seed: 2).allBytes)
        #expect(server.bytesSent - sent < 8 << 20)
        #expect(!folder.files().contains { $0.hasSuffix(".part") })
    }

    /// The state folder lies on the full disk too.
    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func theEndOfARunIsKnownOnAFullDiskToo() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 1 << 20))
        server.on("/large", nth: 1, .chunked(size: 65_536))
        try write(
            "  - {id: fill, run: [sh, -c, 'cat /dev/zero > fill; true'], outputs: [fill]}\n",
            task("large", ", needs: fill"), directory: "small")
        #expect(try await run().status == 3)
        let status = try await RunnerBinary.run(["status", "job.yaml"], in: folder.path)
        #expect(status.output.contains("parked (status 3)"), "\(status.output)")
        #expect(!status.output.contains("killed"), "\(status.output)")
        #expect(!folder.files().contains { $0.contains("spare-") }, "\(folder.files())")
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func aKnownSizeIsHeldAgainstTheSpaceThatIsFree() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 8 << 20))
        try write(task("big"), directory: "small")
        let outcome = try await run("--state", "state", "--report", "-")
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains(#/big: no space left: 4\d{6} bytes are missing, 8\d{6} bytes are free/#))
        #expect(outcome.output.contains(#/"reason":"no space left, at least 4\d{6} bytes are missing"/#))
        #expect(server.bytesSent < 12 << 20)
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func anArchiveThatDoesNotFitParksToo() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 4 << 20))
        try folder.write("elsewhere/big", Content.pattern(count: 12 << 20).allBytes)
        try write(
            "  - {archive: \"\(folder.path("elsewhere/big"))\", to: big.tar, priority: 2}\n", task("small"),
            directory: "small")
        let outcome = try await run("--state", "state", "--report", "-")
        #expect(outcome.status == 3, "\(outcome.errorOutput)")
        #expect(outcome.output.contains("\"task\":\"small\",\"kind\":\"download\",\"outcome\":\"skipped\""))
        #expect(outcome.output.contains("\"exit_status\":3,\"reason\":\""))
        #expect(DiskFile.entries(disk.path).isEmpty)
    }

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func anExtractionThatDoesNotFitLeavesTheOldFolder() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 4 << 20))
        let archive = folder.path("elsewhere/x.tar")
        try write("  - {extract: \"\(archive)\", to: tree/}\n", directory: "small")
        for (content, status) in [(Content.text("old"), 0), (.pattern(count: 12 << 20), 3)] as [(Content, Int32)] {
            try folder.write("elsewhere/data", content.allBytes)
            try folder.write("elsewhere/job.yaml", "version: 1\ntasks:\n  - {archive: data, to: x.tar}\n")
            let packed = try await RunnerBinary.run(["run", "elsewhere/job.yaml"], in: folder.path)
            #expect(packed.status == 0, "\(packed.errorOutput)")
            let outcome = try await run("--state", "state")
            #expect(outcome.status == status, "\(outcome.errorOutput)")
            #expect(outcome.errorOutput.contains("no space left") == (status != 0))
            #expect(folder.read("small/tree/data") == Array("old".utf8))
            #expect(DiskFile.entries(disk.path) == ["tree"])
        }
    }

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func aReadOnlyDiskParksToo() async throws {
        let disk = try #require(Disk(folder.path("small"), size: 8 << 20))
        try write(task("small"), task("other"), directory: "small")
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        let outcome = try await run("--state", "state", "--report", "-")
        #expect(outcome.status == 3)
        #expect(outcome.errorOutput.contains("small: cannot create: read-only file system"))
        #expect(outcome.errorOutput.contains("next: the file system is mounted read-only"))
        #expect(outcome.output.contains("\"task\":\"other\",\"kind\":\"download\",\"outcome\":\"skipped\""))
        let noState = try await run()
        #expect(noState.status == 3)
        #expect(noState.errorOutput.contains("the state folder \(folder.path)/small/.runner cannot be used"))
    }

    @Test(.enabled(if: canMount, "file systems cannot be mounted here"))
    func whatCannotBeCleanedIsToldAndTheRestGoes() async throws {
        mkdir(folder.path("out"), 0o777)
        let disk = try #require(Disk(folder.path("out/fixed"), size: 8 << 20))
        try write(task("other", to: "fixed/other"), task("small"), task("big"), directory: "out")
        #expect(try await run().status == 0)
        try write(task("big"), directory: "out")
        let job = String(decoding: try #require(folder.read("job.yaml")), as: UTF8.self)
        try folder.write("job.yaml", job.replacing("tasks:", with: "clean: {max_size: 0}\ntasks:"))
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        let outcome = try await RunnerBinary.run(["clean", "job.yaml"], in: folder.path)
        #expect(outcome.status == 1)
        #expect(outcome.errorOutput.contains("runner: error: fixed/other: cannot remove: read-only file system"))
        #expect(outcome.output.contains("removed  download"))
        #expect(folder.read("out/fixed/other") == Array("other".utf8))
        #expect(folder.read("out/small") == nil)
        #expect(folder.read("out/big") != nil)
    }

    private func run(limit: String) async throws -> (ChildProcess.End, String) {
        // The leak sanitizer needs descriptors of its own.
        let shell = try RunnerBinary.start(
            ["run", "job.yaml", "-j", "20"], environment: ["ASAN_OPTIONS": "detect_leaks=0"], in: folder.path,
            through: ["/bin/bash", "-c", "\(limit); exec \"$0\" \"$@\""])
        let ending = await shell.wait()
        return (ending, String(decoding: shell.errorOutput, as: UTF8.self))
    }

    @Test(arguments: 10...14) func aRunThatMayOpenFarTooFewFilesDoesNotStart(files: Int) async throws {
        try write(task("small"), directory: "out")
        let (ending, text) = try await run(limit: "ulimit -n \(files)")
        #expect(ending == .exited(3), "\(text)")
        #expect(text.contains("ulimit -n") || text.contains("cannot be set up"), "\(text)")
    }

    /// Where it is only programs that cannot be started, the machine is at fault and not they.
    @Test(arguments: [21, 22, 24, 26, 28, 30]) func programsThatFewFilesKeepFromStartingPark(files: Int) async throws {
        try write(
            "  - {matrix: {i: 1..12}, run: [sh, -c, 'sleep 0.1; echo hi > r${i}'], outputs: ['r${i}']}\n",
            directory: ".")
        let (ending, text) = try await run(limit: "ulimit -n \(files)")
        #expect(ending == .exited(3) || (ending == .exited(0) && files > 22), "\(ending): \(text)")
        #expect(!text.contains("signal 9") && !text.contains("command ("), "\(text)")
        if ending == .exited(3) { #expect(text.contains("ulimit -n"), "\(text)") }
    }

    @Test func aLimitOnTheSizeOfFilesFailsOneFile() async throws {
        try write(task("big"), task("small"), directory: "out")
        let (ending, text) = try await run(limit: "ulimit -f 2048")
        #expect(ending == .exited(1))
        #expect(text.contains("file too large"))
        #expect(text.contains("ulimit -f"))
        #expect(folder.read("out/small") == Array("small".utf8))
    }
}
