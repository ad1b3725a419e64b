import RunnerJob
import RunnerPlan
import Testing

@Suite("What cannot be planned is refused, with both places")
struct PlannerFaultTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var tasks: [JobTask]
        var faults: [String]
        var testDescription: String { name }

        init(_ name: String, _ tasks: [JobTask], _ faults: [String]) {
            self.name = name
            self.tasks = tasks
            self.faults = faults
        }
    }

    static let cases = [
        Case(
            "two writers", [task("a", to: "x"), task("b"), task("c", to: "x")],
            ["3: two tasks write 'x' | 1: the first of them is here"]),
        Case(
            "two writers without ids are told once", [task("x"), task("x")],
            ["2: two tasks write 'x' | 1: the first of them is here"]),
        Case(
            "one path absolute and relative", [task("a", to: "x"), task("b", to: "/data/x")],
            ["2: two tasks write 'x' | 1: the first of them is here"]),
        Case(
            "two tasks with one id", [task("a", to: "x"), task("a", to: "y")],
            ["2: two tasks have the id 'a' | 1: the first of them is here"]),
        Case(
            "a path inside a file", [task("a/b/c"), task("a")],
            ["1: 'a/b/c' lies inside 'a', which another task writes as a file | 2: 'a' is written here"]),
        Case(
            "the program's own state", [task("a", to: ".runner/ledger.sqlite"), task("b", to: ".runner2/x")],
            ["1: '.runner/ledger.sqlite' lies in the folder that keeps what is known between runs; write it elsewhere"]),
        Case(
            "the job file", [task("a", to: "/jobs/test.yaml")],
            ["1: the task would write over the job file itself: '/jobs/test.yaml'"]),
        Case("a longer name beside a file", [task("a"), task("a.b/c"), task("ab")], []),
        Case(
            "missing need", [task("debian.iso"), task("b", needs: ["debain.iso"])],
            [
                "2: no task has the id or destination 'debain.iso'; did you mean 'debian.iso'?"
                    + " | 1: 'debian.iso' is here"
            ]),
        Case(
            "missing need, nothing near", [task("a"), task("b", needs: ["something"])],
            ["2: no task has the id or destination 'something'"]),
        Case(
            "self", [task("a", to: "x", needs: ["x"])],
            ["1: task 'a' needs itself | 1: the task is here"]),
        Case(
            "cycle of two", [task("a", needs: ["b"]), task("b", needs: ["a"])],
            [
                "1: tasks wait for each other in a cycle: a → b → a | 1: 'a' needs 'b' | 2: 'b' needs 'a'"
            ]),
        Case(
            "cycle of three, through a list, with tasks before and after it",
            [
                task("start", needs: ["a"]), task("a", needs: ["b"]), task("b", list: "c"),
                task("c", needs: ["a", "end"]), task("end"),
            ],
            [
                "2: tasks wait for each other in a cycle: a → b → c → a"
                    + " | 2: 'a' needs 'b' | 1: 'b' needs 'c' | 4: 'c' needs 'a'"
            ]),
        Case(
            "a cycle that also needs a task before it",
            [task("x"), task("y", needs: ["x", "w"]), task("w", needs: ["y"])],
            ["2: tasks wait for each other in a cycle: y → w → y | 2: 'y' needs 'w' | 3: 'w' needs 'y'"]),
        Case(
            "two cycles",
            [
                task("a", needs: ["b"]), task("b", needs: ["a"]), task("c", needs: ["d"]), task("d", needs: ["c"]),
            ],
            [
                "1: tasks wait for each other in a cycle: a → b → a | 1: 'a' needs 'b' | 2: 'b' needs 'a'",
                "3: tasks wait for each other in a cycle: c → d → c | 3: 'c' needs 'd' | 4: 'd' needs 'c'",
            ]),
        Case(
            "all at once, in the order of the file",
            [
                task("a", needs: ["nowhere"]), task("b", to: "x"), task("c", to: "x", needs: ["c"]),
            ],
            [
                "1: no task has the id or destination 'nowhere'",
                "3: two tasks write 'x' | 2: the first of them is here",
                "3: task 'c' needs itself | 3: the task is here",
            ]),
    ]

    @Test(arguments: cases)
    func faultsAreFound(_ test: Case) {
        #expect(faults(test.tasks).map(\.short) == test.faults)
    }

    @Test func aListThatNobodyWritesIsRefusedWithAdvice() {
        #expect(
            faults([task("a", list: "SHA256SUMS")]).map(\.message) == [
                "no task writes the checksum list 'SHA256SUMS', and it is not on the disk; "
                    + "add a task with `to: SHA256SUMS`, or name the list by its URL"
            ])
    }

    @Test func theReportIsWrittenOverNothing() {
        var job = job([task("a"), task("b", to: "r.jsonl")])
        job.report = "r.jsonl"
        #expect(
            throws: PlanFaults.self
        ) { try Planner.plan(job, disk: FakeDisk()) }
        job.report = "/jobs/test.yaml"
        #expect(throws: PlanFaults.self) { try Planner.plan(job, disk: FakeDisk()) }
        job.report = "reports/r.jsonl"
        #expect(throws: Never.self) { try Planner.plan(job, disk: FakeDisk()) }
    }

    @Test(arguments: [
        ("/jobs/test.yaml", "1: `save_cookies` would write over the job file itself: '/jobs/test.yaml'"),
        ("/data/r.jsonl", "1: `save_cookies` would write over the report of the job (`report`): '/data/r.jsonl'"),
        ("/data/b", "1: `save_cookies` would write over '/data/b', which a task writes | 2: the task is here"),
        ("/data/a", "1: `save_cookies` would write over '/data/a', which a task writes | 1: the task is here"),
        ("/data/jar", nil), ("/jobs/jar", nil),
    ])
    func aCookieJarIsWrittenOverNothing(_ jar: String, fault: String?) {
        var settings = RequestFields()
        settings.network = NetworkSettings.standard.changing { $0.savedCookies = jar }
        var job = job([task("a", request: RequestSettings(settings)), task("b")])
        job.report = "r.jsonl"
        var found: [Diagnostic] = []
        do throws(PlanFaults) { _ = try Planner.plan(job, disk: FakeDisk()) } catch { found = error.diagnostics }
        #expect(found.map(\.short) == (fault.map { [$0] } ?? []))
    }

    @Test func aListThatIsAFolderIsRefused() {
        let disk = FakeDisk(files: ["sums": FileState(kind: .folder, size: 0)])
        #expect(
            faults([task("a", list: "sums")], disk: disk).map(\.message) == ["the checksum list 'sums' is not a file"])
    }

    @Test func namesThatAreEqualOnlyToUnicodeAreTwo() {
        #expect(faults([task("caf\u{E9}"), task("cafe\u{301}")]).isEmpty)
    }

    @Test func aCycleOfManyIsWalkedWithoutRecursion() {
        let count = 20_000
        let ring = (0..<count).map { task("t\($0)", needs: ["t\(($0 + 1) % count)"]) }
        let found = faults(ring)
        #expect(found.count == 1)
        #expect(found.first?.notes.count == count)
    }

    @Test func thousandsOfWrongNamesEndSoon() {
        let tasks = (0..<3_000).map { task("task-\($0)", needs: ["tusk-\($0)"]) }
        let found = faults(tasks)
        #expect(found.count == 3_000)
        #expect(found.first?.message.contains("did you mean") == true)
        #expect(found.last?.message.contains("did you mean") == false)
    }
}
