import Glibc
import LibArchive
import RunnerJob
import TestSupport
import Testing

@testable import RunnerStorage

@Suite("Extraction")
struct ExtractionTests {
    /// Made anew each time: the leak sanitizer does not find what a constant holds in a case of an enum.
    private static var plain: [Member] {
        [
            .folder("doc", mode: 0o750), .file("doc/a.txt", "a\n"), .file("run.sh", "echo\n", mode: 0o4755),
            .link("doc/l", "../run.sh"), .hardLink("same", "doc/a.txt"), .file("deep/er/x", ""),
        ]
    }
    private static let unpacked = [
        "doc/": "", "doc/a.txt": "a\n", "run.sh": "echo\n", "doc/l": "-> ../run.sh", "same": "a\n", "deep/": "",
        "deep/er/": "", "deep/er/x": "",
    ]

    @Test(arguments: [nil, .gzip, .bzip2, .xz, .zstd] as [ArchiveWriter.Filter?])
    func unpacksTarInEveryLayer(_ filter: ArchiveWriter.Filter?) throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", Self.plain, filter: filter)
        let bytes = try bench.extract("x.tar")
        #expect(bench.tree() == Self.unpacked)
        #expect(bytes == 7)
        #expect(DiskFile.entries(bench.disk.directory.root) == ["tree", "x.tar"])
    }

    @Test(arguments: [ArchiveWriter.Format.zip, .sevenZip])
    func unpacksOtherFormats(_ format: ArchiveWriter.Format) throws {
        let bench = try ArchiveBench()
        try bench.archive("x", [.file("ä/b", "text"), .link("l", "ä/b"), .folder("empty/")], format: format)
        try bench.extract("x")
        #expect(bench.tree() == ["ä/": "", "ä/b": "text", "l": "-> ä/b", "empty/": ""])
    }

    @Test func keepsModesUnderTheUmaskAndTimes() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", Self.plain + [.file("secret", "", mode: 0o400), .folder("closed", mode: 0)])
        try bench.extract("x.tar")
        let mask = bench.mode("tree") ^ 0o777
        #expect(bench.mode("tree/run.sh") == 0o755 & ~mask)
        #expect(bench.mode("tree/doc") == 0o750 & ~mask)
        #expect(bench.mode("tree/secret") == 0o400)
        #expect(bench.mode("tree/closed") == 0o700)
        #expect(bench.disk.status("tree/doc/a.txt").st_mtim.tv_sec == 1_000_000)
        #expect(bench.disk.status("tree/doc").st_mtim.tv_sec == 2_000_000)
    }

    @Test func leavesOutWhatIsNotWanted() throws {
        let bench = try ArchiveBench()
        try bench.archive(
            "x.tar",
            [.file("top/a.txt", "a"), .file("top/b.bin", "b"), .file("top/doc/c.txt", "c"), .file("d.txt", "d")])
        try bench.extract("x.tar", to: "one") { $0.strip = 1 }
        #expect(bench.tree("one") == ["a.txt": "a", "b.bin": "b", "doc/": "", "doc/c.txt": "c"])
        try bench.extract("x.tar", to: "two") { $0.selection.include = ["*.txt"] }
        #expect(
            bench.tree("two").filter { !$0.key.hasSuffix("/") }.keys.sorted() == [
                "d.txt", "top/a.txt", "top/doc/c.txt",
            ])
        try bench.extract("x.tar", to: "three") {
            $0.selection = EntrySelection(include: ["top/"], exclude: ["top/doc"])
        }
        #expect(bench.tree("three") == ["top/": "", "top/a.txt": "a", "top/b.bin": "b"])
    }

    /// What was meant for other names is no reason to make an empty folder, and to replace one that is there.
    @Test func aSelectionOfNothingIsAFailure() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", [.folder("top"), .file("top/a.txt", "a")])
        try bench.extract("x.tar")
        #expect(bench.failure("x.tar") { $0.selection.include = ["a/*"] } == .nothingLeft(of: 1))
        #expect(bench.failure("x.tar") { $0.strip = 2 } == .nothingLeft(of: 1))
        try bench.compressed("f.gz", "text", .gzip)
        #expect(bench.failure("f.gz") { $0.selection.include = ["*.txt"] } == .nothingLeft(of: 1))
        #expect(bench.tree() == ["top/": "", "top/a.txt": "a"])
        // What leaves everything out says so.
        try bench.extract("x.tar") { $0.selection.exclude = ["top"] }
        // Nothing of nothing is what was asked for.
        try bench.archive("none.tar", [.folder("top")])
        try bench.extract("none.tar", to: "none") { $0.strip = 1 }
        #expect(bench.tree().isEmpty && bench.tree("none").isEmpty)
    }

    @Test(arguments: [("f.gz", ArchiveWriter.Filter.gzip), ("f.bz2", .bzip2), ("f.xz", .xz), ("f.zst", .zstd)])
    func unpacksASingleFileByItsSuffix(_ name: String, _ filter: ArchiveWriter.Filter) throws {
        let bench = try ArchiveBench()
        try bench.compressed(name, "some text", filter)
        try bench.extract(name)
        #expect(bench.tree() == ["f": "some text"])
    }

    /// What libarchive does not compress here.
    @Test(arguments: [
        ("f.lz4", "04224d186470b9070000006068656c6c6f0a00000000f95b6b94"),
        ("f.lzma", "5d00008000ffffffffffffffff00341949ee8ddd3d3adfffffdd120000"),
        (
            "f.lz",
            "4c5a4950011700341949ee8ddd3d3adfffffdd12000020303a3606000000000000002a00000000000000"
        ),
        ("f.Z", "1f9d9068cab061f34601"),
    ])
    func unpacksASingleFileOfAnySuffix(_ name: String, _ digits: String) throws {
        let bench = try ArchiveBench()
        try DiskFile.write(bench.path(name), try #require(Hexadecimal.bytes(digits.utf8)))
        try bench.extract(name)
        #expect(bench.tree() == ["f": "hello\n"])
    }

    /// What a log or a dump without a line is compressed to, by `gzip < /dev/null` and the like.
    @Test(arguments: [
        ("f.gz", "1f8b080000000000000303000000000000000000"), ("f.bz2", "425a683917724538509000000000"),
        ("f.xz", "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a"),
        ("f.zst", "28b52ffd240001000099e9d851"), ("f.lz4", "04224d186440a700000000055dcc02"),
    ])
    func aSingleFileMayBeEmpty(_ name: String, _ digits: String) throws {
        let bench = try ArchiveBench()
        let bytes = try #require(Hexadecimal.bytes(digits.utf8))
        try DiskFile.write(bench.path(name), bytes)
        try bench.extract(name)
        #expect(bench.tree() == ["f": ""])
        for length in 1..<bytes.count {
            try DiskFile.write(bench.path(name), Array(bytes.prefix(length)))
            #expect(bench.failure(name, to: "cut") != nil, "cut to \(length) bytes")
        }
        #expect(bench.tree("cut").isEmpty)
        // This one has neither an end nor a check sum.
        try DiskFile.write(bench.path("e.Z"), [0x1F, 0x9D, 0x90])
        try bench.extract("e.Z", to: "z")
        #expect(bench.tree("z") == ["e": ""])
    }

    /// Where a further stream should begin and does not, libarchive ends as if the file did.
    @Test(arguments: [
        (
            "f.bz2",
            "425a6839314159265359c1c080e2000001410000100244a00030cd00c3462997177245385090c1c080e2"
        ),
        ("f.lz4", "04224d186470b9070000006068656c6c6f0a00000000f95b6b94"),
        (
            "f.lz",
            "4c5a4950011700341949ee8ddd3d3adfffffdd12000020303a3606000000000000002a00000000000000"
        ),
    ])
    func aFurtherStreamIsReadOrMissed(_ name: String, _ digits: String) throws {
        let bench = try ArchiveBench()
        let stream = try #require(Hexadecimal.bytes(digits.utf8))
        try DiskFile.write(bench.path(name), stream + stream)
        try bench.extract(name, to: "two")
        #expect(bench.tree("two") == ["f": "hello\nhello\n"])
        try DiskFile.write(bench.path(name), stream + [0x20] + stream.dropFirst())
        #expect(bench.failure(name)?.faultClass == .archive)
        try DiskFile.write(bench.path(name), stream + [UInt8](repeating: 0, count: 600))
        try bench.extract(name, to: "padded")
        #expect(bench.tree("padded") == ["f": "hello\n"])
    }

    @Test func whatFollowsACompressedArchiveIsSeen() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar.bz2", Self.plain, filter: .bzip2)
        let bytes = try #require(DiskFile.read(bench.path("x.tar.bz2")))
        try DiskFile.write(bench.path("x.tar.bz2"), bytes + Array("BZh8 and no more".utf8))
        #expect(
            bench.failure("x.tar.bz2")
                == .damaged(entry: nil, text: "what follows its first \(bytes.count) bytes is no bzip2 data"))
        #expect(bench.tree().isEmpty)
        try DiskFile.write(bench.path("x.tar.bz2"), bytes + [UInt8](repeating: 0, count: 600))
        try bench.extract("x.tar.bz2")
        #expect(bench.tree() == Self.unpacked)
    }

    /// Windows packs what is over 2 GB by Deflate64.
    @Test func aMethodThatIsNotKnownIsNoDamage() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.zip", [.file("a", String(repeating: "a", count: 100))], format: .zip)
        var bytes = try #require(DiskFile.read(bench.path("x.zip")))
        let directory = try #require(bytes.indices.dropLast(4).first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        bytes[8] = 9
        bytes[directory + 10] = 9
        try DiskFile.write(bench.path("x.zip"), bytes)
        guard case .notSupported(entry: "a", _)? = bench.failure("x.zip") else {
            Issue.record("\(String(describing: bench.failure("x.zip")))")
            return
        }
    }

    @Test(arguments: [0, 100, 16_361, 16_362, 16_363, 65_535])
    func aZipArchiveMayHaveAComment(_ count: Int) throws {
        let bench = try ArchiveBench()
        try bench.archive("x.zip", [.file("a", "text")], format: .zip)
        let bytes = try #require(DiskFile.read(bench.path("x.zip")))
        let comment = [UInt8(count & 0xff), UInt8(count >> 8)] + [UInt8](repeating: 0x61, count: count)
        try DiskFile.write(bench.path("x.zip"), bytes.dropLast(2) + comment)
        try bench.extract("x.zip")
        #expect(bench.tree() == ["a": "text"])
    }

    /// As binutils write them: modes without a type, a table of symbols, and one of names.
    @Test func unpacksALibrary() throws {
        func member(_ name: String, _ content: String) -> String {
            func field(_ text: String, _ width: Int) -> String {
                text + String(repeating: " ", count: width - text.utf8.count)
            }
            return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8)
                + field("\(content.utf8.count)", 10) + "`\n" + content + (content.utf8.count % 2 == 0 ? "" : "\n")
        }
        let bench = try ArchiveBench()
        let text =
            "!<arch>\n" + member("/", "\0\0\0\0") + member("//", "a-name-that-is-long.o/\n") + member("a.o/", "hello")
            + member("/0", "other")
        try DiskFile.write(bench.path("x.ar"), Array(text.utf8))
        try bench.extract("x.ar")
        #expect(bench.tree() == ["a.o": "hello", "a-name-that-is-long.o": "other"])
    }

    @Test func aZipArchiveWithoutItsEndIsDamaged() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.zip", Self.plain.filter { $0.entry.kind == .file }, format: .zip)
        let bytes = try #require(DiskFile.read(bench.path("x.zip")))
        for start in [[], [0x50, 0x4B, 0x07, 0x08]] as [[UInt8]] {
            try DiskFile.write(bench.path("x.zip"), start + bytes.prefix(bytes.count / 2))
            guard case .damaged(entry: nil, let text)? = bench.failure("x.zip") else {
                Issue.record("\(String(describing: bench.failure("x.zip")))")
                continue
            }
            #expect(text.hasPrefix("the directory that ends a zip archive is not there"))
        }
    }

    @Test func takesOneLayerOffASingleFile() throws {
        let bench = try ArchiveBench()
        for (name, filter) in [("x.gz", ArchiveWriter.Filter.gzip), ("x.bz2", .bzip2)] {
            let inner = try bench.compressed("inner", "text", filter)
            try bench.compressed(name, String(decoding: inner, as: Unicode.ASCII.self), filter, raw: inner)
            try bench.extract(name, to: "of-" + name)
            #expect(DiskFile.read(bench.path("of-\(name)/x")) == inner)
        }
    }

    @Test func saysThatASuffixIsWrong() throws {
        let bench = try ArchiveBench()
        for suffix in ["gz", "bz2", "xz", "zst"] {
            try DiskFile.write(bench.path("x." + suffix), "plain text")
            #expect(bench.failure("x." + suffix) == .notCompressed(suffix: suffix))
        }
    }

    @Test func readsNamesWhateverTheirEncoding() throws {
        let bench = try ArchiveBench()
        try bench.archive("utf8.zip", [.file("日本/é.txt", "x")], format: .zip, options: [("hdrcharset", "UTF-8")])
        try bench.extract("utf8.zip", to: "a")
        #expect(bench.tree("a")["日本/é.txt"] == "x")
        try bench.archive("cp437.zip", [.file("café.txt", "x")], format: .zip, options: [("hdrcharset", "CP437")])
        #expect(DiskFile.read(bench.path("cp437.zip"))?.contains(0x82) == true)
        try bench.extract("cp437.zip", to: "b")
        #expect(bench.tree("b") == ["café.txt": "x"])
        try bench.archive(
            "latin1.tar", [.file(Array("caf".utf8) + [0xE9], Array("x".utf8))], options: [("hdrcharset", "BINARY")])
        try bench.extract("latin1.tar", to: "c")
        #expect((try? RawName.status(of: Array("c/caf".utf8) + [0xE9], in: bench.root))?.st_size == 1)
    }

    @Test func unpacksWithAPassword() throws {
        let bench = try ArchiveBench()
        let output = CollectedOutput()
        let writer = try ArchiveWriter(output, format: .zip, filter: nil)
        try writer.setPassword("several words")
        try writer.setFormatOption("encryption", "aes256")
        try writer.open()
        let secret = Member.file("s", "secret")
        try writer.begin(secret.entry)
        try secret.content.withUnsafeBytes { try writer.write($0) }
        try writer.close()
        try DiskFile.write(bench.path("x.zip"), output.bytes)
        #expect(bench.failure("x.zip") == .passwordMissing(entry: "s"))
        #expect(bench.failure("x.zip") { $0.password = "wrong" } == .passwordWrong(entry: "s"))
        #expect(bench.tree().isEmpty)
        try bench.extract("x.zip") { $0.password = "several words" }
        #expect(bench.tree() == ["s": "secret"])
    }

    @Test func anEmptyZipMakesAnEmptyFolder() throws {
        let bench = try ArchiveBench()
        try DiskFile.write(bench.path("x.zip"), [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))
        try bench.extract("x.zip")
        #expect(DiskFile.isFolder(bench.path("tree")))
        #expect(bench.tree().isEmpty)
    }

    @Test func theLaterOfTwoFilesCounts() throws {
        let bench = try ArchiveBench()
        try bench.archive(
            "x.tar", [.file("a", "1"), .hardLink("h", "a"), .file("a", "2"), .link("l", "a"), .file("l", "3")])
        try bench.extract("x.tar")
        #expect(bench.tree() == ["a": "2", "h": "1", "l": "3"])
    }

    /// So GNU tar writes the second name of a symbolic link.
    @Test func anotherNameOfALinkIsALink() throws {
        let bench = try ArchiveBench()
        try bench.archive(
            "x.tar", [.file("d/f", "1"), .link("d/l", "f"), .hardLink("d/m", "d/l"), .hardLink("d/l", "d/l")])
        try bench.extract("x.tar")
        #expect(bench.tree() == ["d/": "", "d/f": "1", "d/l": "-> f", "d/m": "-> f"])
        // Elsewhere the same text leads to another place, which has to be in the folder too.
        try bench.archive("y.tar", [.file("d/e/f", "1"), .link("d/e/l", "../../x"), .hardLink("m", "d/e/l")])
        #expect(throws: ExtractionError.unsafe(.linkLeadsOut(target: "../../x"), entry: "m")) {
            try bench.extract("y.tar")
        }
    }

    @Test func stopsOnDemand() throws {
        let bench = try ArchiveBench()
        try bench.archive("x.tar", Self.plain)
        let extraction = TreeExtraction(
            bench.extraction("x.tar"), directory: bench.disk.directory, identity: "job", claims: bench.claims)
        #expect(throws: ExtractionError.cancelled) {
            _ = try extraction.run(progress: { _, _ in }, isCancelled: { true })
        }
        #expect(DiskFile.entries(bench.disk.directory.root) == ["x.tar"])
    }
}
