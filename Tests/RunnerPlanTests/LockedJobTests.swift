import RunnerJob
import RunnerPlan
import Testing

@Suite struct LockedJobTests {
    private static let pin = String(repeating: "0a", count: 32)
    private static let other = String(repeating: "0b", count: 32)

    private func job(_ tasks: String) throws -> Job {
        let text = "version: 1\ntasks:\n\(tasks)\n"
        return try JobParser.parse(
            JobInput(file: "job.yaml", bytes: Array(text.utf8), folder: "/job", clock: .utc(now: 0)))
    }

    private func locked(_ tasks: String, _ paths: [String] = ["a"], url: String = "https://example.org/a") throws
        -> LockedJob
    {
        let digest = try #require(Digest.parse(Self.pin, algorithm: .sha256).first)
        let entries = paths.map {
            LockFile.Entry(path: ExactText($0), digest: digest, size: 12, url: url, date: "2026-11-30T05:00:00Z")
        }
        return LockedJob(try job(tasks), lock: LockFile(entries), redactor: Redactor())
    }

    private func download(_ locked: LockedJob) throws -> Download {
        guard case .download(let download) = try #require(locked.job.tasks.first).action else { throw Missing() }
        return download
    }

    private struct Missing: Error {}

    @Test func everyDownloadGetsTheDigestAndTheSizeOfItsEntry() throws {
        let locked = try locked("  - {download: 'https://example.org/a', exists: keep}")
        #expect(locked.drifts.isEmpty)
        #expect(locked.job.warnings.isEmpty)
        let download = try download(locked)
        #expect(download.digests.map(\.hex) == [Self.pin])
        #expect(download.size == 12)
        #expect(download.exists == .verify)
    }

    @Test func theJobsOwnDigestsStay() throws {
        let digests = "sha256: \(Self.pin), md5: \(Self.pin.prefix(32))"
        let locked = try locked("  - {download: 'https://example.org/a', \(digests)}")
        #expect(locked.drifts.isEmpty)
        #expect(try download(locked).digests.count == 2)
    }

    @Test func theLockFileStandsForAChecksumList() throws {
        let locked = try locked("  - {download: 'https://example.org/a', digest: {file: 'https://example.org/S'}}")
        #expect(locked.drifts.isEmpty)
        #expect(try download(locked).digests.map(\.hex) == [Self.pin])
        #expect(try Planner.plan(locked.job, disk: FakeDisk()).tasks.count == 1)
    }

    @Test func whatTheLockDoesNotKnowIsADrift() throws {
        let locked = try locked("  - 'https://example.org/a'\n  - 'https://example.org/b'", ["a", "c"])
        #expect(locked.drifts.map(\.path.text) == ["b", "c"])
        #expect(locked.drifts.map(\.kind) == [.notLocked, .notInJob])
        #expect(locked.drifts.map { $0.place?.line } == [4, nil])
    }

    @Test func anotherPinInTheJobIsADrift() throws {
        let locked = try locked("  - {download: 'https://example.org/a', sha256: \(Self.other), size: 13}")
        #expect(locked.drifts.count == 2)
        guard case .digest(let own, let pin) = locked.drifts.first?.kind else {
            Issue.record("no digest")
            return
        }
        #expect(own.hex == Self.other)
        #expect(pin.hex == Self.pin)
        #expect(locked.drifts.last?.kind == .size(job: 13, locked: 12))
    }

    @Test func anotherURLWithTheSamePinIsWarnedOf() throws {
        let locked = try locked("  - 'https://example.net/a'")
        #expect(locked.drifts.isEmpty)
        #expect(locked.job.warnings.first?.message.contains("https://example.org/a") == true)
        #expect(locked.job.warnings.first?.place?.line == 3)
    }

    @Test func aMaskedURLIsTheSame() throws {
        let locked = try locked(
            "  - {download: 'https://example.org/a?token=secret', to: a}", url: "https://example.org/a?token=***")
        #expect(locked.job.warnings.isEmpty)
    }
}
