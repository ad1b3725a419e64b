import Glibc
import TestSupport
import Testing

/// Archives as other programs see them, and as other surroundings make them.
@Suite struct ArchiveSurroundingsTests {
    private static let names = ["a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz", "a.tar.zst", "a.zip", "a.7z"]

    /// Makes all archives in a folder of its own.
    private func make(in folder: TemporaryDirectory, environment: [String: String], umask mask: mode_t) async throws {
        try folder.write("src/b/日.txt", "sun")
        try folder.write("src/long", String(repeating: "line after line\n", count: 5000))
        chmod(folder.path("src/long"), 0o666 & ~mask)
        let tasks = Self.names.map { "  - {archive: src/, to: \($0)}\n" }.joined()
        try folder.write("job.yaml", "version: 1\ntasks:\n" + tasks)
        let outcome = try await RunnerBinary.run(["run", "job.yaml"], environment: environment, in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
    }

    @Test func nothingAroundHasAPartInTheBytes() async throws {
        let one = try TemporaryDirectory(), other = try TemporaryDirectory()
        try await make(in: one, environment: ["TZ": "America/New_York", "LC_ALL": "C", "LANG": "C"], umask: 0o022)
        try await make(in: other, environment: ["TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"], umask: 0o077)
        for name in Self.names { #expect(one.read(name) == other.read(name), "\(name)") }
    }

    /// With a password or without, and whether the names are encrypted or not.
    @Test func whatCannotBeDecryptedIsToldAsThat() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("f", "1")
        for words in [["-ppw", "data.7z"], ["-ppw", "-mhe=on", "all.7z"]] {
            let packer = try ChildProcess(
                "/usr/bin/7z", ["a", "-bd"] + words + ["f"], environment: ["PATH": "/usr/bin:/bin"], in: folder.path)
            #expect(await packer.wait() == .exited(0))
        }
        try folder.write(
            "job.yaml",
            """
            version: 1
            tasks:
              - {extract: data.7z, to: a/}
              - {extract: data.7z, to: b/, password: pw}
              - {extract: all.7z, to: c/}
              - {extract: all.7z, to: d/, password: pw}

            """)
        let outcome = try await RunnerBinary.run(["run", "job.yaml"], in: folder.path)
        #expect(outcome.status == 1)
        let text = outcome.errorOutput
        #expect(text.count(of: "data.7z: `f` is encrypted, and libarchive decrypts zip archives only") == 4, "\(text)")
        #expect(text.count(of: "all.7z is encrypted, its list of files too") == 4, "\(text)")
        #expect(text.count(of: "next: unpack it in a `run` task") == 4, "\(text)")
        #expect(!text.contains("damaged") && !text.contains("password"), "\(text)")
    }

    @Test func otherProgramsReadThem() async throws {
        let folder = try TemporaryDirectory()
        try await make(in: folder, environment: [:], umask: 0o022)
        let python = "import zipfile,sys; z=zipfile.ZipFile('a.zip'); assert z.testzip() is None; print(z.namelist())"
        let commands = [
            ["/usr/bin/unzip", "-t", "a.zip"], ["/usr/bin/7z", "t", "a.zip"], ["/usr/bin/7z", "t", "a.7z"],
            ["/usr/bin/python3", "-c", python], ["/usr/bin/bsdtar", "-tf", "a.7z"],
        ]
        for command in commands + Self.names.prefix(5).map({ ["/usr/bin/bsdtar", "-tf", $0] })
            + [["/bin/tar", "-tf", "a.tar"], ["/bin/tar", "-tzf", "a.tar.gz"]]
        {
            let process = try ChildProcess(
                command[0], Array(command.dropFirst()),
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], in: folder.path, input: [])
            #expect(
                await process.wait() == .exited(0),
                "\(command): \(String(decoding: process.errorOutput, as: UTF8.self))")
            let text = String(decoding: process.output, as: UTF8.self)
            #expect(command.contains("t") || text.contains("src/b/"), "\(command): \(text)")
        }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
