import RunnerCLI
import RunnerExecution
import TestSupport
import Testing

/// `runner plan` and `runner check`, on job files in a folder.
@Suite struct PlanCommandTests {
    static let good = """
        version: 1
        directory: out
        vars: {name: b}
        tasks:
          - {download: "http://127.0.0.1/a", to: a}
          - {download: "http://127.0.0.1/${name}", to: "d/${name}", needs: [a]}
          - {download: "http://127.0.0.1/c", to: "c,d"}

        """

    static func made(_ job: String = good, input: String = "") throws -> TestContext {
        let test = try TestContext(input: input)
        try test.folder.write("job.yaml", job)
        return test
    }

    @Test func aPlanNamesEveryTaskAndChangesNothing() async throws {
        let test = try Self.made()
        #expect(await test.run("plan", "job.yaml") == 0)
        #expect(test.output.text.contains("fetch        a"))
        #expect(test.output.text.contains("after a"))
        #expect(test.errors.text == "")
        #expect(test.folder.files() == ["job.yaml"])
    }

    @Test func aThousandFaultsAreNotAllShown() async throws {
        let tasks = String(repeating: "  - {dowload: x}\n", count: 1000)
        let test = try Self.made("version: 1\ntasks:\n" + tasks)
        #expect(await test.run("check", "job.yaml") == 2)
        #expect(test.errors.text.split(separator: "\n").count == 301)
        #expect(test.errors.text.hasSuffix("runner: … and 900 more like these (errors: 900)\n"))
    }

    @Test(arguments: [
        ("json", "{\"schema\":\"runner.plan/1\""), ("dot", "digraph"), ("mermaid", "flowchart LR\n"),
        ("text", "fetch  "),
    ])
    func formats(format: String, start: String) async throws {
        let test = try Self.made()
        #expect(await test.run("plan", "job.yaml", "--format", format) == 0)
        #expect(test.output.text.hasPrefix(start))
    }

    @Test(arguments: [
        (["--only", "a"], ["a"], ["d/b", "c,d"]), (["--only", "d/b"], ["a", "d/b"], ["c,d"]),
        (["--only=a,d/b"], ["a", "d/b"], ["c,d"]), (["--only", "c,d"], ["c,d"], ["d/b"]),
        (["--only", "a", "--only", "c,d"], ["a", "c,d"], ["d/b"]),
    ])
    func onlyTakesWhatIsNamedAndWhatItNeeds(options: [String], there: [String], absent: [String]) async throws {
        let test = try Self.made()
        #expect(await Program.run(["plan", "job.yaml", "--format=json"] + options, in: test.context).rawValue == 0)
        for name in there { #expect(test.output.text.contains("\"id\":\"\(name)\"")) }
        for name in absent { #expect(!test.output.text.contains("\"id\":\"\(name)\"")) }
    }

    @Test func rowsComeFromTheFolderOfTheJobAndFromStandardInput() async throws {
        let test = try TestContext(input: "http://127.0.0.1/c\n")
        try test.folder.write(
            "jobs/job.yaml",
            """
            version: 1
            tasks:
              - {matrix: {file: rows.csv}, download: "http://127.0.0.1/${n}"}
              - {matrix: {file: "-"}, download: "${line}"}

            """)
        try test.folder.write("jobs/rows.csv", "n\na\nb\n")
        #expect(await test.run("plan", "jobs/job.yaml", "--format=json") == 0)
        let text = test.output.text
        #expect(text.contains("\"to\":\"a\"") && text.contains("\"to\":\"b\"") && text.contains("\"to\":\"c\""))
        #expect(text.contains("\"line\":3,\"file\":\"jobs/rows.csv\""))
        try test.folder.write("jobs/rows.csv", "n\na\na\n")
        #expect(await test.run("plan", "jobs/job.yaml") == 2)
        #expect(test.errors.text.contains("jobs/rows.csv:3:1: error: two tasks write 'a'"))
        #expect(test.errors.text.contains("jobs/rows.csv:2:1: note: the first of them is here"))
    }

    @Test(arguments: ["x", ","]) func aTaskThatIsNotThereIsAnError(name: String) async throws {
        let test = try Self.made()
        #expect(await test.run("plan", "job.yaml", "--only", name) == 2)
        #expect(test.errors.text.contains("'\(name)'"))
        #expect(test.output.text == "")
    }

    @Test func variablesAndDirectoryComeFromTheCommandLine() async throws {
        let test = try Self.made()
        try test.folder.write("else/d/z", "there")
        #expect(await test.run("plan", "job.yaml", "--set", "name=z", "--directory", "else") == 0)
        #expect(test.output.text.contains("d/z"))
        #expect(test.output.text.contains("on disk"))
    }

    @Test(arguments: ["name", "=x", ""])
    func aVariableNeedsANameAndAValue(text: String) async throws {
        let test = try Self.made()
        #expect(await test.run("plan", "job.yaml", "--set", text) == 2)
        #expect(test.errors.text.contains("NAME=VALUE"))
    }

    @Test func aDashReadsStandardInput() async throws {
        let test = try Self.made(input: Self.good)
        try test.folder.write("out/a", "there")
        #expect(await test.run("plan", "-") == 0)
        #expect(test.output.text.contains("on disk"))
    }

    @Test func aMissingFileIsNamed() async throws {
        let test = try Self.made()
        #expect(await test.run("plan", "nowhere.yaml") == 2)
        #expect(test.errors.text == "runner: error: nowhere.yaml: No such file or directory\n")
    }

    @Test func relativePathsStartFromTheFolderOfTheFile() async throws {
        let test = try TestContext()
        try test.folder.write("sub/job.yaml", Self.good)
        try test.folder.write("sub/out/a", "there")
        #expect(await test.run("plan", "sub/job.yaml") == 0)
        #expect(test.output.text.contains("on disk"))
    }

    @Test func checkTellsTheFaultsOfAllFiles() async throws {
        let test = try Self.made()
        try test.folder.write("bad.yaml", "version: 1\ntasks: [{downlod: 5}, {downlaod: 6}]\n")
        #expect(await test.run("check", "bad.yaml", "nowhere.yaml", "job.yaml") == 2)
        #expect(test.errors.text.contains("bad.yaml:2:10: error: "))
        #expect(test.errors.text.contains("bad.yaml:2:24: error: "))
        #expect(test.errors.text.contains("nowhere.yaml: No such file"))
        #expect(test.errors.text.contains("job.yaml: 3 tasks, no errors"))
        #expect(test.output.text == "")
    }

    @Test func checkFindsFaultsBetweenTasks() async throws {
        let test = try Self.made("version: 1\ntasks:\n  - {download: 'http://h/a', to: a, needs: [b]}\n")
        #expect(await test.run("check", "job.yaml") == 2)
        #expect(test.errors.text.contains("job.yaml:3"))
    }

    @Test func quietSaysNothingOfGoodFiles() async throws {
        let test = try Self.made()
        #expect(await test.run("check", "--quiet", "job.yaml") == 0)
        #expect(test.errors.text == "")
    }

    @Test func warningsDoNotChangeTheStatus() async throws {
        let digest = String(repeating: "0", count: 32)
        let test = try Self.made("version: 1\ntasks: [{download: 'http://h/a', to: a, md5: \(digest)}]\n")
        #expect(await test.run("check", "job.yaml") == 0)
        #expect(test.errors.text.contains("warning: "))
    }
}
