import Glibc
import TestSupport
import Testing

@Suite("Rules of the sources")
struct SourceRuleTests {
    /// Words that give up a check of the compiler, and how often each may stand in `Sources`; the numbers only fall.
    ///
    /// The words are put together here, so that this file does not count itself.
    private static let ceilings: [(word: String, most: Int)] = [
        ("@" + "unchecked", 8),
        ("nonisolated" + "(unsafe)", 4),
        ("try" + "!", 0),
        ("as" + "! ", 0),
        ("fatal" + "Error(", 0),
        ("precondition" + "(", 2),
        ("unsafeBit" + "Cast(", 2),
        ("@preconcurrency" + " import", 0),
    ]

    /// Every Swift file with its lines.
    private static let sources: [(file: String, lines: [Substring])] = ["Sources", "Tests"]
        .flatMap { Repository.files(under: $0) }
        .filter { $0.hasSuffix(".swift") }
        .map { ($0, Repository.text($0).split(separator: "\n", omittingEmptySubsequences: false)) }

    @Test(arguments: ceilings.map(\.word))
    func staysUnderTheCeiling(_ word: String) {
        let found = Self.sources.filter { $0.file.hasPrefix("Sources/") }.flatMap { source in
            numbers(of: word, in: source.lines).map { "\(source.file):\($0)" }
        }
        let most = Self.ceilings.first { $0.word == word }?.most ?? 0
        #expect(found.count <= most, "\(found)")
    }

    @Test(arguments: ceilings.map(\.word))
    func hasAReasonWhereverAWordStands(_ word: String) {
        for (file, lines) in Self.sources {
            for number in numbers(of: word, in: lines) where !hasReason(at: number - 1, in: lines) {
                Issue.record("\(file):\(number): \(word) without a comment that gives the reason")
            }
        }
    }

    /// exit(3) has libraries let go of what they hold, under the hands of threads that are still at work.
    @Test func theProgramEndsAtOnce() {
        for (file, lines) in Self.sources where file.hasPrefix("Sources/") {
            #expect(numbers(of: " exit(", in: lines).isEmpty, "\(file): write _exit(2)")
        }
    }

    @Test func noFileIsOverFiveHundredLines() {
        for (file, lines) in Self.sources {
            #expect(lines.count <= 501, "\(file)")
        }
    }

    @Test func nothingIsLeftForLater() {
        for word in ["TO" + "DO", "FIX" + "ME", "not " + "implemented"] {
            for (file, lines) in Self.sources where !numbers(of: word, in: lines, comments: true).isEmpty {
                Issue.record("\(file) holds \"\(word)\"")
            }
        }
    }

    /// The numbers, from 1, of the lines that hold a word, in code alone unless `comments` is true.
    private func numbers(of word: String, in lines: [Substring], comments: Bool = false) -> [Int] {
        lines.enumerated().compactMap { index, line in
            // strstr(3) is many times faster here than a search in unoptimised Swift.
            guard strstr(String(line), word) != nil else { return nil }
            if comments { return index + 1 }
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            return strstr(String(code), word) == nil ? nil : index + 1
        }
    }

    /// A comment on the line itself, or right above the declaration or statement that it belongs to.
    private func hasReason(at index: Int, in lines: [Substring]) -> Bool {
        if lines[index].contains("//") { return true }
        var above = index - 1
        // A statement or a declaration may have begun some lines before, but not beyond an empty line.
        while above >= 0, index - above <= 4, !lines[above].allSatisfy({ $0 == " " }) {
            if lines[above].drop(while: { $0 == " " }).hasPrefix("//") { return true }
            above -= 1
        }
        return false
    }
}
