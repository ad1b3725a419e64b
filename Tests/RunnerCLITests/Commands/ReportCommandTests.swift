import TestSupport
import Testing

/// `runner report`.
@Suite struct ReportCommandTests {
    private func made() async throws -> TestContext {
        let test = try TestContext()
        for (name, task) in [("one", "a"), ("two", "bad")] {
            try test.folder.write("\(name).yaml", RunCommandTests.job(task))
            _ = await test.run("run", "\(name).yaml", "-q", "--report", "\(name).jsonl")
        }
        return test
    }

    @Test func oneReportIsToldWithItsTasks() async throws {
        let test = try await made()
        #expect(await test.run("report", "two.jsonl") == 0)
        let lines = test.output.text.split(separator: "\n")
        #expect(lines.count == 4 && lines[0] == "job (job.yaml)", "\(test.output.text)")
        #expect(lines[2].hasPrefix("failed      bad") && lines[2].contains("not_found (http_404): no such file"))
    }

    @Test func severalAreToldTogether() async throws {
        let test = try await made()
        #expect(await test.run("report", "one.jsonl", "two.jsonl", "-q") == 0)
        #expect(test.output.text.contains("\n2 runs: 1 succeeded, 1 failed; "), "\(test.output.text)")
        #expect(!test.output.text.contains("succeeded   a"))
    }

    @Test(arguments: [
        ("junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"runner\" tests=\"2\" failures=\"1\""),
        ("markdown", "## job: succeeded\n"), ("html", "<!DOCTYPE html>\n"),
    ])
    func otherFormsAreData(_ format: String, _ start: String) async throws {
        let test = try await made()
        #expect(await test.run("report", "one.jsonl", "two.jsonl", "--format", format) == 0)
        #expect(test.output.text.hasPrefix(start), "\(test.output.text)")
    }

    @Test(arguments: [
        (["absent"], "runner: error: absent: No such file or directory"),
        (["one.yaml"], "runner: error: one.yaml tells of no run; is it a report?"),
        (["-", "-"], "runner: error: `-` is one argument too many"), ([], "runner: error: FILE is missing"),
        (["one.jsonl", "--format", "xml"], "runner: error: unknown value `xml` for --format"),
    ])
    func mistakesAreTold(_ words: [String], _ text: String) async throws {
        let test = try await made()
        let before = test.errors.text
        #expect(await test.run(["report"] + words) == 2)
        #expect(test.errors.text.dropFirst(before.count).hasPrefix(text), "\(test.errors.text)")
    }
}
