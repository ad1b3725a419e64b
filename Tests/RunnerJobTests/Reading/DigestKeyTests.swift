import RunnerJob
import Testing

@Suite struct DigestKeyTests {
    private static let md5 = "900150983cd24fb0d6963f7d28e17f72"
    private static let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d"
    private static let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    private func digests(_ lines: String) throws -> [String] {
        let task = try #require(try JobText.parseTask(lines))
        return task.download.digests.map(\.description)
    }

    @Test(arguments: [
        ("sha256: \(sha256)", ["sha256:" + sha256]), ("digest: \(sha256)", ["sha256:" + sha256]),
        ("digest: [md5:\(md5), \(sha256)]", ["md5:" + md5, "sha256:" + sha256]),
        ("digest: \"md5:\(md5) \(sha256)\"", ["md5:" + md5, "sha256:" + sha256]),
        ("digest: [\(sha256), sha256=\(sha256)]", ["sha256:" + sha256]),
        ("sha1: 0123456789012345678901234567890123456789", ["sha1:0123456789012345678901234567890123456789"]),
        ("md5: 12345678e90123456789012345678901", ["md5:12345678e90123456789012345678901"]),
    ])
    func readsDigests(line: String, digests: [String]) throws {
        #expect(try self.digests(line) == digests)
    }

    @Test(arguments: DigestAlgorithm.ofJobs)
    func readsTheKeyOfEveryAlgorithm(algorithm: DigestAlgorithm) throws {
        let hex = String(repeating: "c3", count: algorithm.byteCount)
        #expect(try digests("\(algorithm.rawValue): \(hex)") == ["\(algorithm.rawValue):\(hex)"])
    }

    @Test func collectsDigestsOfSeveralKeys() throws {
        let task = try JobText.parseTask("md5: \(Self.md5)", "sha256: \(Self.sha256)")
        #expect(task?.download.digests.map(\.algorithm) == [.md5, .sha256])
    }

    @Test(arguments: [
        ("digest: {file: SHA256SUMS}", "path SHA256SUMS"), ("digest: {file: ./d//SUMS}", "path d/SUMS"),
        ("digest: {file: \"http://h/SUMS\"}", "url http://h/SUMS"), ("digest: {file: /jobs/SUMS}", "path SUMS"),
    ])
    func readsAReferenceToAList(line: String, source: String) throws {
        let list = try #require(try JobText.parseTask(line)?.download.checksumList)
        switch list.source {
        case .path(let path): #expect("path " + path.text == source)
        case .url(let url): #expect("url " + url.url.text == source)
        }
        #expect(list.place == Place(line: 4, column: 20))
    }

    @Test(arguments: [
        ("digest: {file: SUMS, sha256: \(sha256)}", ["sha256:" + sha256]),
        ("digest: {md5: \(md5), file: SUMS, digest: [\(sha256)]}", ["md5:" + md5, "sha256:" + sha256]),
        ("digest: {file: SUMS}", []),
    ])
    func aListMayHaveDigestsItself(line: String, digests: [String]) throws {
        let download = try #require(try JobText.parseTask(line)?.download)
        #expect(download.checksumList?.digests.map(\.description) == digests)
        #expect(download.digests.isEmpty)
        let check = try #require(try JobText.parse("version: 1\ntasks:\n  - check: a\n    \(line)\n").tasks.first)
        guard case .check(let check) = check.action else { return }
        #expect(check.checksumList?.digests.map(\.description) == digests)
    }

    @Test(arguments: [
        ("digest: {file: S, sha256: abc}", "4:31: a sha256 digest has 64 hexadecimal digits, this has 3"),
        (
            "digest: {sha256: \(sha256)}",
            "4:13: `digest` takes these beside `file` only, for the list itself; a file's own digest is a key of the task,"
                + " such as `sha256`"
        ),
        ("digest: SHA256SUMS", "4:13: this is no digest; a checksum list is named by `digest: {file: …}`"),
        ("digest: http://h/SUMS", "4:13: this is no digest; a checksum list is named by `digest: {file: …}`"),
        (
            "digest: 'sha256: \(sha256)'",
            "4:13: no blank may stand behind `sha256:`, between the name and the digits"
        ),
        ("digest: {file: S, sha266: \(sha256)}", "4:23: unknown key `sha266` in `digest`; did you mean `sha256`?"),
        ("sha256: \(sha256)  my-file.zip", "4:13: `my-file.zip` behind the digest is none; leave it out"),
        ("digest: \(sha256) *a", "4:13: `*a` behind the digest is none; leave it out"),
        (
            "digest: \(sha256) abc",
            "4:13: `abc` behind the digest is none; leave it out"
        ),
        ("sha256: abc", "4:13: a sha256 digest has 64 hexadecimal digits, this has 3"),
        ("sha1: sha256:\(sha256)", "4:11: this is a sha256 digest, but sha1 is wanted here"),
        ("digest: {}", "4:13: `digest` wants a digest, or `{file: SHA256SUMS}`"),
        ("digest: {fil: x}", "4:14: unknown key `fil` in `digest`; did you mean `file`?"),
        (
            "digest: {file: ../x}",
            "4:20: the path leaves the job's directory; write it without `..`, or as an absolute path"
        ),
        ("digest: {file: \"x://h\"}", "4:20: the scheme `x` cannot be fetched; http, https, ftp, sftp and file can"),
        ("sha256:", "4:12: `sha256` has no value; write a text behind it"),
        ("sha256: \"\"", "4:13: the digest is missing; write it in hexadecimal digits, such as sha256:3f5a…"),
    ])
    func refusesTheRest(line: String, fault: String) {
        #expect(JobText.faults(JobText.task(line)) == [fault])
    }

    @Test func refusesTwoDifferentDigestsOfOneKind() throws {
        let text = JobText.task("sha256: \(Self.sha256)", "digest: sha256:\(String(repeating: "0", count: 64))")
        let faults = #expect(throws: JobFaults.self) { _ = try JobText.parse(text) }
        #expect(faults?.diagnostics.map(\.message) == ["two different sha256 digests for one file"])
        #expect(faults?.diagnostics.first?.place == Place(line: 5, column: 13))
        #expect(faults?.diagnostics.first?.notes.map(\.place) == [Place(line: 4, column: 13)])
    }

    @Test(arguments: [
        ("sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", ["sha256"]),
        ("sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n    size: 0", []),
        ("digest: [md5:d41d8cd98f00b204e9800998ecf8427e, \(sha256)]", ["md5"]), ("sha256: \(sha256)", []),
    ])
    func warnsOfTheDigestOfNothing(lines: String, names: [String]) throws {
        let warnings = try JobText.parse(JobText.task(lines)).warnings
        #expect(
            warnings.map(\.message)
                == names.map { "this is the \($0) digest of an empty file; write `size: 0` if that is meant" })
    }

    @Test(arguments: [
        ("md5: \(md5)", ["md5"]), ("sha1: \(sha1)", ["sha1"]), ("digest: [\(md5), \(sha1)]", ["md5 and sha1"]),
        ("digest: [\(md5), \(sha256)]", []), ("sha256: \(sha256)", []), ("size: 3", []),
    ])
    func warnsOfWeakDigestsAlone(line: String, names: [String]) throws {
        let warnings = try JobText.parse(JobText.task(line)).warnings
        #expect(
            warnings.map(\.message)
                == names.map { "\($0) alone guards against accidents, not against forgery; give sha256 where you can" })
        #expect(warnings.allSatisfy { $0.severity == .warning && $0.place?.line == 4 })
    }
}
