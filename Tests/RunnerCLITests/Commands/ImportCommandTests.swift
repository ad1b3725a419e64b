import TestSupport
import Testing

/// `runner import`.
@Suite struct ImportCommandTests {
    @Test func theJobFileGoesToStandardOutput() async throws {
        let test = try TestContext()
        try test.folder.write("list.txt", "http://h/a\nmagnet:?x=1\n")
        #expect(await test.run("import", "list.txt") == 0)
        #expect(
            test.output.text == "# Made by `runner import` of a list of URLs.\nversion: 1\ntasks:\n  - http://h/a\n")
        #expect(test.errors.text.hasPrefix("list.txt:2:1: warning: `magnet:` cannot be fetched and was left out\n"))
    }

    @Test func itIsAJobFile() async throws {
        let test = try TestContext()
        try test.folder.write("list.txt", "http://h/a\thttp://m/a\n  out=b\n  max-tries=3\n")
        #expect(await test.run("import", "list.txt", "-o", "job.yaml") == 0)
        #expect(test.errors.text == "job.yaml: 1 download, from an input file of aria2\n")
        #expect(await test.run("check", "job.yaml", "-q") == 0)
    }

    @Test func noFileIsReplaced() async throws {
        let test = try TestContext()
        try test.folder.write("list.txt", "http://h/a\n")
        try test.folder.write("job.yaml", "mine")
        #expect(await test.run("import", "list.txt", "-o", "job.yaml") == 3)
        #expect(
            test.errors.text == "runner: error: job.yaml: File exists; give another name, or move it away\n")
        #expect(test.folder.read("job.yaml") == Array("mine".utf8))
    }

    @Test func aListMayComeFromStandardInput() async throws {
        let test = try TestContext(input: "a\nb\n")
        #expect(await test.run("import", "-", "--format", "urls", "--base", "http://h/d/", "-q") == 0)
        #expect(test.output.text.hasSuffix("tasks:\n  - http://h/d/a\n  - http://h/d/b\n"))
        #expect(test.errors.text == "")
    }

    /// The line is shown, but not the password in it.
    @Test func aPasswordIsNotShown() async throws {
        let test = try TestContext(input: "http://me:geheim@h/a\nhttp://me:geheim@h:x/b\n")
        #expect(await test.run("import", "-") == 2)
        #expect(test.output.text == "")
        #expect(test.errors.text.contains("<stdin>:2:1: error: the port of the URL"))
        #expect(!test.errors.text.contains("geheim"), "\(test.errors.text)")
    }

    @Test(arguments: [
        (["absent"], "runner: error: absent: No such file or directory"),
        (["list.txt", "--base", "h/d"], "runner: error: `h/d` is no value for --base, which takes a URL"),
        (["list.txt", "-o", "d/"], "runner: error: `d/` is no value for --output, which takes the name of a file"),
        (["list.txt", "--format", "xml"], "runner: error: unknown value `xml` for --format"),
        ([], "runner: error: FILE is missing"),
    ])
    func mistakesAreTold(_ words: [String], _ text: String) async throws {
        let test = try TestContext()
        try test.folder.write("list.txt", "http://h/a\n")
        #expect(await test.run(["import"] + words) == 2)
        #expect(test.errors.text.hasPrefix(text), "\(test.errors.text)")
        #expect(test.folder.files() == ["list.txt"])
    }
}
