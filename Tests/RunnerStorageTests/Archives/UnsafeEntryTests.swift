import Glibc
import LibArchive
import RunnerJob
import TestSupport
import Testing

@testable import RunnerStorage

@Suite("Entries that are refused")
struct UnsafeEntryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var members: @Sendable () -> [Member]
        var error: ExtractionError
        var testDescription: String { name }
    }

    private static func danger(_ danger: ExtractionError.Danger, _ entry: String) -> ExtractionError {
        .unsafe(danger, entry: entry)
    }

    static let cases = [
        Case(name: "absolute", members: { [.file("/tmp/evil", "")] }, error: danger(.absoluteName, "/tmp/evil")),
        Case(name: "dots", members: { [.file("a/../../evil", "")] }, error: danger(.climbs, "a/../../evil")),
        Case(name: "dots behind a dot", members: { [.file("./../evil", "")] }, error: danger(.climbs, "../evil")),
        Case(
            name: "long part", members: { [.file(String(repeating: "n", count: 256), "")] },
            error: danger(.longName(limit: 255), String(repeating: "n", count: 160) + "…")),
        Case(
            name: "absolute link", members: { [.link("l", "/etc/hosts")] },
            error: danger(.linkLeadsOut(target: "/etc/hosts"), "l")),
        Case(
            name: "link out", members: { [.link("a/l", "../../x")] },
            error: danger(.linkLeadsOut(target: "../../x"), "a/l")),
        Case(
            name: "link out through a link", members: { [.link("a/b/up", "../.."), .link("m", "a/b/up/..")] },
            error: danger(.linkLeadsOut(target: "a/b/up/.."), "m")),
        Case(
            name: "links in a circle", members: { [.link("a", "b"), .link("b", "a")] },
            error: danger(.linkInCircle(target: "b"), "a")),
        Case(
            name: "file through a link", members: { [.link("d", "other"), .file("d/x", "")] },
            error: danger(.clashes(other: "d"), "d/x")),
        Case(
            name: "hard link to nothing", members: { [.hardLink("h", "nope")] },
            error: danger(.linkToNothing(target: "nope"), "h")),
        Case(
            name: "hard link to itself alone", members: { [.hardLink("h", "h")] },
            error: danger(.linkToNothing(target: "h"), "h")),
        Case(
            name: "hard link to a link in a circle", members: { [.link("a", "b"), .hardLink("b", "a")] },
            error: danger(.linkInCircle(target: "b"), "a")),
        Case(
            name: "hard link out", members: { [.hardLink("h", "../x")] }, error: danger(.climbs, "../x")),
        Case(
            name: "file, then folder", members: { [.file("a", ""), .file("a/b", "")] },
            error: danger(.clashes(other: "a"), "a/b")),
        Case(
            name: "folder, then file", members: { [.file("a/b", ""), .file("a", "")] },
            error: danger(.clashes(other: "a"), "a")),
        Case(
            name: "pipe",
            members: { [Member(entry: .init(name: Array("p".utf8), kind: .special, mode: 0o644))] },
            error: danger(.special, "p")),
    ]

    @Test(arguments: cases)
    func failsAndLeavesNothing(_ one: Case) throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", [.file("ok", "ok")] + one.members())
        #expect(bench.failure("x.tar") == one.error)
        #expect(DiskFile.entries(bench.disk.directory.root) == ["x.tar"])
        #expect(DiskFile.entries(bench.disk.folder.path("")) == ["out"])
    }

    @Test func linksThatStayInsideAreMade() throws {
        let bench = try ArchiveBench()
        try bench.archive(
            "x.tar",
            [.link("a/b/up", "../.."), .link("dangling", "to/come"), .link("in", "a/./b/../b"), .file("f", "")])
        try bench.extract("x.tar")
        #expect(bench.tree()["a/b/up"] == "-> ../..")
        #expect(bench.tree()["dangling"] == "-> to/come")
        #expect(bench.tree()["in"] == "-> a/./b/../b")
    }

    @Test func whatIsExcludedIsNotLookedAt() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", [.file("a", "1"), .file("../evil", "2")])
        try bench.extract("x.tar") { $0.selection.exclude = ["evil"] }
        #expect(bench.tree() == ["a": "1"])
    }
}

@Suite("Ceilings of an extraction")
struct ExtractionCeilingTests {
    private static let zeros = [UInt8](repeating: 0, count: 100 << 20)

    @Test func entries() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", (0..<5).map { .file("f\($0)", "") })
        #expect(bench.failure("x.tar") { $0.limits.entries = 4 } == .tooMuch(.entries(4)))
        try bench.extract("x.tar") { $0.limits.entries = 5 }
    }

    @Test func bytes() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", [.file("a", "12345"), .file("b", "12345")])
        #expect(bench.failure("x.tar") { $0.limits.bytes = 9 } == .tooMuch(.bytes(9)))
        try bench.extract("x.tar") { $0.limits.bytes = 10 }
    }

    @Test func ratio() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", [.file(Array("zeros".utf8), Self.zeros)], filter: .gzip)
        #expect(bench.failure("x.tar") == .tooMuch(.ratio(200)))
        #expect(bench.tree().isEmpty)
        try bench.compressed("zeros.gz", "", .gzip, raw: Self.zeros)
        #expect(bench.failure("zeros.gz") == .tooMuch(.ratio(200)))
        try bench.extract("zeros.gz") { $0.limits.ratio = 2000 }
        #expect(bench.disk.status("tree/zeros").st_size == Self.zeros.count)
    }
}

@Suite("Damaged archives")
struct DamagedArchiveTests {
    /// Breaks an archive that has been made, and expects the extraction to say so and to leave the old folder.
    private func expectDamage(
        _ name: String, _ bench: ArchiveBench, _ damage: (inout [UInt8]) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try bench.extract(name)
        let old = bench.tree()
        var bytes = try #require(DiskFile.read(bench.path(name)))
        damage(&bytes)
        try DiskFile.write(bench.path(name), bytes)
        switch bench.failure(name) {
        case .damaged, .notAnArchive, .wrongSize: break
        case let other: Issue.record("\(String(describing: other))", sourceLocation: sourceLocation)
        }
        #expect(bench.tree() == old, sourceLocation: sourceLocation)
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree", name], sourceLocation: sourceLocation)
    }

    private static let noise: [Member] = {
        var random = SystemRandomNumberGenerator()
        return [.file(Array("noise".utf8), (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) })]
    }()

    @Test(arguments: [ArchiveWriterCase("x.tar.gz", .gzip), .init("x.tar.bz2", .bzip2), .init("x.tar.xz", .xz)])
    func aFlippedBitInALayer(_ one: ArchiveWriterCase) throws {
        let bench = try ArchiveBench()
        try bench.archive(one.name, Self.noise, filter: one.filter)
        try expectDamage(one.name, bench) { $0[$0.count / 2] ^= 1 }
    }

    @Test(arguments: [
        ArchiveWriterCase("x.tar.gz", .gzip), .init("x.tar.bz2", .bzip2), .init("x.tar.xz", .xz),
        .init("x.tar.zst", .zstd),
    ])
    func aLayerThatIsCutAtItsVeryEnd(_ one: ArchiveWriterCase) throws {
        let bench = try ArchiveBench()
        try bench.archive(one.name, Self.noise, filter: one.filter)
        try expectDamage(one.name, bench) { $0.removeLast(2) }
    }

    @Test func aWrongCheckSumOfGzip() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar.gz", Self.noise, filter: .gzip)
        try expectDamage("x.tar.gz", bench) { $0[$0.count - 6] ^= 0xFF }
    }

    @Test func somethingBehindGzip() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar.gz", Self.noise, filter: .gzip)
        let bytes = try #require(DiskFile.read(bench.path("x.tar.gz")))
        try DiskFile.write(bench.path("x.tar.gz"), bytes + [0, 0, 0])
        try bench.extract("x.tar.gz")
        try expectDamage("x.tar.gz", bench) { $0 += Array("rubbish".utf8) }
    }

    @Test func aZipThatIsDamagedOrCut() throws {
        for damage in [{ $0[$0.count / 2] ^= 1 }, { $0.removeLast($0.count / 2) }, { $0.removeLast(3) }]
            as [(inout [UInt8]) -> Void]
        {
            let bench = try ArchiveBench()
            try bench.archive("x.zip", Self.noise + [.file("b", "b")], format: .zip)
            try expectDamage("x.zip", bench, damage)
        }
    }

    @Test func aTarThatIsCut() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", Self.noise)
        try expectDamage("x.tar", bench) { $0.removeLast(20_000) }
    }

    /// However small it is, and whatever else was looked for in it.
    @Test(arguments: [nil, .gzip, .xz] as [ArchiveWriter.Filter?])
    func aTarThatIsCutWithinAHeader(_ filter: ArchiveWriter.Filter?) throws {
        let bench = try ArchiveBench()
        try bench.archive("whole.tar", [.file("a", "a"), .file("b", "b")])
        let whole = try #require(DiskFile.read(bench.path("whole.tar")))
        for length in [1025, 1200, 1535] {
            let cut = Array(whole.prefix(length))
            if let filter {
                try bench.compressed("x.tar", "", filter, raw: cut)
            } else {
                try DiskFile.write(bench.path("x.tar"), cut)
            }
            guard case .damaged = bench.failure("x.tar") else {
                Issue.record("cut to \(length) bytes")
                continue
            }
        }
    }

    @Test func noArchiveAtAll() throws {
        let bench = try ArchiveBench()
        for text in ["", "<html>not found</html>"] {
            try DiskFile.write(bench.path("x.zip"), text)
            guard case .notAnArchive = bench.failure("x.zip") else {
                Issue.record("\(text)")
                continue
            }
        }
    }

    @Test func aFileThatIsNotThere() throws {
        let bench = try ArchiveBench()
        #expect(bench.failure("x.zip") == .storage(.sourceMissing(path: "x.zip")))
    }

    /// Two entries of the directory that name the same bytes, as bombs have them.
    @Test func entriesThatOverlap() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.zip", [.file("a", "aaaa"), .file("b", "bbbb")], format: .zip)
        var bytes = try #require(DiskFile.read(bench.path("x.zip")))
        // The second record of the directory (APPNOTE.TXT, 4.3.12) gets the place of the first one's file: 0.
        let records = bytes.indices.dropLast(4).filter { bytes[$0..<($0 + 4)].elementsEqual([0x50, 0x4B, 1, 2]) }
        let second = try #require(records.last)
        for index in 0..<4 { bytes[second + 42 + index] = index == 0 ? 1 : 0 }
        try DiskFile.write(bench.path("x.zip"), bytes)
        #expect(bench.failure("x.zip") != nil)
        #expect(bench.tree().isEmpty)
    }
}

/// A zip in which the file of one entry lies inside that of another, with all lengths and sums right: what a bomb of
/// overlapping files is made of.
@Suite struct OverlappingEntryTests {
    private static func number(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// What the header of a file and its record in the directory have in common (APPNOTE.TXT, 4.3.7 and 4.3.12).
    private static func common(_ name: String, _ content: [UInt8]) throws -> [UInt8] {
        let sum = try DigestSet.digest(of: content, by: .crc32).bytes.reversed()
        return number(20, bytes: 2) + number(0, bytes: 8) + sum + number(content.count, bytes: 4)
            + number(content.count, bytes: 4) + number(name.utf8.count, bytes: 2) + number(0, bytes: 2)
    }

    private static func file(_ name: String, _ content: [UInt8]) throws -> [UInt8] {
        try [0x50, 0x4B, 3, 4] + common(name, content) + Array(name.utf8) + content
    }

    private static func record(_ name: String, _ content: [UInt8], at offset: Int) throws -> [UInt8] {
        try [0x50, 0x4B, 1, 2] + number(20, bytes: 2) + common(name, content) + number(0, bytes: 2 + 2 + 2 + 4)
            + number(offset, bytes: 4) + Array(name.utf8)
    }

    /// - Parameter isInside: whether the second file lies inside the first, rather than behind it.
    private static func zip(isInside: Bool) throws -> [UInt8] {
        let inner = Array("inner".utf8)
        let outer = try file("inner", inner) + Array("!".utf8)
        var files = try file("outer", outer)
        let offset = isInside ? files.count - outer.count : files.count
        if !isInside { files += try file("inner", inner) }
        let directory = try record("outer", outer, at: 0) + record("inner", inner, at: offset)
        return files + directory + [0x50, 0x4B, 5, 6] + number(0, bytes: 4) + number(2, bytes: 2)
            + number(2, bytes: 2) + number(directory.count, bytes: 4) + number(files.count, bytes: 4)
            + number(0, bytes: 2)
    }

    @Test func aFileInsideAnotherIsRefused() throws {
        let bench = try ArchiveBench()
        try DiskFile.write(bench.path("x.zip"), Self.zip(isInside: true))
        #expect(bench.failure("x.zip") == .overlaps(entry: "inner"))
        #expect(DiskFile.entries(bench.disk.directory.root) == ["x.zip"])
    }

    @Test func filesSideBySideAreNot() throws {
        let bench = try ArchiveBench()
        try DiskFile.write(bench.path("x.zip"), Self.zip(isInside: false))
        try bench.extract("x.zip")
        #expect(bench.tree().keys.sorted() == ["inner", "outer"])
    }
}

struct ArchiveWriterCase: Sendable, CustomTestStringConvertible {
    var name: String
    var filter: ArchiveWriter.Filter
    var testDescription: String { name }

    init(_ name: String, _ filter: ArchiveWriter.Filter) {
        self.name = name
        self.filter = filter
    }
}
