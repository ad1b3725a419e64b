import TestSupport
import Testing

@Suite("Golden texts")
struct NormalTests {
    @Test(arguments: [
        ("http://127.0.0.1:41234/a", "http://127.0.0.1:PORT/a"),
        ("[::1]:80 localhost:9", "[::1]:PORT localhost:PORT"),
        ("at 2026-11-30T04:05:06.789Z", "at TIME"),
        ("daily/2026-11-30/a", "daily/DATE/a"),
        ("in 1.5 s or 20ms", "in DURATION or DURATION"),
        ("4 sources", "4 sources"),
        ("/tmp/x.1/out/file", "FOLDER/out/file"),
    ])
    func replacesWhatDiffersBetweenRuns(_ text: String, _ wanted: String) {
        #expect(Normal.text(text, replacing: ["/tmp/x.1": "FOLDER"]) == wanted)
    }

    @Test func readsTheGoldenFile() throws {
        try expectGolden("first\nsecond\n", "two-lines.txt")
    }

    @Test func showsTheFirstLineThatDiffers() throws {
        try withKnownIssue {
            try expectGolden("first\nother\n", "two-lines.txt")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("line 2: wanted \"second\", found \"other\"") }
        }
    }

    @Test func refusesAGoldenFileThatIsNotThere() throws {
        try withKnownIssue {
            try expectGolden("text", "missing.txt")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("RUNNER_RECORD=1") }
        }
    }

    @Test func givesTheSamePatternInPiecesAndWhole() {
        let content = Content.pattern(count: 200_000, seed: 3)
        let whole = content.allBytes
        #expect(content.read(from: 65_530, count: 20) == Array(whole[65_530..<65_550]))
        #expect(content.read(from: 199_990, count: 50) == Array(whole[199_990...]))
        #expect(whole[0..<65_536] != whole[65_536..<131_072])
        #expect(Content.pattern(count: 200_000, seed: 4).allBytes != whole)
    }

    @Test func knowsItsDigest() {
        #expect(
            Content.text("abc").sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
