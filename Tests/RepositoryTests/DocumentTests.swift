import TestSupport
import Testing

@testable import RunnerJob

/// The documents and the program say the same.
@Suite("Documents")
struct DocumentTests {
    @Test func theReferenceNamesEveryKeyOfATask() {
        let reference = Repository.text("docs/job-file.md")
        for key in TaskKey.allCases {
            #expect(reference.contains("`\(key.rawValue)`"), "\(key.rawValue)")
        }
    }

    @Test func theTableOfClassesIsWhole() {
        let table = Repository.text("docs/exit-statuses.md")
        // `locked` is a word that is kept: no failure has it so far.
        for fault in FaultClass.allCases where fault != .locked {
            #expect(table.contains("| `\(fault.rawValue)` |"), "\(fault.rawValue)")
        }
    }

    @Test(arguments: ["README.md", "docs/job-file.md"])
    func everyWholeJobInADocumentIsWithoutFaults(_ document: String) async throws {
        let folder = try TemporaryDirectory()
        let blocks = Repository.text(document).matches(of: #/```yaml\n((?s).*?)```/#).map { String($0.1) }
            .filter { $0.hasPrefix("version:") }
        #expect(!blocks.isEmpty)
        for block in blocks {
            try folder.write("job.yaml", block)
            let outcome = try await RunnerBinary.run(["check", "job.yaml"], in: folder.path)
            #expect(outcome.status == 0, "\(outcome.errorOutput)")
        }
    }

    @Test(arguments: ["README.md", "docs/exit-statuses.md"])
    func theExitStatusesAreThoseOfTheHelp(_ document: String) async throws {
        let help = try await RunnerBinary.run(["--help"], in: Repository.root).output
        let table = try #require(help.firstRange(of: "Exit status:"))
        let rows = help[table.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("  ") }
        let statuses = rows.filter { $0.dropFirst(2).first?.isNumber ?? false }.map { row in
            String(row.dropFirst(2).prefix { $0.isNumber || $0 == "," || $0 == " " })
        }
        #expect(statuses.count >= 6)
        let text = Repository.text(document)
        for status in statuses {
            let numbers = status.split { !$0.isNumber }.joined(separator: ", ")
            #expect(text.contains("| \(numbers) |"), "\(numbers)")
        }
    }

    @Test func theCommandsAreThoseOfTheHelp() async throws {
        let help = try await RunnerBinary.run(["--help"], in: Repository.root).output
        let commands = try #require(help.firstRange(of: "Commands:\n"))
        let rows = help[commands.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.isEmpty }
        let document = Repository.text("docs/command-line.md")
        for row in rows where row.hasPrefix("  ") && !row.hasPrefix("   ") {
            let name = row.dropFirst(2).prefix { $0 != " " }
            #expect(document.contains("runner \(name) "), "\(name)")
        }
    }

    @Test func theMeasurementsAreThoseOfTheHarness() {
        let document = Repository.text("docs/performance.md")
        let harness = "Tests/Benchmarks/Peers"
        let workloads = Repository.text("\(harness)/workloads.py").matches(of: #/Workload\("([a-z-]+)"/#).map(\.1)
        let floors = Repository.text("\(harness)/subjects.py").matches(of: #/"(floor:[a-z-]+)"/#).map(\.1)
        let options = Repository.text("\(harness)/__main__.py").matches(of: #/add_argument\("(--[a-z-]+)"/#).map(\.1)
        #expect(workloads.count >= 13 && floors.count >= 6 && options.count >= 6)
        for name in workloads { #expect(document.contains("| `\(name)` |"), "\(name)") }
        for name in floors { #expect(document.contains("`\(name)`"), "\(name)") }
        for name in options where !["--folder"].contains(name) { #expect(document.contains(name), "\(name)") }
    }
}
