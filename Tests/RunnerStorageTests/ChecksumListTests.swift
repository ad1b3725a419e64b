import RunnerJob
import RunnerStorage
import Testing

@Suite struct ChecksumListTests {
    /// Digests of the text `data`.
    private static let sha256 = "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7"
    private static let base64 = "Om6weQ85rIfJTzhWst0sXREOaBFgImGpqSPTuyOtyLc="
    private static let md5 = "8d777f385d3dfec8815d20f7496026dc"
    private static let other = "0000000000000000000000000000000000000000000000000000000000000000"

    private func digests(_ list: String, _ name: String = "f", listName: String = "") throws -> [String] {
        try ChecksumList(Array(list.utf8), name: listName).digests(for: at(name)).map(\.description)
    }

    /// A list in which the name stands for the file, and the name.
    static let forms: [(list: String, name: String)] = [
        ("\(sha256)  f\n", "f"),
        ("\(sha256)  f", "f"),
        ("\(sha256) *f\n", "f"),
        ("\(sha256) f\n", "f"),
        ("\(sha256)\tf\n", "f"),
        ("  \(sha256)  f\n", "f"),
        ("\(sha256.uppercased())  f\n", "f"),
        ("\(sha256)  f\r\n", "f"),
        ("\u{feff}\(sha256)  f\n", "f"),
        ("\(sha256)   leading blank\n", " leading blank"),
        ("\(sha256)  *star\n", "*star"),
        ("\(sha256)  trailing blank \n", "trailing blank "),
        ("\(sha256)  ./f\n", "f"),
        ("\(sha256)  ./a//b/./f\n", "a/b/f"),
        ("\\\(sha256)  back\\\\slash\\nand\\rline\n", "back\\slash\nand\rline"),
        ("\(sha256)  un\\nescaped\n", "un\\nescaped"),
        ("\(sha256)  größe\n", "größe"),
        ("\(base64)  f\n", "f"),
        ("sha256:\(sha256)  f\n", "f"),
        ("SHA-256:\(base64) *f\n", "f"),
        ("SHA256 (f) = \(sha256)\n", "f"),
        ("SHA256 (f) = \(sha256.uppercased())\r\n", "f"),
        ("SHA256 (a (f) = b) = \(sha256)\n", "a (f) = b"),
        ("SHA256 (f) = \(base64)\n", "f"),
        ("SHA256(f)= \(sha256)\n", "f"),
        ("SHA2-256(f)= \(sha256)\n", "f"),
        ("sha-256 (f) = \(sha256)\n", "f"),
        ("\\SHA256 (a\\nb) = \(sha256)\n", "a\nb"),
        ("# \(other)  f\n\n; note\n\(other)  g\n\(sha256)  f\n", "f"),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n\(sha256)  f\n", "f"),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n- \(sha256)  f\n", "f"),
        ("- \(sha256)  -x-\n", "-x-"),
        ("\(sha256)  f\n\(sha256)  f\n", "f"),
        ("\(other)  f.asc\n\(other)  not-f\n\(sha256)  f\n", "f"),
        (sha256, "anything"),
        ("\(sha256)\n", "anything"),
        ("\(sha256)  -\n", "anything"),
        // OpenSSL of what a pipe gave, and a digest as in Subresource Integrity.
        ("(stdin)= \(sha256)\n", "anything"), ("SHA256(stdin)= \(sha256)\n", "anything"),
        ("SHA2-256(stdin)= \(sha256)\n", "anything"), ("SHA256 (stdin) = \(sha256)\n", "stdin"),
        ("sha256-\(base64)\n", "anything"), ("sha256-\(base64)  f\n", "f"),
        // gpg --print-md and --print-mds.
        ("f: \(grouped)\n", "f"), ("f: \(grouped)\r\n", "f"), ("\(grouped)\n", "anything"),
        ("dir/a b: \(grouped)", "a b"),
        ("a:b: \(groupedLines)\n", "a:b"), ("f: \(groupedLines)\r\n", "f"), ("\(groupedLines)\n", "anything"),
        ("f: \n\(groupedLines)\n", "f"), ("f: SHA256 = \(groupedLines)\n", "f"),
        ("f: RMD160 = CD43 325B\n            0000\nf: SHA256 = \(grouped)\ng: SHA256 = \(other)\n", "f"),
        ("Note:\n\(sha256)\n", "anything"), ("Note:\n\(sha256)  f\n", "f"),
        // Debian's Release and source control files.
        ("Origin: Debian\nSHA256:\n \(other)     1 g\n \(sha256)       4 main/f\nAcquire-By-Hash: yes\n", "main/f"),
        ("Checksums-Sha256:\n \(sha256) 4 f\nPackage-List:\n f deb\n", "f"),
    ]

    /// The digest as GnuPG writes it, in one line and in two.
    private static let grouped = "3A6EB079 0F39AC87 C94F3856 B2DD2C5D 110E6811 602261A9 A923D3BB 23ADC8B7"
    private static let groupedLines = "3A6EB079 0F39AC87 C94F3856 B2DD2C5D 110E6811\n   602261A9 A923D3BB 23ADC8B7"

    @Test func aSectionHasItsOwnAlgorithm() throws {
        let list = "MD5Sum:\n \(Self.md5) 4 f\nSHA256:\n \(Self.sha256) 4 f\nFiles:\n \(Self.md5) 4 net optional g\n"
        #expect(try digests(list) == ["md5:" + Self.md5, "sha256:" + Self.sha256])
        #expect(try digests(list, "g") == ["md5:" + Self.md5])
    }

    /// Five groups of a longer digest are as long as one of SHA-1.
    @Test func aDigestInGroupsIsReadToItsEnd() throws {
        let line = "77C7CE9A 5D86BB38 6D443BB9 6390FAA1 20633158\n"
        let end =
            "   699C8844 C30B13AB 0BF92760 B7E4416A EA397DB9\n   1B4AC0E5 DD56B8EF 7E4B0661 62AB1FDC 088319CE\n   6DEFC876\n"
        #expect(try digests("f: " + line + end).first?.hasPrefix("sha512:77c7ce9a5d86bb38") == true)
        #expect(try digests("f: " + line + end + "\(Self.sha256)  g\n", "g") == ["sha256:" + Self.sha256])
        #expect(throws: ChecksumListError.self) { try digests("f: " + line + "   699C8844\n") }
    }

    @Test(arguments: forms) func readsEveryForm(_ list: String, _ name: String) throws {
        #expect(try digests(list, name) == ["sha256:" + Self.sha256])
    }

    static let tags: [(String, DigestAlgorithm)] = [
        ("MD5", .md5), ("SHA1", .sha1), ("SHA224", .sha224), ("SHA-384", .sha384), ("SHA512", .sha512),
        ("SHA512/256", .sha512_256), ("SHA2-512/256", .sha512_256), ("SHA512-256", .sha512_256),
        ("SHA3-256", .sha3_256), ("SHA3-384", .sha3_384), ("SHA3-512", .sha3_512), ("BLAKE2b", .blake2b),
        ("BLAKE2B-512", .blake2b), ("BLAKE2S-256", .blake2s),
    ]

    @Test(arguments: tags) func knowsTheTag(_ tag: String, _ algorithm: DigestAlgorithm) throws {
        let digest = try DigestSet.digest(of: Array("data".utf8), by: algorithm)
        #expect(try digests("\(tag) (f) = \(digest.hex)\n") == [digest.description])
    }

    static let names: [(String, DigestAlgorithm)] = [
        ("SHA512SUMS", .sha512), ("", .md5), ("x.sha1", .sha1), ("SHA224SUMS", .sha224), ("SHA384SUMS", .sha384),
        ("B2SUMS", .blake2b), ("file.b2", .blake2b), ("BLAKE2b", .blake2b), ("x.blake2s", .blake2s),
        ("3cf44b8ae98b2f62-SHA256SUMS", .sha256), ("b2f44b8ae9812f62-SHA512SUMS", .sha512), ("x-1.0.b2sums", .blake2b),
        ("SHA3-256SUMS", .sha3_256), ("sha3-512.txt", .sha3_512), ("x.sha512-256", .sha512_256),
    ]

    @Test(arguments: names) func tellsAlgorithmsOfOneLengthByTheListsName(
        _ name: String, _ algorithm: DigestAlgorithm
    ) throws {
        let digest = try DigestSet.digest(of: Array("data".utf8), by: algorithm)
        #expect(try digests("\(digest.hex)  f\n", listName: name) == [digest.description])
    }

    @Test func givesOneDigestForEachAlgorithm() throws {
        let list = "MD5 (f) = \(Self.md5)\nSHA256 (f) = \(Self.sha256)\nMD5 (f) = \(Self.md5)\n"
        #expect(try digests(list) == ["md5:" + Self.md5, "sha256:" + Self.sha256])
    }

    /// What belongs to a path when several names could.
    static let matches: [(list: String, path: String)] = [
        ("\(other)  f\n\(sha256)  a/f\n", "a/f"),
        ("\(sha256)  dist/f\n", "downloads/f"),
        ("\(sha256)  amd64/f\n\(other)  arm64/f\n", "downloads/amd64/f"),
        ("\(sha256)  x/amd64/f\n\(other)  amd64/f\n", "downloads/x/amd64/f"),
        ("\(sha256)  /abs/f\n", "f"),
    ]

    @Test(arguments: matches) func prefersTheNearestName(_ list: String, _ path: String) throws {
        #expect(try digests(list, path) == ["sha256:" + Self.sha256])
    }

    @Test(arguments: [
        ("a.tar.gz", "bin/tool", "a.tar.gz"), ("./dist/a.tar.gz", "bin/tool", "a.tar.gz"),
        ("tool", "bin/tool", "a.tar.gz"),
    ])
    func knowsTheNameThatTheFileHad(_ listed: String, _ path: String, _ source: String) throws {
        let list = try ChecksumList(Array("\(Self.sha256)  \(listed)\n".utf8))
        #expect(try list.digests(for: at(path), from: source).map(\.description) == ["sha256:" + Self.sha256])
        let error = #expect(throws: ChecksumListError.self) { try list.digests(for: at("x"), from: "y") }
        guard case .noEntry("x", 1, _, []) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Lists of a tree often have one name in many folders, and the file is kept without them.
    @Test func theFoldersOfTheURLTellNamesakesApart() throws {
        let text = "\(Self.other)  ./netboot/gtk/mini.iso\n\(Self.sha256)  ./netboot/mini.iso\n"
        let list = try ChecksumList(Array(text.utf8))
        func digest(_ path: String, _ source: String) throws -> [String] {
            try list.digests(for: at(path), from: source).map(\.description)
        }
        #expect(try digest("mini.iso", "images/netboot/mini.iso") == ["sha256:" + Self.sha256])
        #expect(try digest("iso/mini.iso", "images/netboot/gtk/mini.iso") == ["sha256:" + Self.other])
        // The path of the job goes first.
        #expect(try digest("netboot/mini.iso", "netboot/gtk/mini.iso") == ["sha256:" + Self.sha256])
        #expect(throws: ChecksumListError.self) { try digest("mini.iso", "elsewhere/mini.iso") }
    }

    /// As many files as a large mirror has, each looked up in the same list.
    @Test(.timeLimit(.minutes(1))) func findsManyFilesInALongList() throws {
        let count = 5000
        let digits = (0..<count).map { number in
            let hex = String(number, radix: 16)
            return String(repeating: "0", count: 64 - hex.count) + hex
        }
        let text = digits.enumerated().map { "\($1)  ./d\($0 % 7)/file-\($0).bin\n" }.joined()
        let list = try ChecksumList(Array(text.utf8))
        let wrong = try (0..<count).filter { number in
            try list.digests(for: at("mirror/d\(number % 7)/file-\(number).bin")).map(\.hex) != [digits[number]]
        }
        #expect(wrong.isEmpty)
    }

    @Test func comparesNamesByteForByte() throws {
        #expect(throws: ChecksumListError.self) { try digests("\(Self.sha256)  e\u{301}\n", "\u{e9}") }
    }
}
