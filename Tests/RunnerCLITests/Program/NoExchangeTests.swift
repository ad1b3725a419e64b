import Glibc
import TestSupport
import Testing

/// Replaces an extracted folder where two names cannot change places, as on some network file systems (renameat2(2)).
@Suite(.enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed"))
struct NoExchangeTests {
    @Test(arguments: ["EINVAL", "ENOSYS"])
    func theNewFolderTakesThePlaceOfTheOldOne(_ fault: String) async throws {
        let folder = try TemporaryDirectory()
        try folder.write(
            "job.yaml",
            "version: 1\ntasks:\n  - {archive: src/, to: x.tar, strip: 1}\n  - {extract: x.tar, to: tree/}\n")
        for name in ["old", "new"] {
            try folder.write("src/" + name, name)
            let process = try RunnerBinary.start(
                ["run", "job.yaml"], environment: ["ASAN_OPTIONS": "detect_leaks=0"], in: folder.path,
                through: [
                    "/usr/bin/strace", "-f", "-qq", "-o", folder.path("calls"), "-e", "trace=renameat2", "-e",
                    "inject=renameat2:error=" + fault,
                ])
            #expect(await process.wait() == .exited(0))
            unlink(folder.path("src/" + name))
        }
        // Else nothing was shown.
        let calls = String(decoding: folder.read("calls") ?? [], as: UTF8.self)
        #expect(calls.contains("RENAME_EXCHANGE) = -1 \(fault)"))
        #expect(folder.read("tree/new") == Array("new".utf8))
        #expect(
            DiskFile.entries(folder.path).filter { $0 != "calls" } == [".runner", "job.yaml", "src", "tree", "x.tar"])
        #expect(DiskFile.entries(folder.path("tree")) == ["new"])
    }
}
