import Glibc
import RunnerCLI
import TestSupport
import Testing

/// What cannot be in one call, however its paths are spelt.
@Suite struct RunClashTests {
    private static let files: [(String, String)] = [
        ("one.yaml", "version: 1\ndirectory: out\ninclude: more.yaml\ntasks:\n  - http://127.0.0.1/a\n"),
        ("two.yaml", "version: 1\ndirectory: out\ntasks:\n  - {upload: '{}/data', to: 'http://127.0.0.1/u'}\n"),
        ("own.yaml", "version: 1\ndirectory: out\nreport: '{}/sub/r'\ntasks:\n  - http://127.0.0.1/b\n"),
        (
            "far.yaml",
            "version: 1\ndirectory: out\ntasks:\n  - {id: f, download: 'http://127.0.0.1/f', to: '{}/same/far.yaml'}\n"
        ),
        (
            "deep.yaml",
            "version: 1\ndirectory: out\ntasks:\n  - {id: f, download: 'http://127.0.0.1/f', to: '{}/same/out/.runner/x'}\n"
        ),
        ("real.yaml", "version: 1\ntasks:\n  - {download: 'http://127.0.0.1/r', to: real.yaml}\n"),
        ("more.yaml", "version: 1\ntasks: []\n"), ("vars.yaml", "x: 1\n"), ("data", "data"),
    ]

    /// A folder with jobs and, beside them, a link `same` to itself.
    private static func made() throws -> TestContext {
        let test = try TestContext()
        for (name, text) in files {
            try test.folder.write(name, text.replacing("{}", with: test.folder.path))
        }
        #expect(symlink(".", test.folder.path("same")) == 0)
        #expect(symlink("one.yaml", test.folder.path("link")) == 0)
        #expect(symlink("real.yaml", test.folder.path("alias.yaml")) == 0)
        #expect(symlink("out/a", test.folder.path("dangling")) == 0)
        #expect(link(test.folder.path("one.yaml"), test.folder.path("twin")) == 0)
        return test
    }

    @Test(arguments: [
        (["one.yaml", "./one.yaml"], "./one.yaml is the same job as one before it"),
        (["one.yaml", "link"], "link is the same job as one before it"),
        (["one.yaml", "--report", "one.yaml"], "--report one.yaml is the job file itself"),
        (["one.yaml", "--report", "./out/../one.yaml"], "--report ./out/../one.yaml is the job file itself"),
        (["one.yaml", "--report", "same//one.yaml"], "--report same//one.yaml is the job file itself"),
        (["one.yaml", "--report", "link"], "--report link is the job file itself"),
        (["link", "--report", "one.yaml"], "--report one.yaml is the job file itself"),
        (["one.yaml", "--report", "twin"], "--report twin is the job file itself"),
        (["two.yaml", "one.yaml", "--report", "same/one.yaml"], "--report same/one.yaml is the job file itself"),
        (["one.yaml", "--report", "same/more.yaml"], "--report same/more.yaml is {}/more.yaml, which the job is read"),
        (
            ["one.yaml", "--vars", "vars.yaml", "--report", "same/vars.yaml"],
            "--report same/vars.yaml is {}/vars.yaml, which the job is read from"
        ),
        (["one.yaml", "--report", "same/one.lock"], "--report same/one.lock is the lock file of the job"),
        (["one.yaml", "--report", "out/a"], "--report out/a is what the task 'a' writes"),
        (["one.yaml", "--report", "same/out/b/../a"], "--report same/out/b/../a is what the task 'a' writes"),
        (["one.yaml", "--report", "dangling"], "--report dangling is what the task 'a' writes"),
        (["two.yaml", "--report", "same/data"], "--report same/data is what the task '"),
        (
            ["one.yaml", "--report", "same/out/.runner/r.jsonl"],
            "--report same/out/.runner/r.jsonl is in the folder that keeps what is known between runs"
        ),
        (["far.yaml"], "far.yaml: the task 'f' would write over the job file itself: '{}/same/far.yaml'"),
        (["alias.yaml"], "alias.yaml: the task 'real.yaml' would write over the job file itself: 'real.yaml'"),
        (["deep.yaml"], "deep.yaml: the task 'f' would write into the folder that keeps what is known between runs"),
    ])
    func isRefused(_ words: [String], sentence: String) async throws {
        let test = try Self.made()
        #expect(await test.run(["run"] + words) == 2)
        let expected = "runner: error: " + sentence.replacing("{}", with: test.folder.path)
        #expect(test.errors.text.hasPrefix(expected), "\(test.errors.text)")
        try Self.expectUntouched(test)
    }

    @Test(arguments: [("../link", "the job file itself"), ("b", "what the task 'a' writes")])
    func aReportOfTheJobIsRefused(_ target: String, what: String) async throws {
        let test = try Self.made()
        try test.folder.write("one.yaml", "version: 1\ndirectory: out\nreport: r\ntasks:\n  - http://127.0.0.1/a\n")
        try test.folder.write("out/a", "a")
        #expect(link(test.folder.path("out/a"), test.folder.path("out/b")) == 0)
        #expect(symlink(target, test.folder.path("out/r")) == 0)
        #expect(await test.run("run", "one.yaml") == 2)
        #expect(test.errors.text.contains("one.yaml: `report: r` is " + what), "\(test.errors.text)")
        #expect(test.folder.read("out/a") == [UInt8(ascii: "a")])
    }

    @Test(arguments: [
        ["lock", "one.yaml", "--report", "same/one.yaml"],
        ["get", "http://127.0.0.1/data", "-C", "same", "--report", "out/../data"],
    ])
    func otherCommandsLookToo(_ words: [String]) async throws {
        let test = try Self.made()
        #expect(await test.run(words) == 2)
        #expect(test.errors.text.contains("write the report elsewhere"), "\(test.errors.text)")
        try Self.expectUntouched(test)
    }

    @Test func oneReportByTwoNamesIsWrittenOnce() async throws {
        let test = try Self.made()
        #expect(await test.run("run", "own.yaml", "--report", "same/sub/r") == 0)
        let report = try #require(test.folder.read("sub/r"))
        #expect(report.split(separator: UInt8(ascii: "\n")).count == 3)
    }

    @Test func aReportThatHarmsNothingIsWritten() async throws {
        let test = try Self.made()
        for report in ["r", "same/s", "out/b", "/dev/null"] {
            await #expect(test.run("run", "one.yaml", "--report", report) == 0)
        }
        #expect(test.folder.files().contains("s"))
    }

    private static func expectUntouched(_ test: TestContext) throws {
        for (name, text) in files {
            let written = text.replacing("{}", with: test.folder.path)
            #expect(test.folder.read(name) == Array(written.utf8))
        }
        #expect(test.record.list == [])
    }
}
