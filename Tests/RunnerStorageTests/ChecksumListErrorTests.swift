import RunnerJob
import RunnerStorage
import Testing

/// A list that gives no digest is an error, never a file that passes unchecked.
@Suite struct ChecksumListErrorTests {
    private static let sha256 = "3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7"
    private static let other = String(repeating: "0", count: 64)

    private func error(_ bytes: [UInt8], _ name: String = "f") -> ChecksumListError? {
        #expect(throws: ChecksumListError.self) { try ChecksumList(bytes).digests(for: at(name)) }
    }

    private func error(_ list: String, _ name: String = "f") -> ChecksumListError? {
        error(Array(list.utf8), name)
    }

    @Test func tellsAnEmptyList() {
        #expect(error("") == .empty)
    }

    @Test(arguments: [[UInt8](arrayLiteral: 0xff, 0xfe), [0xfe, 0xff]]) func tellsUTF16(_ mark: [UInt8]) {
        #expect(error(mark + Self.sha256.utf8.flatMap { [$0, 0] }) == .utf16)
    }

    @Test func tellsAPageInPlaceOfTheList() {
        #expect(error("<html><title>Not found</title>") == .page(title: "Not found"))
    }

    /// Lists without a single entry.
    static let broken = [
        "\(sha256.dropLast(2))  f\n", "\(sha256.dropLast())g  f\n", "\(sha256)0  f\n", "some text\n", "\n\n",
        "# \(sha256)  f\n", "SHA256 (f) = Om6weQ85rIfJTzhWst0sXREOaBFgImGpqSPTuyOtyLc\n",
        "SHA256 (f) = Om6weQ85rIfJTzhWst0sXREOaBFgImGpqSPTuyOtyLd=\n", "SHA256 (f) \(sha256)\n",
        "SHA256 (f) = 8d777f385d3dfec8815d20f7496026dc\n", "CRC32 (f) = \(sha256)\n", "SHA256 f) = \(sha256)\n",
        "\\\(sha256)  bad\\escape\n", "\\\(sha256)  f\\\n", ")(SHA256 = \(sha256)\n", "=\n", "====\n", "SHA256 () =\n",
    ]

    @Test(arguments: broken) func tellsAListWithoutEntries(_ list: String) {
        guard case .noEntries(let text) = error(list) else {
            Issue.record("\(String(describing: error(list)))")
            return
        }
        #expect(text.unicodeScalars.count <= 80)
    }

    @Test func tellsAFileThatIsNotListed() {
        #expect(
            error("\(Self.sha256)  f.asc\njunk\n\(Self.sha256)  not-f\n")
                == .noEntry(name: "f", entries: 2, first: ["f.asc", "not-f"], unreadableLines: [2]))
    }

    @Test func doesNotTakeAnUnnamedDigestFromAmongOthers() {
        #expect(
            error("\(Self.sha256)  -\n\(Self.other)  g\n")
                == .noEntry(name: "f", entries: 2, first: ["g"], unreadableLines: []))
        #expect(
            error("\(Self.sha256)\n\(Self.other)\n")
                == .noEntry(name: "f", entries: 2, first: [], unreadableLines: []))
    }

    @Test(arguments: [("f", "f", "f"), ("a/f", "b/f", "f"), ("f", "dist/f", "x/f")])
    func tellsEntriesThatDiffer(_ one: String, _ two: String, _ path: String) throws {
        let first = try #require(Digest(.sha256, bytes: [UInt8](repeating: 0x11, count: 32)))
        let second = try #require(Digest(.sha256, bytes: [UInt8](repeating: 0x22, count: 32)))
        #expect(
            error("\(first.hex)  \(one)\n\(second.hex)  \(two)\n", path)
                == .contradiction(name: path, first, second))
    }

    @Test func isOfTheClassOfDigests() {
        #expect(ChecksumListError.empty.faultClass == .integrity)
    }
}
