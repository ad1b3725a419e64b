import RunnerJob
import RunnerPlan
import Testing

@Suite("Edges, implied tasks, selection and warnings")
struct PlannerGraphTests {
    @Test func needsNameIdsOrDestinations() throws {
        let plan = try Planner.plan(
            job([
                task("a", to: "dir/a.bin"), task("b", needs: ["a"]), task("c", needs: ["dir/a.bin"]),
                task("d", needs: ["./dir//a.bin"]), task("e", needs: ["/data/dir/a.bin", "a", "b"]),
            ]), disk: FakeDisk())
        #expect(plan.needs(of: "b") == ["a"])
        #expect(plan.needs(of: "c") == ["a"])
        #expect(plan.needs(of: "d") == ["a"])
        #expect(plan.needs(of: "e") == ["a", "b"])
    }

    @Test func anIdGoesBeforeADestination() throws {
        let plan = try Planner.plan(
            job([task("x", to: "one"), task("other", to: "x"), task("c", needs: ["x"])]), disk: FakeDisk())
        #expect(plan.needs(of: "c") == ["x"])
    }

    @Test func aListOfAnotherTaskIsAnEdge() throws {
        let plan = try Planner.plan(
            job([task("a", list: "SUMS"), task("sums", to: "SUMS")]), disk: FakeDisk())
        #expect(plan.needs(of: "a") == ["sums"])
        #expect(plan.tasks[0].checksumListTask == 1)
        #expect(plan.startOrder == ["sums", "a"])
    }

    @Test func aListOnTheDiskIsNoEdge() throws {
        let disk = FakeDisk(files: ["SUMS": FileState(kind: .file, size: 80)])
        let plan = try Planner.plan(job([task("a", list: "SUMS")]), disk: disk)
        #expect(plan.tasks.count == 1)
        #expect(plan.tasks[0].needs.isEmpty)
        #expect(plan.tasks[0].checksumListTask == nil)
    }

    @Test func aListAtAURLIsFetchedOnce() throws {
        let settings = RequestSettings.standard.changing { $0.userAgent = "first" }
        let plan = try Planner.plan(
            job([
                task("a", list: "https://example.org/d/SHA256SUMS?x=/y", optional: true, request: settings),
                task("b", list: "https://example.org/d/SHA256SUMS?x=/y", priority: 7),
                task("c", list: "https://example.org/e/SHA256SUMS", optional: true),
            ]), disk: FakeDisk())
        #expect(plan.tasks.count == 5)
        let implied = plan.tasks.filter(\.isImplied)
        #expect(implied.map(\.task.isOptional) == [false, true])
        #expect(implied.map(\.task.priority) == [7, 0])
        #expect(plan.tasks.map(\.checksumListTask) == [3, 3, 4, nil, nil])
        guard case .download(let list) = plan.tasks[3].task.action else { return }
        #expect(list.path.text.hasPrefix(".runner/lists/"))
        #expect(list.path.text.hasSuffix("-SHA256SUMS"))
        #expect(list.expect.maxSize == 64 << 20)
        #expect(list.request.userAgent == "first")
        #expect(list.sources.map(\.url.text) == ["https://example.org/d/SHA256SUMS?x=/y"])
        #expect(plan.tasks[3].task.id == list.path.path)
    }

    @Test func whatEveryTaskSaysOfAListHolds() throws {
        func pinned(_ id: String, _ algorithm: DigestAlgorithm, _ byte: UInt8) throws -> JobTask {
            var task = task(id, list: "https://example.org/S")
            guard case .download(var download) = task.action else { return task }
            let bytes = [UInt8](repeating: byte, count: algorithm.byteCount)
            download.checksumList?.digests = [try #require(Digest(algorithm, bytes: bytes))]
            task.action = .download(download)
            return task
        }
        let tasks = [try pinned("a", .sha256, 1), try pinned("b", .sha512, 2), try pinned("c", .sha256, 1)]
        let plan = try Planner.plan(job(tasks + [task("d", list: "https://example.org/S")]), disk: FakeDisk())
        guard case .download(let list) = plan.tasks[4].task.action else { return }
        #expect(list.digests.map(\.algorithm) == [.sha256, .sha512])
        #expect(
            faults(tasks + [try pinned("d", .sha512, 3)]).map(\.message) == [
                "two different sha512 digests for one checksum list"
            ])
    }

    @Test(arguments: [
        ("https://example.org/", "-example.org"), ("https://example.org/a%20b/s u\u{1F}m.txt#x", "-sum.txt"),
        ("https://example.org/../..", "-.."), ("ä:///ü", "-list"),
    ])
    func listsHaveSafeNames(url: String, suffix: String) throws {
        let plan = try Planner.plan(job([task("a", list: url)]), disk: FakeDisk())
        let name = plan.tasks[1].task.id.text.split(separator: "/").last ?? ""
        #expect(name.hasSuffix(suffix))
        #expect(name.count == 16 + suffix.count)
    }

    @Test func theFolderOfListsCanBeElsewhere() throws {
        let plan = try Planner.plan(
            job([task("a", list: "https://example.org/S")]), disk: FakeDisk(),
            listsFolder: TargetPath(normalized: "/var/lib/runner/lists"))
        #expect(plan.tasks[1].task.id.text.hasPrefix("/var/lib/runner/lists/"))
    }

    @Test func onlyTakesAlongWhatIsNeeded() throws {
        let tasks = [
            task("a"), task("b", needs: ["a"]), task("c", to: "out/c", needs: ["b"]), task("d"),
            task("e", list: "https://example.org/S"),
        ]
        let plan = try Planner.plan(job(tasks), disk: FakeDisk(), only: ["out/c"])
        #expect(plan.tasks.map(\.task.id.text) == ["a", "b", "c"])
        #expect(plan.tasks.map(\.needs) == [[], [0], [1]])
        let withList = try Planner.plan(job(tasks), disk: FakeDisk(), only: ["d", "e"])
        #expect(withList.tasks.map(\.isImplied) == [false, false, true])
        #expect(withList.tasks[1].checksumListTask == 2)
    }

    @Test func onlyOfAnUnknownTaskIsRefused() {
        #expect(
            faults([task("debian"), task("b")], only: ["debain", "b", "zzzz"]).map(\.short) == [
                "0: no task has the id or destination 'debain'; did you mean 'debian'?",
                "0: no task has the id or destination 'zzzz'",
            ])
    }

    /// An item may be there twice by a matrix or by an alias.
    @Test func tasksOfOneItemThatWriteOnePathAreToldOnce() {
        var twice = job([task("a"), task("a"), task("a")])
        for index in twice.tasks.indices { twice.tasks[index].place.line = 7 }
        let error = #expect(throws: PlanFaults.self) { try Planner.plan(twice, disk: FakeDisk()) }
        #expect(
            error?.diagnostics.map(\.short) == [
                "7: two tasks of one item write 'a'; put all variables of its matrix into `to`, or, where an alias"
                    + " repeats the item, write it anew with another `to`"
            ])
    }

    @Test func namesThatDifferInCaseAreWarnedOf() throws {
        let plan = try Planner.plan(
            job([task("Read.me"), task("read.ME"), task("\u{C4}"), task("a\u{308}")]), disk: FakeDisk())
        #expect(
            plan.warnings.map(\.short) == [
                "2: 'read.ME' and 'Read.me' are one file where the disk ignores case | 1: 'Read.me' is written here",
                "4: 'a\u{308}' and '\u{C4}' are one file where the disk ignores case | 3: '\u{C4}' is written here",
            ])
    }

    /// Tasks as `a>b` for `a`, which needs `b`; all of them save one jar.
    @Test(arguments: [
        (["a", "b"], "2:" as String?), (["a", "b>a"], nil), (["a>b", "b"], nil), (["a", "b>a", "c>b"], nil),
        (["a", "b>a", "c>a"], "3:"), (["a>c", "b>c", "c"], "2:"), (["a", "x>a", "b>x"], nil), (["a"], nil),
    ])
    func aJarThatIsSavedInNoOrderIsWarnedOf(_ items: [String], _ warning: String?) throws {
        var settings = RequestFields()
        settings.network = NetworkSettings.standard.changing { $0.savedCookies = "/jobs/jar" }
        let tasks = items.map { item in
            let words = item.split(separator: ">").map(String.init)
            return task(
                words[0], needs: Array(words.dropFirst()),
                request: words[0] == "x" ? .standard : RequestSettings(settings))
        }
        let found = try Planner.plan(job(tasks), disk: FakeDisk()).warnings.map(\.short)
        #expect(found.count == (warning == nil ? 0 : 1), "\(found)")
        #expect(found.first?.hasPrefix(warning ?? "") ?? true)
    }

    @Test func warningsOfTheJobAreKept() throws {
        var job = job([task("a")])
        job.warnings = [Diagnostic(.warning, "md5 alone", at: nil)]
        let plan = try Planner.plan(job, disk: FakeDisk(free: 77))
        #expect(plan.warnings.map(\.message) == ["md5 alone"])
        #expect(plan.freeSpace == 77)
    }

    @Test func anEmptyJobHasAPlan() throws {
        let plan = try Planner.plan(job([]), disk: FakeDisk())
        #expect(plan.tasks.isEmpty && plan.order.isEmpty)
    }
}
