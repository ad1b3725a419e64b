import RunnerJob
import Testing

@Suite("Kinds of tasks in a job file") struct TaskKindTests {
    private func faults(_ task: String) -> [String] {
        JobText.faults("version: 1\ntasks:\n- \(task)\n")
    }

    @Test func aCheckSaysWhatAFileIs() throws {
        let job = try JobText.parse(
            """
            version: 1
            tasks:
            - check: out//a.zip
              sha256: \(String(repeating: "ab", count: 32))
              digest: {file: SUMS}
              size: 1KiB
              expect: {min_size: 1, max_size: 2KiB, type: zip}
              timeout: {total: 1m}
              retry: {on: [input], attempts: 3}
            """)
        let task = try #require(job.tasks.first)
        guard case .check(let check) = task.action else {
            Issue.record("no check")
            return
        }
        #expect(task.id == "check out/a.zip")
        #expect(task.kind == .check)
        #expect(check.path.text == "out/a.zip")
        #expect(check.place == Place(line: 3, column: 10))
        #expect(check.digests.map(\.algorithm) == [.sha256])
        #expect(check.checksumList?.path.text == "SUMS")
        #expect(check.size == 1024)
        #expect(check.expect.minSize == 1 && check.expect.maxSize == 2048 && check.expect.type == .zip)
        #expect(check.inputs.map(\.path.text) == ["out/a.zip", "SUMS"])
        #expect(task.timeout.total == .seconds(60))
    }

    @Test func theDefaultsOfDownloadsSayNothingOfAFileThatIsThere() throws {
        let job = try JobText.parse(
            "version: 1\ndefaults: {expect: {type: zip}, headers: {A: b}}\ntasks: [{check: a}]\n")
        guard case .check(let check)? = job.tasks.first?.action else {
            Issue.record("no check")
            return
        }
        #expect(check.expect == Expectations())
    }

    @Test(arguments: [
        (
            "{download: http://h/a, check: a}",
            "3:26: a task does one thing; `check` is another than `download`"
        ),
        ("{check: a, mirrors: [http://h/a]}", "3:14: `mirrors` is a key of `download` tasks, not of `check` tasks"),
        ("{check: a, segments: 2}", "3:14: `segments` is a key of `download` tasks, not of `check` tasks"),
        ("{check: a, sice: 4}", "3:14: unknown key `sice` in a task; did you mean `size`?"),
        (
            "{check: a, expect: {status: 200}}",
            "3:23: `status` is about a server's answer; of a file that is there, expect `min_size`, `max_size` or `type`"
        ),
        (
            "{check: a, size: 3, expect: {max_size: 2}}",
            "3:20: `size` is larger than the `max_size` of `expect`; no file can be both"
        ),
        ("{check: a/}", "3:11: `check` wants a file; a path that ends in `/` is a folder"),
        ("{check: ../a}", "3:11: the path leaves the job's directory; write it without `..`, or as an absolute path"),
        (
            "{check: a, digest: {file: 'http://h/S'}}",
            "3:29: a check takes the path of a checksum list, not its URL; fetch the list with a `download` task first"
        ),
        ("{check: a, timeout: {stall: 3s}}", "3:24: `stall` is about a server, and a `check` task asks none"),
        ("{check: a, retry: {max_wait: 3s}}", "3:22: `max_wait` is about a server, and a `check` task asks none"),
        ("{chek: a}", "3:4: unknown key `chek` in a task; did you mean `check`?"),
    ])
    func tellsWhatDoesNotFitTheKind(_ task: String, _ fault: String) {
        #expect(faults(task) == [fault])
    }

    @Test func anyChangeOfWhatIsAskedChangesTheFingerprint() throws {
        let texts = [
            "check: a", "check: b", "{check: a, size: 4}", "{check: a, expect: {min_size: 4}}",
            "{check: a, expect: {max_size: 4}}", "{check: a, expect: {type: zip}}", "{check: a, digest: {file: S}}",
            "{check: a, md5: 00000000000000000000000000000000}",
        ]
        let fingerprints = try texts.map { text in
            try #require(JobText.parse("version: 1\ntasks:\n- \(text)\n").tasks.first?.action.work.fingerprint)
        }
        #expect(Set(fingerprints).count == texts.count)
    }

    @Test func localTasksHaveACapOfTheirOwn() throws {
        let job = try JobText.parse("version: 1\nlimits: {cpu: 3, concurrency: 9}\ntasks: []\n")
        #expect(job.limits.cpu == 3 && job.limits.concurrency == 9)
        #expect(try JobText.parse("version: 1\ntasks: []\n").limits.cpu == nil)
    }
}
