import RunnerJob
import Testing

@Suite struct LockFileTests {
    private static let hex = String(repeating: "ab", count: 32)

    private func entry(_ path: String, etag: String? = nil, date: String = "2026-11-30T05:00:00Z") throws
        -> LockFile.Entry
    {
        let digest = try #require(Digest.parse(Self.hex, algorithm: .sha256).first)
        return LockFile.Entry(
            path: ExactText(path), digest: digest, size: 12, url: "https://example.org/\(path)", etag: etag, date: date)
    }

    @Test func entriesComeInTheOrderOfTheirPaths() throws {
        let lock = LockFile([try entry("b"), try entry("a/z"), try entry("Z")])
        #expect(lock.entries.map(\.path.text) == ["Z", "a/z", "b"])
        #expect(lock.text == LockFile(lock.entries.reversed()).text)
    }

    @Test func aFileReadsBackAsItWasWritten() throws {
        var odd = try entry("odd \"name\" \\ ü ${x} # - a: b", etag: "W/\"1\"")
        odd.finalURL = "https://cdn.example.org/?token=***"
        odd.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let lock = LockFile([odd, try entry("plain")])
        let read = try LockParser.parse(Array(lock.text.utf8), name: "x.lock")
        #expect(read.text == lock.text)
        #expect(
            read.entries.map { [$0.path.text, $0.etag, $0.finalURL] }
                == lock.entries.map {
                    [$0.path.text, $0.etag, $0.finalURL]
                })
        #expect(read.entry(of: ExactText("plain"))?.size == 12)
        #expect(read.entry(of: ExactText("plain"))?.place.line == 12)
    }

    @Test func lineEndsOfWindowsDoNotMatter() throws {
        let lock = LockFile([try entry("a", etag: "\"1\""), try entry("b")])
        let text = lock.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(try LockParser.parse(Array(text.utf8), name: "x.lock").text == lock.text)
    }

    /// Wherever a lock file is cut, it is refused, or what it still has is as it was: no value is read by half.
    @Test func aCutFileSaysNothingElse() throws {
        let lock = LockFile([try entry("a", etag: "\"1\""), try entry("b")])
        let bytes = Array(lock.text.utf8)
        var read: Set<Int> = []
        for length in 0..<bytes.count {
            guard let cut = try? LockParser.parse(Array(bytes[..<length]), name: "x.lock") else { continue }
            #expect(zip(cut.entries, lock.entries).allSatisfy { $0.agrees(with: $1) && $0.date == $1.date })
            read.insert(cut.entries.count)
        }
        // Nothing is left of it, but for a whole entry, and for both without the last line end.
        #expect(read == [1, 2])
    }

    @Test func aJobWithoutDownloadsHasALockFileToo() throws {
        #expect(try LockParser.parse(Array(LockFile([]).text.utf8), name: "x.lock").entries.isEmpty)
    }

    @Test func theDateDoesNotCountAsADifference() throws {
        #expect(try entry("a").agrees(with: entry("a", date: "2027-01-01T00:00:00Z")))
        #expect(try !entry("a").agrees(with: entry("a", etag: "\"1\"")))
    }

    static let names = [
        ("jobs/nightly.yaml", "jobs/nightly.lock"), ("a.yml", "a.lock"), ("job", "job.lock"), ("x.json", "x.json.lock"),
    ]

    @Test(arguments: names)
    func theLockFileLiesBesideTheJob(_ job: String, _ lock: String) {
        #expect(LockFile.path(forJob: job) == lock)
    }

    private static let good = "to: a\n    sha256: \(hex)\n    size: 1\n    url: u\n    date: d"

    static let faults: [(String, String)] = [
        ("[]", "a lock file is a mapping"), ("version: 2\n", "version 1"), ("downloads: []\n", "version 1"),
        ("version: 1\ndownloads: a\n", "`downloads` wants a list"),
        ("version: 1\nother: 1\n", "unknown key `other` in the lock file"),
        ("version: 1\ndownloads:\n  - a\n", "an entry of `downloads` is a mapping"),
        ("version: 1\ndownloads:\n  - \(good)\n    mode: 1\n", "unknown key `mode` in an entry"),
        ("version: 1\ndownloads:\n  - to: a\n", "`sha256` is missing"),
        ("version: 1\ndownloads:\n  - \(good.replacing("ab", with: "a"))\n", "64 hexadecimal digits"),
        ("version: 1\ndownloads:\n  - \(good.replacing("size: 1", with: "size: -1"))\n", "whole number of bytes"),
        ("version: 1\ndownloads:\n  - \(good)\n  - \(good)\n", "is locked twice"),
        ("version: 1\n\tdownloads:", "tab"), ("", "the file is empty"), ("# only\n\n", "the file is empty"),
        ("version: 1\n", "`downloads` is missing"), ("version: 1\ndownloads:\n", "`downloads` wants a list"),
        ("version: 1\n<<<<<<< HEAD\ndownloads: []\n=======\n", "a merge conflict begins here"),
    ]

    @Test(arguments: faults)
    func aFaultHasItsPlace(_ text: String, _ message: String) {
        do throws(JobFaults) {
            _ = try LockParser.parse(Array(text.utf8), name: "x.lock")
            Issue.record("read: \(text)")
        } catch {
            #expect(error.diagnostics.contains { $0.message.contains(message) && $0.place != nil })
            #expect(error.sources.files.first?.name == "x.lock")
        }
    }
}
