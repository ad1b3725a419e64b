import Glibc
import TestSupport
import Testing

/// Runs on a system whose locks fail, or are granted to everybody (strace(1), `inject`).
@Suite(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"))
struct LyingLockTests {
    let folder: TemporaryDirectory
    let server: FaultServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try FaultServer(files: [
            "/a": ServedFile(.text("a")), "/slow": ServedFile(.pattern(count: 100_000)),
        ])
        try folder.write(
            "job.yaml",
            "version: 1\ndirectory: out\ndefaults: {timeout: {stall: 10m}}\ntasks:\n"
                + ["a", "slow"].map { "  - {download: \"\(server.url("/" + $0))\", to: \($0)}\n" }.joined())
    }

    private func start(_ fault: String) throws -> ChildProcess {
        // The leak sanitizer does not work under strace.
        try RunnerBinary.start(
            ["run", "job.yaml", "--report", "-"], environment: ["ASAN_OPTIONS": "detect_leaks=0"], in: folder.path,
            through: [
                "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fcntl,flock", "-e", "inject=" + fault,
            ])
    }

    @Test(arguments: ["fcntl:error=ENOLCK", "flock:error=ENOLCK", "flock:retval=0"])
    func theRunGoesOnWithoutLocks(_ fault: String) async throws {
        let process = try start(fault)
        #expect(await process.wait() == .exited(0))
        #expect(folder.read("out/a") == Array("a".utf8))
        let report = String(decoding: process.output, as: UTF8.self)
        // Only the ledger asks for locks of fcntl(2), and a run can do without a ledger.
        #expect(
            report.contains("\"run.warning\",\"message\":\"the ledger was not written: ") == fault.hasPrefix("fcntl"))
        #expect(report.components(of: "run.warning") <= 1)
    }

    @Test(arguments: ["fcntl:error=ENOLCK", "fcntl:retval=0", "flock:error=ENOLCK", "flock:retval=0"])
    func theLeaseHoldsWithoutLocks(_ fault: String) async throws {
        let gate = try Gate()
        server.on("/slow", .stall(after: 50_000, until: gate))
        let first = try start(fault)
        #expect(await first.waitForLine { $0.text.contains("\"attempt.started\",\"task\":\"slow\"") } != nil)
        let second = try start(fault)
        #expect(await second.wait() == .exited(3))
        #expect(
            String(decoding: second.errorOutput, as: UTF8.self).contains("another run of this job is at work: process ")
        )
        #expect(second.output.isEmpty)
        gate.open()
        #expect(await first.wait() == .exited(0))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
