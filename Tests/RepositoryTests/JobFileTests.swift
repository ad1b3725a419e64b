import TestSupport
import Testing

@Suite("The job files of the repository")
struct JobFileTests {
    private static let files = (Repository.files(under: "jobs") + Repository.files(under: "examples"))
        .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("examples/included/") }

    /// What the job files that name secrets find.
    private static let environment = ["API_TOKEN": "token-for-tests", "FILES_PASSWORD": "password-for-tests"]

    @Test func thereAreJobsAndAtLeastSixExamples() {
        #expect(Self.files.contains("jobs/nightly.yaml"))
        #expect(Self.files.filter { $0.hasPrefix("examples/") }.count >= 6)
    }

    @Test(arguments: files)
    func isWithoutFaults(_ file: String) async throws {
        let outcome = try await RunnerBinary.run(["check", file], environment: Self.environment, in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
    }

    @Test(arguments: files)
    func hasItsGoldenPlan(_ file: String) async throws {
        let folder = try TemporaryDirectory()
        let outcome = try await RunnerBinary.run(
            ["plan", file, "--directory", folder.path], environment: Self.environment, in: Repository.root)
        #expect(outcome.status == 0, "\(outcome.errorOutput)")
        var plan = Normal.text(outcome.output, replacing: [folder.path: "FOLDER"], keepingDurations: true)
        plan.replace(#/[0-9.]+ [KMGTP]?i?B free/#, with: "SPACE free")
        let name = file.split(separator: "/").last.map { String($0.dropLast(5)) + ".plan" } ?? file
        try expectGolden(plan, name)
        #expect(folder.files().isEmpty)
        #expect(!outcome.output.contains("for-tests"))
    }

    @Test func pointsAtTheFaultOfABrokenFile() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("job.yaml", "version: 1\ntasks:\n  - download: https://example.org/a\n    sha265: abc\n")
        let outcome = try await RunnerBinary.run(["check", "job.yaml"], in: folder.path)
        #expect(outcome.status == 2)
        #expect(outcome.errorOutput.contains("job.yaml:4:5: error: "))
        #expect(outcome.errorOutput.contains("sha256"))
    }
}
