import Glibc
import TestSupport
import Testing

@Suite("The frame of the repository")
struct FrameTests {
    private static let wanted: Set<String> = [
        "Package.swift", "Sources", "Tests", "jobs", "examples", "README.md", "LICENSE", "CHANGELOG.md",
        "CONTRIBUTING.md", "docs", "scripts", ".ci", ".swift-format", ".gitignore",
    ]

    /// What git or a build puts there, none of it in the repository.
    private static let tolerated: Set<String> = [
        ".git", ".build", ".swiftpm", "Package.resolved", "downloads", ".demo", ".DS_Store",
    ]

    private static let textFiles: [String] = {
        let folders = ["Sources", "Tests", "jobs", "examples", "docs", "scripts", ".ci"]
        let alone = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Package.swift", ".swift-format", ".gitignore"]
        return folders.flatMap { Repository.files(under: $0) } + alone
    }()

    @Test func theTopLevelHoldsWhatItShouldAndNothingElse() {
        let entries = Set(DiskFile.entries(Repository.root)).subtracting(Self.tolerated)
        #expect(entries == Self.wanted)
    }

    @Test func noFileNamesAPlaceOfOneMachine() {
        // Put together here, so that this file does not name them.
        let places = ["wo" + "rk", "ho" + "me", "ro" + "ot", "Use" + "rs"].map { "/\($0)/" }
        for file in Self.textFiles {
            let text = Repository.text(file)
            for place in places {
                let found = text.split(separator: "\n").first { line in
                    // A path inside a longer one or inside a URL is another matter.
                    [" ", "\"", "'", "`", "=", "(", "\t"].contains { line.contains($0 + place) }
                        || line.hasPrefix(place)
                }
                if let found { Issue.record("\(file): \(found)") }
            }
        }
    }

    @Test func everyScriptCanBeRunAndStopsAtTheFirstFault() {
        let scripts = Repository.files(under: "scripts").filter { !$0.hasSuffix(".sh") } + [".ci/run"]
        for script in scripts {
            #expect(access("\(Repository.root)/\(script)", X_OK) == 0, "\(script)")
            #expect(Repository.text(script).contains("\nset -euo pipefail\n"), "\(script)")
        }
    }

    @Test func everyLinkOfTheDocumentsLeadsToAFile() {
        let documents = Repository.files(under: "docs") + ["README.md", "CONTRIBUTING.md"]
        for document in documents where document.hasSuffix(".md") {
            let folder = document.contains("/") ? "docs/" : ""
            for match in Repository.text(document).matches(of: #/\]\(([^)#:]+)(#[^)]*)?\)/#) {
                let path = "\(Repository.root)/\(folder)\(match.1)"
                #expect(access(path, F_OK) == 0, "\(document) links to \(match.1)")
            }
        }
    }

    @Test func everyTextEndsInALineAndHasNoTrailingBlanks() {
        for file in Self.textFiles where !file.contains("/Golden/") {
            let text = Repository.text(file)
            #expect(text.isEmpty || text.hasSuffix("\n"), "\(file)")
            #expect(!text.contains(" \n"), "\(file)")
        }
    }
}
