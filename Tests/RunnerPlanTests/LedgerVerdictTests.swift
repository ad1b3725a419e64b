import RunnerJob
import RunnerPlan
import Testing

@Suite("Verdicts with a ledger")
struct LedgerVerdictTests {
    private static let there = FileState(kind: .file, size: 10, modified: 5, changed: 6, inode: 7, device: 8)
    private static let digest = "md5:00000000000000000000000000000000"
    private static let published: Int64 = 1_764_000_000

    /// What the ledger says of a file that is as it was put in place.
    private static func record(_ change: (inout PublishedRecord) -> Void = { _ in }) -> PublishedRecord {
        var record = PublishedRecord(
            size: 10, modified: 5, changed: 6, inode: 7, digests: RecordedDigests(digest),
            sourceKey: SourceKey.of(url("https://example.org/a", at: Place(line: 1, column: 1)), .standard),
            etag: "\"e\"", lastModified: "Tue, 01 Dec 2026 00:00:00 GMT", published: published)
        change(&record)
        return record
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var task: JobTask
        var record: PublishedRecord?
        var there: FileState?
        var part: PartOnDisk?
        var rehash: Bool
        var verdict: Verdict
        var reason: Reason
        var bytes: Int64?
        var testDescription: String { name }

        init(
            _ name: String, _ task: JobTask, _ record: PublishedRecord?, there: FileState? = LedgerVerdictTests.there,
            part: PartOnDisk? = nil, rehash: Bool = false, _ verdict: Verdict, _ reason: Reason, _ bytes: Int64? = nil
        ) {
            self.name = name
            self.task = task
            self.record = record
            self.there = there
            self.part = part
            self.rehash = rehash
            self.verdict = verdict
            self.reason = reason
            self.bytes = bytes
        }
    }

    private static let withDigest = task("a", digest: true)
    private static let without = task("a")

    static let digestCases = [
        Case("as recorded", withDigest, record(), .upToDate, .asRecorded(since: published)),
        Case("on another device number", withDigest, record { _ in }, .upToDate, .asRecorded(since: published)),
        Case(
            "other size", withDigest, record { $0.size = 11 }, .verify, .changedSince(published, onDisk: 10), 10),
        Case(
            "other mtime", withDigest, record { $0.modified = 0 }, .verify, .changedSince(published, onDisk: 10), 10),
        Case(
            "other ctime", withDigest, record { $0.changed = 0 }, .verify, .changedSince(published, onDisk: 10), 10),
        Case("other inode", withDigest, record { $0.inode = 0 }, .verify, .changedSince(published, onDisk: 10), 10),
        Case("not synced", withDigest, record { $0.isTrusted = false }, .verify, .notSynced(onDisk: 10), 10),
        Case(
            "no such digest", withDigest, record { $0.digests = RecordedDigests("sha1:00") }, .verify,
            .digestNotRecorded(onDisk: 10), 10),
        Case(
            "another digest", withDigest, record { $0.digests = RecordedDigests("md5:01") }, .fetch,
            .otherDigestRecorded),
        Case("not in the ledger", withDigest, nil, .verify, .digestToCheck(onDisk: 10), 10),
        Case("rehash", withDigest, record(), rehash: true, .verify, .rehashAsked(onDisk: 10), 10),
        Case(
            "other size asked", task("a", digest: true, size: 12), record(), .fetch,
            .sizeDiffers(onDisk: 10, wanted: 12), 12),
        Case(
            "digest and list", task("a", list: "https://example.org/S", digest: true), record(), .verify,
            .listToRead(onDisk: 10), 10),
        Case("kept", task("a", exists: .keep), record { $0.size = 1 }, .upToDate, .keepAsked),
        Case("gone", withDigest, record(), there: nil, .fetch, .notOnDisk),
    ]

    static let validatorCases = [
        Case("entity tag", without, record(), .revalidate, .entityTagToAsk("\"e\"")),
        Case(
            "date", without, record { $0.etag = nil }, .revalidate, .dateToAsk("Tue, 01 Dec 2026 00:00:00 GMT")),
        Case(
            "touched", without, record { $0.changed = 0 }, .fetch, .changedSince(published, onDisk: 10)),
        Case("not synced", without, record { $0.isTrusted = false }, .fetch, .notSynced(onDisk: 10)),
        Case(
            "no validators", without,
            record {
                $0.etag = nil
                $0.lastModified = nil
            }, .fetch, .noValidator),
        Case("another source", without, record { $0.sourceKey = 1 }, .fetch, .sourceChanged),
        Case("rehash", without, record(), rehash: true, .fetch, .rehashAsked(onDisk: 10)),
        Case("not in the ledger", without, nil, .fetch, .nothingToCompare(onDisk: 10)),
        Case("list", task("a", list: "https://example.org/S"), record(), .verify, .listToRead(onDisk: 10), 10),
        Case("gone", without, record(), there: nil, .fetch, .notOnDisk),
    ]

    private static let part = PartOnDisk(bytes: 4, total: 10, validator: "\"v\"")
    private static let resumed = Reason.partOnDisk(at: 4, validator: "\"v\"")

    static let partCases = [
        Case("nothing there", without, nil, there: nil, part: part, .resume, resumed, 6),
        Case("size of the job", task("a", size: 12), nil, there: nil, part: part, .resume, resumed, 8),
        Case(
            "unknown size", without, nil, there: nil, part: PartOnDisk(bytes: 4), .resume,
            .partOnDisk(at: 4, validator: nil)),
        Case(
            "longer than wanted", task("a", size: 3), nil, there: nil, part: part, .resume, resumed, 0),
        Case("empty", without, nil, there: nil, part: PartOnDisk(bytes: 0), .fetch, .notOnDisk),
        Case("replaces", task("a", exists: .replace), record(), part: part, .resume, resumed, 6),
        Case("must not be there", task("a", exists: .fail), nil, part: part, .fetch, .existsAndMustNot),
        Case(
            "not a file", without, nil, there: FileState(kind: .folder, size: 0), part: part, .fetch, .notAFile),
        Case("file to be compared first", withDigest, nil, part: part, .verify, .digestToCheck(onDisk: 10), 10),
    ]

    @Test(arguments: digestCases + validatorCases + partCases)
    func verdict(_ test: Case) throws {
        var disk = FakeDisk()
        disk.files["a"] = test.there
        disk.records["a"] = test.record
        disk.parts["a"] = test.part
        let planned = try Planner.plan(job([test.task]), disk: disk, rehash: test.rehash).tasks[0]
        #expect(planned.verdict == test.verdict)
        #expect(planned.reason == test.reason)
        #expect(planned.bytes == test.bytes)
        #expect((planned.validators != nil) == (test.verdict == .revalidate))
    }

    @Test func theSourceThatTheFileCameFromIsAsked() throws {
        var task = task("a")
        guard case .download(var download) = task.action else { return }
        let mirror = url("https://mirror.example.org/a", at: Place(line: 1, column: 1))
        download.sources.append(mirror)
        task.action = .download(download)
        var disk = FakeDisk()
        disk.files["a"] = Self.there
        disk.records["a"] = Self.record { $0.sourceKey = SourceKey.of(mirror, .standard) }
        let planned = try Planner.plan(job([task]), disk: disk).tasks[0]
        #expect(
            planned.validators
                == RevalidationValidators(source: 1, etag: "\"e\"", lastModified: "Tue, 01 Dec 2026 00:00:00 GMT"))
    }

    @Test func aSourceIsToldApartByQueryAndHeadersButNotByCredentials() {
        let place = Place(line: 1, column: 1)
        func key(_ text: String, _ headers: HeaderField...) -> Int64 {
            SourceKey.of(url(text, at: place), RequestSettings.standard.changing { $0.headers = headers })
        }
        let plain = key("https://example.org/a")
        #expect(key("https://example.org/a?v=2") != plain)
        #expect(key("https://example.org/a", HeaderField(name: "Accept", value: "b", isCredential: false)) != plain)
        #expect(key("https://example.org/a", HeaderField(name: "Cookie", value: "b", isCredential: true)) == plain)
        #expect(
            key("https://example.org/a", HeaderField(name: "accept", value: "b", isCredential: false))
                == key("https://example.org/a", HeaderField(name: "Accept", value: "b", isCredential: false)))
    }

    @Test(
        arguments: [
            ("", nil), ("md5:00112233445566778899aabbccddeeff", true), ("md5:10112233445566778899aabbccddeeff", false),
            ("md5:00112233445566778899AABBCCDDEEFF", false), ("md5:0011", false), ("md5:", false), ("md5", false),
            ("sha1:00 md5:00112233445566778899aabbccddeeff", true), ("md55:00112233445566778899aabbccddeeff", nil),
        ] as [(String, Bool?)])
    func recordedDigestsAreCompared(_ text: String, _ result: Bool?) throws {
        let bytes: [UInt8] = (0..<16).map { UInt8($0 * 0x11) }
        let digest = try #require(Digest(.md5, bytes: bytes))
        #expect(RecordedDigests(text).agrees(with: digest) == result)
    }

    @Test func recordedDigestsAreWrittenInOneOrder() throws {
        let md5 = try #require(Digest(.md5, bytes: Array(repeating: 1, count: 16)))
        let sha1 = try #require(Digest(.sha1, bytes: Array(repeating: 2, count: 20)))
        let recorded = RecordedDigests([sha1, md5])
        #expect(recorded == RecordedDigests([md5, sha1]))
        #expect(recorded.agrees(with: md5) == true && recorded.agrees(with: sha1) == true)
    }

    @Test func aFileIsProvedByAllDigestsTogether() throws {
        let md5 = try #require(Digest(.md5, bytes: Array(repeating: 0, count: 16)))
        let sha1 = try #require(Digest(.sha1, bytes: Array(repeating: 0, count: 20)))
        #expect(Self.record().proves([md5], of: Self.there))
        #expect(!Self.record().proves([md5, sha1], of: Self.there))
        #expect(!Self.record().proves([], of: Self.there))
        #expect(!Self.record { $0.isTrusted = false }.proves([md5], of: Self.there))
        #expect(!Self.record { $0.size = 1 }.proves([md5], of: Self.there))
    }
}
