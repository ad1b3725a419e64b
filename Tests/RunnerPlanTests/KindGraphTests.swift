import RunnerJob
import RunnerPlan
import Testing

/// A check of a path, which may be in a folder that another task writes.
func check(_ path: String, id: String? = nil, needs: [String] = [], line: Int32 = 1) -> JobTask {
    let place = Place(line: line, column: 3)
    return JobTask(
        id: ExactText(id ?? "check \(path)"), place: place,
        needs: needs.map { Reference(ExactText($0), at: place) },
        action: .check(FileCheck(path: TargetPath(normalized: path), at: Place(line: line, column: 10), size: 1)))
}

@Suite("The graph and the verdicts of tasks that are no downloads")
struct KindGraphTests {
    private let file = FileState(kind: .file, size: 7, modified: 1, changed: 1, inode: 1)

    private func judged(
        _ tasks: [JobTask], _ disk: FakeDisk, rehash: Bool = false
    ) throws -> [String: PlannedTask] {
        let plan = try Planner.plan(job(tasks), disk: disk, rehash: rehash)
        return Dictionary(uniqueKeysWithValues: plan.tasks.map { ($0.task.id.text, $0) })
    }

    /// What the ledger has of a task after it was done with the disk as it is.
    private func record(_ task: JobTask, _ disk: FakeDisk) -> ProductRecord {
        let work = task.action.work
        return ProductRecord(
            fingerprint: work.fingerprint ?? 0,
            inputs: work.inputs.map { ProductRecord.Path($0.path, disk.stamp(of: $0.path)) },
            outputs: work.outputs.map { ProductRecord.Path($0.path, disk.stamp(of: $0.path)) }, finished: 0)
    }

    @Test func whatIsReadWaitsForWhatWritesIt() throws {
        let plan = try Planner.plan(job([check("d/a"), task("a", to: "d/a")]), disk: FakeDisk())
        #expect(plan.needs(of: "check d/a") == ["a"])
        #expect(plan.startOrder == ["a", "check d/a"])
        let first = try #require(plan.tasks.first)
        #expect(first.verdict == .run)
        #expect(first.reason == .inputToCome(TargetPath(normalized: "d/a")))
    }

    @Test func twoChecksOfOneFileAreNoTwoWriters() {
        #expect(faults([check("a", id: "x"), check("a", id: "y"), task("a")]) == [])
    }

    @Test func anIdTwiceIsAFault() {
        #expect(
            faults([check("a"), check("a"), task("a")]).map(\.short) == [
                "2: two tasks have the id 'check a' | 1: the first of them is here"
            ])
    }

    private func packing(_ path: String, to target: String) -> JobTask {
        let place = Place(line: 1, column: 3)
        let source = ArchiveCreation.Source(TargetPath(normalized: path), at: place, isFolder: false)
        let target = TargetPath(normalized: target)
        return JobTask(
            id: target.path, place: place, needs: [],
            action: .archive(ArchiveCreation(sources: [source], to: target, format: .tar)))
    }

    @Test func anArchiveIsNotMadeWhereItIsReadFrom() {
        #expect(
            faults([packing("src", to: "src/a.tar")]).map(\.short) == [
                "1: task 'src/a.tar' needs itself: it reads 'src' and writes there | 1: the task is here"
            ])
    }

    @Test func aPatternIsNoPath() {
        #expect(
            faults([packing("src/*.c", to: "a.tar")]).map(\.short) == [
                "1: no task writes 'src/*.c', and it is not on the disk; name the folder, and write the pattern into"
                    + " `include`"
            ])
        #expect(
            faults([packing("src", to: "a.tar")]).map(\.short) == [
                "1: no task writes 'src', and it is not on the disk"
            ])
    }

    @Test func anUploadSendsOneFile() throws {
        let place = Place(line: 1, column: 1)
        let upload = Upload(
            path: TargetPath(normalized: "*.txt"), at: place, target: try SourceURL("http://h/a", at: place),
            method: "PUT")
        let task = JobTask(id: "up", place: place, needs: [], action: .upload(upload))
        #expect(
            faults([task]).map(\.short) == [
                "1: no task writes '*.txt', and it is not on the disk; an upload sends one file: name the files in a"
                    + " `matrix`"
            ])
    }

    private func upload(_ id: String, to url: String) throws -> JobTask {
        let place = Place(line: 2, column: 3)
        let path = TargetPath(normalized: "f")
        return JobTask(
            id: ExactText(id), place: place, needs: [],
            action: .upload(
                Upload(path: path, at: place, target: try SourceURL(url, at: place), method: "PUT")))
    }

    @Test(arguments: ["up", "http://h/a%20b", "http://h/a b", "HTTP://H:80/a b?x=2"])
    func anUploadIsNeededByIdOrURL(_ name: String) throws {
        let disk = FakeDisk(files: ["a": file, "f": file])
        let tasks = [check("a", needs: [name]), try upload("up", to: "http://h/a b?x=1")]
        #expect(try Planner.plan(job(tasks), disk: disk).needs(of: "check a") == ["up"])
    }

    @Test func twoUploadsToOneURLHaveToBeTold() throws {
        let disk = FakeDisk(files: ["a": file, "f": file])
        let tasks = [
            check("a", needs: ["http://h/a"]), try upload("up", to: "http://h/a"),
            try upload("again", to: "http://h/a"),
        ]
        #expect(
            faults(tasks, disk: disk).map(\.short) == ["1: no task has the id or destination 'http://h/a'"])
    }

    @Test func aCheckOfNothingIsLeftToTheRun() throws {
        let planned = try judged([check("a")], FakeDisk())
        #expect(planned["check a"]?.reason == .inputMissing(TargetPath(normalized: "a")))
        #expect(planned["check a"]?.verdict == .run)
    }

    @Test func aCheckOfAFolderIsAFault() {
        let disk = FakeDisk(files: ["a": FileState(kind: .folder, size: 0)])
        #expect(faults([check("a")], disk: disk).map(\.short) == ["1: 'a' is not a file"])
    }

    @Test func whatWasDoneAndHasNotChangedIsUpToDate() throws {
        var disk = FakeDisk(files: ["a": file])
        let known = check("a")
        #expect(try judged([known], disk)["check a"]?.reason == .notDoneBefore)
        disk.products["check check a"] = record(known, disk)
        #expect(try judged([known], disk)["check a"]?.verdict == .upToDate)
        #expect(try judged([known], disk)["check a"]?.reason == .asDone(since: 0))
        #expect(try judged([known], disk, rehash: true)["check a"]?.reason == .notDoneBefore)
        #expect(try judged([check("a", needs: ["b"]), task("b")], disk)["check a"]?.verdict == .upToDate)
    }

    @Test(arguments: [\FileState.size, \FileState.modified, \FileState.changed])
    func anyChangeOfAnInputIsSeen(_ path: any WritableKeyPath<FileState, Int64> & Sendable) throws {
        var disk = FakeDisk(files: ["a": file])
        disk.products["check check a"] = record(check("a"), disk)
        disk.files["a"]?[keyPath: path] += 1
        #expect(try judged([check("a")], disk)["check a"]?.reason == .inputChanged(TargetPath(normalized: "a")))
    }

    @Test func anotherQuestionIsAskedAnew() throws {
        var disk = FakeDisk(files: ["a": file])
        var before = record(check("a"), disk)
        before.fingerprint += 1
        before.finished = 77
        disk.products["check check a"] = before
        #expect(try judged([check("a")], disk)["check a"]?.reason == .askedOtherwise(since: 77))
    }

    @Test func resultsCountAsMuchAsInputs() {
        struct Maker: TaskWork {
            static let kind = TaskKind.check
            var inputs: [PathInput] = []
            var outputs = [PathOutput(TargetPath(normalized: "out"), isFolder: true)]
            var sourceText = ""
            var targetText = "out"
            var fingerprint: Int64? = 1
        }
        let out = TargetPath(normalized: "out")
        func staleness(
            _ now: PathStamp, isTrusted: Bool = true, _ change: (inout Maker) -> Void = { _ in }
        ) -> Reason? {
            var maker = Maker()
            change(&maker)
            let record = ProductRecord(
                fingerprint: 1, inputs: [], outputs: [ProductRecord.Path(out, PathStamp("t 1"))], finished: 0,
                isTrusted: isTrusted)
            return Freshness.staleness(of: maker, record) { _ in now }
        }
        #expect(staleness(PathStamp("t 1")) == nil)
        #expect(staleness(PathStamp("t 2")) == .resultChanged(out))
        #expect(staleness(.missing) == .resultMissing(out))
        #expect(staleness(PathStamp("t 1"), isTrusted: false) == .resultNotSynced)
        #expect(staleness(PathStamp("t 1")) { $0.outputs = [] } == .alwaysDone)
        #expect(staleness(PathStamp("t 1")) { $0.fingerprint = nil } == .alwaysDone)
    }
}
