import Glibc
import TestSupport
import Testing

/// Extractions that are killed at random moments, each followed by one that completes.
@Suite(.serialized) struct ExtractionKillTests {
    private static let rounds = Soak.isWanted ? 100 : 8
    private static let files = Soak.isWanted ? 2000 : 300

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(
            "job.yaml", "version: 1\ndirectory: out\ntasks:\n  - {extract: current.tar.gz, to: tree/}\n")
    }

    /// Makes the archive of a version, and tells what it holds.
    private func pack(_ version: Int) async throws -> [String: String] {
        var contents: [String: String] = [:]
        for number in 0..<Self.files {
            let name = "d\(number % 20)/e/f\(number)", text = "version \(version) of \(number)\n"
            contents[name] = text
            try folder.write("v\(version)/src/\(name)", text)
        }
        try folder.write(
            "v\(version)/job.yaml", "version: 1\ntasks:\n  - {archive: src/, to: all.tar.gz, strip: 1}\n")
        let outcome = try await RunnerBinary.run(["run", "v\(version)/job.yaml"], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        return contents
    }

    private func offer(_ version: Int) throws {
        try folder.write("out/current.tmp", folder.read("v\(version)/all.tar.gz") ?? [])
        rename(folder.path("out/current.tmp"), folder.path("out/current.tar.gz"))
    }

    private func tree() -> [String: String] {
        var found: [String: String] = [:]
        for name in folder.files() where name.hasPrefix("out/tree/") {
            found[String(name.dropFirst(9))] = String(decoding: folder.read(name) ?? [], as: UTF8.self)
        }
        return found
    }

    @Test(.timeLimit(.minutes(30))) func theFolderIsTheOldOneOrTheNewOne() async throws {
        let versions = [try await pack(0), try await pack(1)]
        try offer(0)
        let first = try await RunnerBinary.run(["run", "job.yaml"], in: folder.path)
        #expect(first.status == 0, "\(first.errorOutput)")
        let whole = first.duration
        var dice = SeededDice(Soak.isWanted ? UInt64.random(in: 0 ... .max) : 11)
        for round in 1...Self.rounds {
            let (old, new) = (versions[(round + 1) % 2], versions[round % 2])
            try offer(round % 2)
            let process = try RunnerBinary.start(["run", "job.yaml", "--quiet"], in: folder.path)
            // It is killed when this time is over.
            _ = await process.wait(for: whole * Double(dice.below(1000)) / 1000)
            let found = tree()
            #expect(found == old || found == new, "round \(round): \(found.count) files")
            let outcome = try await RunnerBinary.run(["run", "job.yaml"], in: folder.path)
            #expect(outcome.status == 0, "round \(round): \(outcome.errorOutput)")
            #expect(tree() == new, "round \(round)")
            #expect(
                DiskFile.entries(folder.path("out")) == [".runner", "current.tar.gz", "tree"], "round \(round)")
        }
    }
}
