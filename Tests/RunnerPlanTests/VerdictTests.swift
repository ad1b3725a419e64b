import RunnerJob
import RunnerPlan
import Testing

@Suite("Verdicts without a ledger")
struct VerdictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var task: JobTask
        var there: FileState?
        var verdict: Verdict
        var reason: Reason
        var bytes: Int64?
        var testDescription: String { "\(verdict) \(reason)" }

        init(_ task: JobTask, _ there: FileState?, _ verdict: Verdict, _ reason: Reason, _ bytes: Int64? = nil) {
            self.task = task
            self.there = there
            self.verdict = verdict
            self.reason = reason
            self.bytes = bytes
        }
    }

    static let file = FileState(kind: .file, size: 10)
    static let folder = FileState(kind: .folder, size: 4096)
    static let link = FileState(kind: .link, size: 3)
    static let device = FileState(kind: .other, size: 0)

    @Test(arguments: [
        Case(task("a"), nil, .fetch, .notOnDisk),
        Case(task("a", digest: true, size: 12), nil, .fetch, .notOnDisk, 12),
        Case(task("a", exists: .keep), nil, .fetch, .notOnDisk),
        Case(task("a", exists: .fail), nil, .fetch, .notOnDisk),
        Case(task("a", exists: .keep), file, .upToDate, .keepAsked),
        Case(task("a", size: 99, exists: .keep), file, .upToDate, .keepAsked),
        Case(task("a", exists: .keep), link, .upToDate, .keepAsked),
        Case(task("a", digest: true, size: 10, exists: .replace), file, .fetch, .replaceAsked, 10),
        Case(task("a", exists: .fail), file, .fetch, .existsAndMustNot),
        Case(task("a", exists: .fail), link, .fetch, .existsAndMustNot),
        Case(task("a", digest: true, size: 12), file, .fetch, .sizeDiffers(onDisk: 10, wanted: 12), 12),
        Case(task("a", size: 0), file, .fetch, .sizeDiffers(onDisk: 10, wanted: 0), 0),
        Case(task("a", digest: true), file, .verify, .digestToCheck(onDisk: 10), 10),
        Case(task("a", digest: true, size: 10), file, .verify, .digestToCheck(onDisk: 10), 10),
        Case(task("a", list: "https://example.org/S"), file, .verify, .listToRead(onDisk: 10), 10),
        Case(task("a"), file, .fetch, .nothingToCompare(onDisk: 10)),
        Case(task("a", size: 10), file, .fetch, .nothingToCompare(onDisk: 10), 10),
        Case(task("a", digest: true), link, .fetch, .symbolicLink),
        Case(task("a", digest: true), folder, .fetch, .notAFile),
        Case(task("a", exists: .keep), folder, .fetch, .notAFile),
        Case(task("a", exists: .replace), device, .fetch, .notAFile),
    ])
    func verdict(_ test: Case) throws {
        var disk = FakeDisk()
        disk.files["a"] = test.there
        let planned = try Planner.plan(job([test.task]), disk: disk).tasks[0]
        #expect(planned.verdict == test.verdict)
        #expect(planned.reason == test.reason)
        #expect(planned.bytes == test.bytes)
    }
}
