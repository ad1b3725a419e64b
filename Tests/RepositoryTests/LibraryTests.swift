import RunnerExecution
import RunnerJob
import RunnerPlan
import RunnerStorage
import TestSupport
import Testing

// What follows, up to the test suite, is the example of README.md, word for word.

func fetch(_ url: String, sha256: String, into folder: String) async throws -> Bool {
    let text = """
        version: 1
        tasks:
          - download: \(url)
            to: data/
            sha256: \(sha256)
        """
    let clock = JobClock.utc(now: 1_800_000_000)  // what ${date:…} would show
    let input = JobInput(file: "fetch.yaml", bytes: Array(text.utf8), folder: folder, clock: clock)
    let job = try JobParser.parse(input)
    let plan = try Planner.plan(job, disk: JobDirectory(root: job.directory))
    let run = try Run(plan: plan, options: RunOptions(identity: folder, version: "my-program/1.0"))
    let finished = await run.execute { event in
        if case .taskFinished(let task) = event.kind { print(task.task.text, task.outcome) }
    }
    return finished.outcome == .succeeded
}

@Suite("The library")
struct LibraryTests {
    @Test func fetchesAsTheReadmeSays() async throws {
        let content = Content.pattern(count: 100_000)
        let server = try FaultServer(files: ["/set.bin": ServedFile(content)])
        let folder = try TemporaryDirectory()
        #expect(try await fetch(server.url("/set.bin"), sha256: content.sha256, into: folder.path))
        let isWhole = folder.read("data/set.bin") == content.allBytes
        #expect(isWhole)
        #expect(
            try await fetch(server.url("/set.bin"), sha256: Content.text("other").sha256, into: folder.path) == false)
    }

    @Test func theReadmeHoldsThisVeryExample() throws {
        let source = Repository.text("Tests/RepositoryTests/LibraryTests.swift")
        let start = try #require(source.firstRange(of: "func fetch("))
        let end = try #require(source.firstRange(of: "\n}\n"))
        let example = source[start.lowerBound..<end.upperBound]
        #expect(Repository.text("README.md").contains("```swift\n\(example)```"))
    }
}
