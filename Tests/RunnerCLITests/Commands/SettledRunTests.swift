import Glibc
import RunnerExecution
import TestSupport
import Testing

@testable import RunnerCLI

/// A job whose files are all in place is not even read again, and is as soon as anything has changed.
@Suite struct SettledRunTests {
    var host: TestContext
    let server: FaultServer

    init() throws {
        host = try TestContext(environment: ["PLACE": "here", "OTHER": "1"])
        host.context.makeRun = { (plan, options, site) throws(Run.StartFailure) in
            try Run(plan: plan, options: options, site: site)
        }
        server = try FaultServer(files: ["/a": .text("a"), "/b": .text("b"), "/c": .text("c")])
    }

    private func task(_ name: String, _ fields: String = "", of content: Content = .text("a")) -> String {
        "  - {download: '\(server.url("/" + name))', to: sub/\(name), sha256: \(content.sha256)\(fields)}\n"
    }

    private func write(_ tasks: String, top: String = "") throws {
        try host.folder.write("job.yaml", "version: 1\ndirectory: out\n\(top)tasks:\n\(tasks)")
    }

    private func find(
        _ run: RunArguments = RunArguments(), _ change: (inout JobArguments) -> Void = { _ in }
    ) -> SettledRun? {
        var arguments = JobArguments()
        change(&arguments)
        return SettledRun(JobSource("job.yaml", arguments), run, in: host.context)
    }

    /// Runs the job by its text once, so that it is settled where it can be.
    private func settle(_ options: String...) async {
        #expect(await host.run(["run", "job.yaml"] + options) == 0, "\(host.errors.text)")
    }

    /// The lines of the newest report, without what differs from run to run.
    private func newestReport() throws -> [String] {
        let name = try #require(host.folder.files().filter { $0.hasPrefix("out/.runner/reports/") }.max())
        let text = String(decoding: try #require(host.folder.read(name)), as: UTF8.self)
        unlink(host.folder.path(name))
        return text.split(separator: "\n").map { line in
            String(line).replacing(#/"(run|time)":"[^"]*"/#, with: "").replacing(#/"(duration_ms)":[0-9.]*/#, with: "")
        }
    }

    @Test func tellsWhatTheRunByTheTextTells() async throws {
        try write(
            task("a") + task("b", ", optional: true, id: 'the \"b\"'", of: .text("b"))
                + task("c", ", priority: 5, needs: ['the \"b\"']", of: .text("c")))
        await settle()
        _ = try newestReport()
        let asked = server.requests.count
        #expect(await find()?.run() == .success)
        let quick = try newestReport()
        #expect(host.errors.text.contains("\n3 up to date; 0 B fetched in "))
        await settle("--rehash")
        _ = try newestReport()
        for name in host.folder.files() where name.contains("/settled/") { unlink(host.folder.path(name)) }
        await settle()
        #expect(quick == (try newestReport()))
        #expect(quick.count == 5)
        #expect(quick.last?.contains("\"counts\":{\"up_to_date\":3},\"bytes\":3,") == true)
        #expect(server.requests.count == asked)
        await #expect(host.run("status", "job.yaml") == 0)
        #expect(host.output.text.contains("3 up to date"))
    }

    @Test func isFoundByTheVeryNextRun() async throws {
        try write(task("a") + task("b", ", exists: keep", of: .text("b")))
        #expect(find() == nil)
        await settle()
        #expect(await find()?.run() == .success)
        #expect(await find()?.run() == .success)
        // What one run found changed is settled by it again.
        unlink(host.folder.path("out/sub/a"))
        #expect(await find()?.run() == nil)
        await settle()
        #expect(await find()?.run() == .success)
        #expect(server.requests.count == 3)
    }

    /// A run by the text has seen to it that the report is in nobody's way; a link may have been made since.
    @Test(arguments: ["../job.yaml", "sub/a"]) func aReportThatHasBecomeAnotherFileIsSeen(_ target: String) async throws
    {
        try write(task("a"), top: "report: r\n")
        await settle()
        #expect(find() != nil)
        let (report, file) = (host.folder.path("out/r"), host.folder.path("out/" + target))
        unlink(report)
        #expect(symlink(target, report) == 0)
        #expect(find() == nil)
        unlink(report)
        #expect(link(file, report) == 0)
        #expect(find() == nil)
        let before = host.folder.read("job.yaml")
        await #expect(host.run("run", "job.yaml") == 2)
        #expect(host.folder.read("job.yaml") == before)
    }

    enum Change: CaseIterable {
        case removed, touched, longer, linked, folderLinked

        func make(in folder: TemporaryDirectory) throws {
            let path = folder.path("out/sub/b")
            switch self {
            case .removed: #expect(unlink(path) == 0)
            // The same bytes, and other times.
            case .touched: try folder.write("out/sub/b", "b")
            case .longer: try folder.write("out/sub/b", "bb")
            case .linked:
                #expect(rename(path, path + "2") == 0)
                #expect(symlink("b2", path) == 0)
            case .folderLinked:
                #expect(rename(folder.path("out/sub"), folder.path("out/other")) == 0)
                #expect(symlink("other", folder.path("out/sub")) == 0)
            }
        }
    }

    @Test(arguments: Change.allCases) func aFileThatChangedIsSeen(change: Change) async throws {
        try write(task("a") + task("b", of: .text("b")))
        await settle()
        #expect(await find()?.run() == .success)
        try change.make(in: host.folder)
        let found = try #require(find())
        #expect(await found.run() == nil)
    }

    @Test func whatTheJobIsReadFromIsLookedAt() async throws {
        try write(
            "  - {matrix: {file: rows.csv}, download: '\(server.url("/${name}"))', to: '${env:PLACE}/${name}',"
                + " sha256: '${sum}'}\n", top: "include: [more.yaml]\nparams: {x: {default: 1}}\n")
        try host.folder.write("rows.csv", "name,sum\na,\(Content.text("a").sha256)\n")
        try host.folder.write("more.yaml", "version: 1\ntasks:\n" + task("b", of: .text("b")))
        try host.folder.write("vars.yaml", "x: 2\n")
        await settle()
        #expect(find() != nil)
        #expect(find { $0.overrides = ["x": "3"] } == nil)
        #expect(find { $0.variableFiles = ["vars.yaml"] } == nil)
        #expect(find { $0.directory = "out" } == nil)
        #expect(find { $0.only = ["b"] } == nil)
        #expect(find { $0.rehash = true } == nil)
        #expect(find { $0.forbidsPrograms = true } == nil)
        #expect(find { $0.state = "out/.runner" } == nil)
        var run = RunArguments()
        run.report = "out/sub/b"
        #expect(find(run) == nil)
        run = RunArguments()
        run.messages.verbosity = .verbose
        #expect(find(run) == nil)

        for (name, text) in [("rows.csv", "\n"), ("more.yaml", "# more\n"), ("job.yaml", "# more\n")] {
            let before = try #require(host.folder.read(name))
            try host.folder.write(name, before + Array(text.utf8))
            #expect(find() == nil, "\(name)")
            try host.folder.write(name, before)
            #expect(find() != nil, "\(name)")
        }
        var other = host
        other.context.environment["OTHER"] = "2"
        #expect(SettledRun(JobSource("job.yaml", JobArguments()), RunArguments(), in: other.context) != nil)
        other.context.environment["PLACE"] = "there"
        #expect(SettledRun(JobSource("job.yaml", JobArguments()), RunArguments(), in: other.context) == nil)
    }

    /// Jobs of which a further run may have something to do although nothing that can be looked at has changed.
    @Test(arguments: [
        ("  - {download: URL/a, to: a}\n", ""),
        ("  - {download: URL/a, to: a, sha256: SUM, exists: replace}\n", ""),
        ("  - {download: URL/a, to: '${date:%Y}', sha256: SUM}\n", ""),
        ("  - {download: URL/a, to: a, sha256: SUM}\n  - {check: a, size: 1}\n", ""),
        ("  - {download: URL/a, to: a, sha256: SUM}\n", "hooks: {always: [/bin/true]}\n"),
        ("  - {download: URL/a, to: a, sha256: SUM}\n", "limits: {window: [\"00:00-24:00\"]}\n"),
        ("  - {download: URL/a, to: a, sha256: SUM, headers: {X-Key: '${secret:OTHER}'}}\n", ""),
        ("  - {download: URL/a, to: a, md5: 0cc175b9c0f1b6a831c399e269772661}\n", ""),
    ])
    func whatMayHaveWorkIsReadAgain(tasks: String, top: String) async throws {
        let text = tasks.replacing("URL", with: server.url("")).replacing("SUM", with: Content.text("a").sha256)
        try write(text, top: top)
        await settle()
        #expect(find() == nil)
        await settle()
        #expect(find() == nil)
    }

    @Test func aFailureSettlesNothing() async throws {
        try write(task("a") + task("gone", ", retry: {attempts: 1}, optional: true"))
        #expect(await host.run("run", "job.yaml") == 4, "\(host.errors.text)")
        #expect(find() == nil)
    }

    @Test func anotherRunAtWorkIsLeftToTheUsualWay() async throws {
        try write(task("a"))
        await settle()
        let first = try #require(find())
        let other = try #require(
            SettledJob(
                identity: JobState.realPath(host.folder.path("job.yaml")),
                stateFolder: host.folder.path("out/.runner")))
        try other.site.occupy(run: "other")
        #expect(await first.run() == nil)
        other.site.leave()
        #expect(await first.run() == .success)
    }
}
