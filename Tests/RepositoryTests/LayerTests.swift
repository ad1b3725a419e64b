import TestSupport
import Testing

@Suite("Layers")
struct LayerTests {
    /// What each target may import: its own layer's neighbours below, and of the system what it is allowed to touch.
    ///
    /// Job and plan are pure: no system module there.
    private static let allowed: [String: Set<String>] = [
        "runner": ["RunnerCLI"],
        "RunnerCLI": [
            "RunnerReport", "RunnerExecution", "RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerImport",
            "RunnerJob", "Glibc", "Synchronization", "CLinux", "LibCurl", "LibCrypto",
        ],
        "RunnerReport": [
            "RunnerExecution", "RunnerPlan", "RunnerJob", "FoundationEssentials", "Glibc", "Synchronization",
        ],
        "RunnerExecution": [
            "RunnerTransfer", "RunnerStorage", "RunnerPlan", "RunnerJob", "CProcess", "Glibc", "Synchronization",
        ],
        "RunnerTransfer": [
            "RunnerStorage", "RunnerPlan", "RunnerJob", "LibCurl", "LibExpat", "Glibc", "Synchronization",
        ],
        "RunnerStorage": [
            "RunnerPlan", "RunnerJob", "LibArchive", "LibCrypto", "LibSQLite", "LibZ", "LibMagic", "CLinux",
            "FoundationEssentials", "Glibc", "Synchronization",
        ],
        "RunnerPlan": ["RunnerJob", "FoundationEssentials"],
        "RunnerImport": ["RunnerJob", "LibExpat"],
        "RunnerJob": ["LibYAML", "LibCurl", "FoundationEssentials"],
        "LibYAML": ["CLibYAML"],
        "LibCurl": ["CLibCurl", "LibLocale", "Glibc", "Synchronization"],
        "LibCrypto": ["CLibCrypto", "Synchronization"],
        "LibSQLite": ["CLibSQLite"],
        "LibArchive": ["CLibArchive", "LibLocale"],
        "LibZ": ["CLibZ"],
        "LibExpat": ["CLibExpat"],
        "LibMagic": ["CLibMagic"],
        "LibLocale": ["Glibc"],
    ]

    @Test func everyTargetImportsOnlyWhatLiesBelowIt() {
        for file in Repository.files(under: "Sources") where file.hasSuffix(".swift") {
            let target = String(file.split(separator: "/")[1])
            guard let allowed = Self.allowed[target] else {
                Issue.record("\(target) has no line in the table of this test")
                continue
            }
            for module in imports(of: Repository.text(file)) where !allowed.contains(module) {
                Issue.record("\(file) imports \(module), which \(target) may not")
            }
        }
    }

    @Test func theTableItselfPointsDown() {
        let order = [
            "runner", "RunnerCLI", "RunnerReport", "RunnerExecution", "RunnerTransfer", "RunnerStorage", "RunnerPlan",
            "RunnerImport", "RunnerJob", "LibYAML", "LibCurl", "LibCrypto", "LibSQLite", "LibArchive", "LibZ",
            "LibExpat",
            "LibMagic", "LibLocale",
        ]
        for (rank, target) in order.enumerated() {
            let above = Set(order.prefix(rank + 1))
            #expect(above.isDisjoint(with: Self.allowed[target] ?? []), "\(target)")
        }
        #expect(Set(order) == Set(Self.allowed.keys))
    }

    /// The modules that a source imports, whatever stands before the word `import`, but for a text with it in quotes.
    private func imports(of source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 2, !line.hasPrefix("//"), !line.contains("\"")
            else { return nil }
            return words.count > index + 1 ? String(words[index + 1].prefix { $0 != "." }) : nil
        }
    }
}
