import Glibc
import RunnerJob
import RunnerPlan
import TestSupport
import Testing

@testable import RunnerStorage

@Suite("Packing")
struct PackingTests {
    /// A folder with what a folder can hold.
    private func bench() throws -> ArchiveBench {
        let bench = try ArchiveBench()
        for folder in ["src", "src/b", "src/empty", "src/ä"] { mkdir(bench.path(folder), 0o777) }
        try DiskFile.write(bench.path("src/z.txt"), "last")
        try DiskFile.write(bench.path("src/b/run"), "#!/bin/sh\n")
        chmod(bench.path("src/b/run"), 0o711)
        try DiskFile.write(bench.path("src/ä/日"), "sun")
        symlink("../z.txt", bench.path("src/b/link"))
        return bench
    }

    private func creation(
        _ bench: ArchiveBench, _ name: String, _ sources: [String] = ["src/"]
    ) -> ArchiveCreation {
        ArchiveCreation(
            sources: sources.map { text in
                let isFolder = text.hasSuffix("/")
                return .init(
                    at(isFolder ? String(text.dropLast()) : text), at: Place(line: 1, column: 1), isFolder: isFolder)
            }, to: at(name), format: PackedFormat(name: name) ?? .tar)
    }

    @discardableResult
    private func pack(
        _ bench: ArchiveBench, _ name: String, _ sources: [String] = ["src/"],
        _ change: (inout ArchiveCreation) -> Void = { _ in }
    ) throws(PackingError) -> ArchivePacking.Outcome {
        var creation = creation(bench, name, sources)
        change(&creation)
        return try ArchivePacking(creation, directory: bench.disk.directory, identity: "job")
            .run(progress: { _, _ in }, isCancelled: { false })
    }

    private func failure(
        _ bench: ArchiveBench, _ name: String, _ sources: [String] = ["src/"],
        _ change: (inout ArchiveCreation) -> Void = { _ in }
    ) -> PackingError? {
        do throws(PackingError) {
            try pack(bench, name, sources, change)
            return nil
        } catch {
            return error
        }
    }

    private static let archives = ["x.tar", "x.tar.gz", "x.tbz2", "x.tar.xz", "x.tar.zst", "x.zip", "x.7z"]

    @Test(arguments: archives)
    func whatIsPackedIsUnpackedAgain(_ name: String) throws {
        let bench = try bench()
        let outcome = try pack(bench, name)
        #expect(outcome.file.size == Int64(DiskFile.read(bench.path(name))?.count ?? 0))
        #expect(try outcome.digest == DigestSet.digest(of: DiskFile.read(bench.path(name)) ?? [], by: .sha256))
        try bench.extract(name, to: "back")
        #expect(bench.tree("back/src") == bench.tree("src"))
        #expect(bench.mode("back/src/b/run") & 0o100 != 0)
        #expect(DiskFile.entries(bench.disk.directory.root) == ["back", "src", name].sorted())
    }

    @Test(arguments: archives)
    func theSameContentMakesTheSameBytes(_ name: String) throws {
        let one = try bench(), other = try bench()
        chmod(other.path("src/z.txt"), 0o600)
        chmod(other.path("src/b/run"), 0o755)
        utimes(other.path("src/z.txt"), [timeval(tv_sec: 5, tv_usec: 0), timeval(tv_sec: 5, tv_usec: 0)])
        try pack(one, name)
        try pack(other, name)
        #expect(DiskFile.read(one.path(name)) == DiskFile.read(other.path(name)))
    }

    @Test func aSelectionOfNothingIsAFailure() throws {
        let bench = try ArchiveBench()
        mkdir(bench.path("src"), 0o777)
        try pack(bench, "empty.tar") { $0.strip = 1 }
        try DiskFile.write(bench.path("src/a"), "a")
        #expect(failure(bench, "x.tar", ["src/"]) { $0.selection.include = ["*.txt"] } == .nothingLeft)
        #expect(failure(bench, "x.tar", ["src/"]) { $0.strip = 2 } == .nothingLeft)
        try pack(bench, "x.tar") { $0.selection.exclude = ["src"] }
    }

    @Test(arguments: ["x.tar.xz", "x.tar.zst"])
    func theNumberOfThreadsChangesNothing(_ name: String) throws {
        let bench = try bench()
        let text = (0..<200_000).map { "line \($0 * $0)\n" }.joined()
        try DiskFile.write(bench.path("src/long"), text)
        try pack(bench, name) { $0.threads = 1 }
        let one = DiskFile.read(bench.path(name))
        try pack(bench, name) { $0.threads = 3 }
        #expect(DiskFile.read(bench.path(name)) == one)
    }

    @Test func aLevelMakesADifference() throws {
        for name in Self.archives where name != "x.tar" {
            let bench = try bench()
            try DiskFile.write(bench.path("src/long"), (0..<3000).map { "line \($0 % 300) \($0 / 7)\n" }.joined())
            try pack(bench, name) { $0.level = name == "x.zip" || name == "x.7z" ? 0 : 1 }
            let low = DiskFile.read(bench.path(name))?.count ?? 0
            try pack(bench, name) { $0.level = name == "x.tar.zst" ? 19 : 9 }
            let high = DiskFile.read(bench.path(name))?.count ?? 0
            #expect(high < low || name == "x.tbz2", "\(name)")
        }
    }

    @Test func namesAreThoseOfTheJob() throws {
        let bench = try bench()
        try pack(bench, "x.tar", ["src/b/", "src/z.txt"]) {
            $0.strip = 1
            $0.prefix = "top/in"
        }
        try bench.extract("x.tar")
        #expect(
            bench.tree().keys.sorted() == [
                "top/", "top/in/", "top/in/b/", "top/in/b/link", "top/in/b/run", "top/in/z.txt",
            ])
    }

    @Test func leavesOutWhatIsNotWanted() throws {
        let bench = try bench()
        try pack(bench, "x.tar") { $0.selection = EntrySelection(include: ["*.txt", "src/b"], exclude: ["link"]) }
        try bench.extract("x.tar")
        #expect(bench.tree().keys.sorted() == ["src/", "src/b/", "src/b/run", "src/z.txt"])
    }

    @Test func leavesTheArchiveItselfOut() throws {
        let bench = try bench()
        try pack(bench, "src/x.tar")
        try pack(bench, "src/x.tar")
        try bench.extract("src/x.tar")
        #expect(bench.tree()["src/x.tar"] == nil)
        #expect(bench.tree()["src/z.txt"] == "last")
    }

    @Test func setsTheTimesThatAreAskedFor() throws {
        let bench = try bench()
        utimes(bench.path("src/z.txt"), [timeval(tv_sec: 5, tv_usec: 0), timeval(tv_sec: 700_000_000, tv_usec: 0)])
        for (name, time, wanted) in [
            ("a.tar", ArchiveCreation.Time.zero, 0), ("b.tar", .ofFiles, 700_000_000),
            ("c.zip", .fixed(800_000_000), 800_000_000),
        ] {
            try pack(bench, name) { $0.time = time }
            try bench.extract(name, to: "of-" + name)
            #expect(bench.disk.status("of-\(name)/src/z.txt").st_mtim.tv_sec == wanted)
        }
    }

    /// Zip has 32 bits for them, without a sign.
    @Test(arguments: [
        ("x.tar", -631_152_000, -631_152_000), ("x.zip", -631_152_000, 0), ("x.zip", 5_000_000_000, 4_294_967_295),
    ])
    func aTimeThatTheFormatDoesNotHoldBecomesTheNearest(_ name: String, _ time: Int, _ wanted: Int) throws {
        let bench = try bench()
        utimes(bench.path("src/z.txt"), [timeval(tv_sec: 5, tv_usec: 0), timeval(tv_sec: time, tv_usec: 0)])
        try pack(bench, name) { $0.time = .ofFiles }
        try bench.extract(name)
        #expect(bench.disk.status("tree/src/z.txt").st_mtim.tv_sec == wanted)
    }

    @Test func encryptsAZip() throws {
        let bench = try bench()
        try pack(bench, "x.zip") { $0.password = "several words" }
        #expect(bench.failure("x.zip") == .passwordMissing(entry: "src/b/run"))
        try bench.extract("x.zip") { $0.password = "several words" }
        #expect(bench.tree()["src/z.txt"] == "last")
    }

    @Test func keepsNamesThatAreNotUnicode() throws {
        let bench = try bench()
        let odd = Array("src/bad".utf8) + [0xFF]
        close(try RawName.open(odd, in: bench.root, flags: O_CREAT | O_WRONLY, mode: 0o666))
        try pack(bench, "x.tar.gz")
        try bench.extract("x.tar.gz")
        #expect((try? RawName.status(of: Array("tree/".utf8) + odd, in: bench.root)) != nil)
        #expect(bench.tree()["src/ä/日"] == "sun")
        for name in ["x.zip", "x.7z"] {
            guard case .nameNotUnicode = failure(bench, name) else {
                Issue.record("\(name)")
                continue
            }
        }
    }

    @Test func refusesWhatCannotBePacked() throws {
        let bench = try bench()
        #expect(failure(bench, "x.tar", ["nothing"]) == .storage(.sourceMissing(path: "nothing")))
        #expect(failure(bench, "x.tar", ["src/z.txt/"]) == .notAFolder(path: "src/z.txt"))
        mkfifo(bench.path("src/pipe"), 0o666)
        #expect(failure(bench, "x.tar") == .special(path: "src/pipe"))
        #expect(DiskFile.entries(bench.disk.directory.root) == ["src"])
    }

    @Test func twoFilesOfOneNameAreRefused() throws {
        let bench = try bench()
        mkdir(bench.path("two"), 0o777)
        try DiskFile.write(bench.path("two/z.txt"), "other")
        #expect(
            failure(bench, "x.tar", ["src/", "two/"]) { $0.strip = 1 }
                == .sameName("z.txt", one: "src/z.txt", other: "two/z.txt"))
    }

    @Test func sourcesMayOverlapAndComeInAnyOrder() throws {
        let bench = try bench()
        try pack(bench, "a.tar", ["src/"])
        try pack(bench, "b.tar", ["src/z.txt", "src/b/", "src/"])
        #expect(DiskFile.read(bench.path("a.tar")) == DiskFile.read(bench.path("b.tar")))
    }

    @Test func formatsAreKnownBySuffix() {
        let names = [
            "a.tar", "a.tar.gz", "a.TGZ", "a.tar.bz2", "a.tbz", "a.txz", "a.tar.zst", "a.tzst", "a.zip", "a.7z",
            "a.rar",
            ".zip", "tar",
        ]
        #expect(
            names.map { PackedFormat(name: $0) } == [
                .tar, .tarGzip, .tarGzip, .tarBzip2, .tarBzip2, .tarXZ, .tarZstd, .tarZstd, .zip, .sevenZip, nil, nil,
                nil,
            ])
    }
}
