import RunnerJob
import Testing

@Suite("Extract and archive tasks in a job file") struct ArchiveTaskTests {
    private func action(_ task: String) throws -> (task: JobTask, action: JobTask.Action) {
        let task = try #require(JobText.parse("version: 1\ntasks:\n- \(task)\n").tasks.first)
        return (task, task.action)
    }

    @Test func anExtractionHasItsFields() throws {
        let (task, action) = try action(
            """
            {extract: a.zip, to: tree, strip: 2, include: doc, exclude: ["*.o", b/c], password: secret word,
               exists: merge, limits: {entries: 5, bytes: 1MiB, ratio: 7}}
            """)
        guard case .extract(let extraction) = action else {
            Issue.record("no extraction")
            return
        }
        #expect(task.id == "tree/" && task.kind == .extract)
        #expect(extraction.archive.text == "a.zip" && extraction.target.text == "tree")
        #expect(extraction.strip == 2 && extraction.existing == .merge)
        #expect(extraction.selection == EntrySelection(include: ["doc"], exclude: ["*.o", "b/c"]))
        #expect(extraction.password == "secret word")
        #expect(extraction.limits.entries == 5 && extraction.limits.bytes == 1 << 20 && extraction.limits.ratio == 7)
        #expect(extraction.outputs == [PathOutput(extraction.target, isFolder: true)])
        #expect(extraction.inputs.map(\.path.text) == ["a.zip"])
    }

    @Test func anExtractionHasCeilingsOfItsOwn() throws {
        guard case .extract(let extraction) = try action("{extract: a.zip, to: tree/}").action else { return }
        #expect(extraction.limits == Extraction.Limits() && extraction.existing == nil)
        #expect(extraction.limits.entries == 1_000_000 && extraction.limits.bytes == 1 << 40)
    }

    @Test func anArchiveHasItsFields() throws {
        let (task, action) = try action(
            """
            {archive: [tree/doc/, tree/x], to: d/doc.tar.zst, strip: 1, prefix: in/top/, include: "*.md", level: 19,
               threads: 4, mtime: file}
            """)
        guard case .archive(let creation) = action else {
            Issue.record("no archive")
            return
        }
        #expect(task.id == "d/doc.tar.zst" && task.kind == .archive)
        #expect(creation.sources.map(\.path.text) == ["tree/doc", "tree/x"])
        #expect(creation.sources.map(\.isFolder) == [true, false])
        #expect(creation.inputs.map(\.shape) == [.folder, .any])
        #expect(creation.format == .tarZstd && creation.prefix == "in/top" && creation.strip == 1)
        #expect(creation.level == 19 && creation.threads == 4 && creation.time == .ofFiles)
    }

    @Test func passwordsAreSecrets() throws {
        for task in ["{extract: a.zip, to: t, password: hunter-two}", "{archive: t/, to: a.zip, password: hunter-two}"]
        {
            #expect(try JobText.parse("version: 1\ntasks: [\(task)]\n").secrets.contains("hunter-two"))
        }
    }

    @Test(arguments: [
        ("{extract: a.zip}", "3:3: an `extract` task needs the folder that it makes, such as `to: tree/`"),
        ("{extract: a/, to: t}", "3:13: `extract` wants a file; a path that ends in `/` is a folder"),
        (
            "{extract: a, to: ./}",
            "3:20: `to` is the folder that the task makes as a whole; name one below the job's directory"
        ),
        ("{extract: a, to: t, exists: keep}", "3:31: unknown value `keep` for `exists`; it takes replace, merge"),
        (
            "{extract: a, to: t, limits: {files: 3}}",
            "3:32: unknown key `files` in `limits` of a task; it takes `entries`, `bytes`, `ratio`"
        ),
        (
            "{extract: a, to: t, include: /x}",
            "3:32: no name in an archive begins with `/`, so that `/x` fits none"
        ),
        (
            "{extract: a, to: t, level: 3}", "3:23: `level` is a key of `archive` tasks, not of `extract` tasks"
        ),
        ("{archive: a}", "3:3: an `archive` task needs the file that it makes, such as `to: doc.tar.zst`"),
        (
            "{archive: [x, ./y/..], to: a.zip}",
            "3:17: `archive` cannot pack the job's directory itself, where the archive and `.runner` lie; name what lies in"
                + " it"
        ),
        ("{archive: [], to: a.zip}", "3:3: `archive` names nothing to pack"),
        (
            "{archive: a, to: a.rar}",
            "3:20: the name tells no format that archives are made in; it has to end in one of .tar, .zip, .tar.gz,"
                + " .tar.bz2, .tar.xz, .tar.zst, .7z"
        ),
        (
            "{archive: a, to: a.7z, password: x}",
            "3:26: libarchive cannot write 7z archives that are encrypted; `password` is for .zip"
        ),
        (
            "{archive: a, to: a.tgz, threads: 2}",
            "3:36: tar.gz is compressed by one thread; `threads` is for .tar.xz and .tar.zst"
        ),
        ("{archive: a, to: a.tar, level: 2}", "3:34: tar is not compressed and has no `level`"),
        ("{archive: a, to: a.zip, level: 10}", "3:34: `level` must be a whole number from 0 to 9, not `10`"),
        (
            "{archive: a, to: a.zip, prefix: ../x}",
            "3:35: `prefix` wants the name of a folder within the archive, such as release-1.0, not `../x`"
        ),
        (
            "{archive: a, to: a.zip, mtime: today}",
            "3:34: `mtime` wants seconds since 1970, such as 1767225600, or `file` for each file's own time, not `today`"
        ),
    ])
    func tellsWhatIsWrong(_ task: String, _ fault: String) {
        #expect(JobText.faults("version: 1\ntasks:\n- \(task)\n") == [fault])
    }

    @Test func anyChangeOfWhatIsAskedChangesTheFingerprint() throws {
        let tasks = [
            "{extract: a, to: t}", "{extract: b, to: t}", "{extract: a, to: u}", "{extract: a, to: t, strip: 1}",
            "{extract: a, to: t, include: x}", "{extract: a, to: t, exclude: x}", "{archive: a, to: x.zip}",
            "{archive: a/, to: x.zip}", "{archive: [a, b], to: x.zip}", "{archive: a, to: x.tgz}",
            "{archive: a, to: x.zip, strip: 1}", "{archive: a, to: x.zip, prefix: p}",
            "{archive: a, to: x.zip, exclude: p}", "{archive: a, to: x.zip, level: 3}",
            "{archive: a, to: x.zip, mtime: 3}", "{archive: a, to: x.zip, password: p}",
            "{archive: a, to: x.zip, password: q}",
        ]
        let fingerprints = try tasks.map { try action($0).action.work.fingerprint }
        #expect(Set(fingerprints).count == tasks.count)
        #expect(
            try action("{archive: a, to: x.txz, threads: 2}").action.work.fingerprint
                == action("{archive: a, to: x.txz, threads: 3}").action.work.fingerprint)
    }
}
