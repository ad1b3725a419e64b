import RunnerJob
import RunnerPlan
import RunnerStorage
import Testing

@Suite("What cleaning decides")
struct CleanDecisionTests {
    private func candidate(
        _ path: String, _ published: Int64, _ allocated: Int64 = 10, wanted: Bool = false, unchanged: Bool = true
    ) -> CleanDecision.Candidate {
        let record = PublishedRecord(size: 1, modified: 0, changed: 0, inode: 0, published: published)
        return CleanDecision.Candidate(
            OwnedFile(path: at(path), record: record), allocated: allocated, isWanted: wanted, isUnchanged: unchanged)
    }

    private func removed(_ candidates: [CleanDecision.Candidate], _ rules: CleanRules, now: Int64 = 1000) -> [String] {
        CleanDecision.downloads(candidates, rules: rules, now: now).map(\.path)
    }

    @Test func withoutRulesNothingIsRemoved() {
        #expect(removed([candidate("a", 0)], CleanRules()).isEmpty)
    }

    @Test func whatIsTooOldGoes() {
        let rules = CleanRules(olderThan: .seconds(100))
        #expect(removed([candidate("new", 901), candidate("old", 899), candidate("edge", 900)], rules) == ["old"])
        #expect(removed([candidate("future", 5000), candidate("odd", .min), candidate("far", .max)], rules) == [])
    }

    @Test func theOldestGoUntilTheRestIsUnderTheCeiling() {
        let files = [candidate("c", 3), candidate("a", 1), candidate("b", 2)]
        #expect(removed(files, CleanRules(maxSize: 30)).isEmpty)
        #expect(removed(files, CleanRules(maxSize: 29)) == ["a"])
        #expect(removed(files, CleanRules(maxSize: 15)) == ["a", "b"])
        #expect(removed(files, CleanRules(maxSize: 0)) == ["a", "b", "c"])
    }

    @Test func filesOfOneAgeGoInTheOrderOfTheirPaths() {
        #expect(removed([candidate("b", 1), candidate("a", 1)], CleanRules(maxSize: 10)) == ["a"])
    }

    @Test func whatAgeHasRemovedDoesNotCountTowardsTheCeiling() {
        let files = [candidate("a", 1), candidate("b", 950), candidate("c", 960)]
        let items = CleanDecision.downloads(
            files, rules: CleanRules(olderThan: .seconds(100), maxSize: 10), now: 1000)
        #expect(items.map(\.path) == ["a", "b"])
        #expect(items[0].reason == .tooOld(age: .seconds(999), limit: .seconds(100)))
        #expect(items[1].reason == .overCeiling(bytes: 20, ceiling: 10))
    }

    @Test func whatIsWantedKeptOrChangedStaysButCounts() {
        let files = [
            candidate("wanted", 1, wanted: true), candidate("keep/a.iso", 2), candidate("changed", 3, unchanged: false),
            candidate("free", 4), candidate("free-too", 5),
        ]
        let rules = CleanRules(olderThan: .seconds(10), maxSize: 0, keep: [PathPattern("*.iso")])
        #expect(removed(files, rules) == ["free", "free-too"])
        #expect(removed(files, CleanRules(maxSize: 40, keep: [PathPattern("keep/*")])) == ["free"])
    }

    @Test func hugeSizesDoNotOverflow() {
        let files = [candidate("a", 1, .max), candidate("b", 2, .max), candidate("c", 3, -5)]
        #expect(removed(files, CleanRules(maxSize: 100)).first == "a")
    }

    @Test(arguments: [
        ("*.iso", "a.iso", true), ("*.iso", "deep/er/a.iso", true), ("*.iso", "a.iso.part", false),
        ("iso/*", "iso/a", true), ("iso/*", "iso/b/a", false), ("iso/**", "iso/b/a", true), ("iso/*", "x/iso/a", false),
        ("**/a", "a", true), ("iso/**/a", "iso/a", true), ("iso/**/a", "iso/x/y/a", true), ("iso/**/a", "isoa", false),
        ("iso/**/b/**/*.c", "iso/b/x.c", true), ("iso/**/b/**/*.c", "iso/x.c", false), ("iso/**", "iso", false),
        ("iso/x**/a", "iso/a", false), ("**/**/**/**/**/**/**/**/a", "x/y/a", true),
        ("**/a", "x/y/a", true), ("a?c", "abc", true), ("a?c", "a/c", false), ("[ab]", "b", true), ("", "a", false),
        ("é*", "é1", true), (".*", ".hidden", true), ("*", ".hidden", true), ("[", "[", true),
    ])
    func patterns(_ pattern: String, _ path: String, _ matches: Bool) {
        #expect(PathPattern(pattern).matches(path) == matches)
    }

    // MARK: - Reports

    private func runs(_ count: Int, every milliseconds: Int64) -> [RunRow] {
        (0..<count).map { number in
            RunRow(
                run: "\(number)", job: "job", name: "n", file: "f",
                started: CleanDecisionTests.today - Int64(number) * milliseconds)
        }
    }

    private static let today: Int64 = 1_796_000_000_000
    private static let day: Int64 = 86_400_000

    @Test func thirtyRunsAreKept() {
        let old = CleanDecision.runs(runs(33, every: 1000), now: Self.today)
        #expect(old.map(\.run.run) == ["30", "31", "32"])
        #expect(old.allSatisfy { $0.reason == .tooMany(kept: 30) })
    }

    @Test func ninetyDaysAreKeptAndTheLastRunAlways() {
        #expect(CleanDecision.runs(runs(5, every: 40 * Self.day), now: Self.today).map(\.run.run) == ["3", "4"])
        #expect(CleanDecision.runs(runs(1, every: 0), now: Self.today + 500 * Self.day).isEmpty)
        #expect(CleanDecision.runs([], now: 0).isEmpty)
    }
}
