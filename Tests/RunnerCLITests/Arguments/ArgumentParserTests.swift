import RunnerCLI
import Testing

/// How the words of a command line are read.
@Suite struct ArgumentParserTests {
    static let jobs = OptionSpec("jobs", short: "j", value: ValueSpec("N"), group: .execution, help: "Slots")
    static let all = OptionSpec("all", short: "a", group: .execution, help: "All")
    static let bare = OptionSpec("bare", short: "b", group: .execution, help: "Bare")
    static let only = OptionSpec("only", value: ValueSpec("ID"), isRepeatable: true, group: .input, help: "Only")
    static let color = OptionSpec("color", value: .choice(["auto", "never"]), group: .output, help: "Colours")
    static let spec = CommandSpec(
        "test", summary: "Test", operand: CommandSpec.Operand(ValueSpec("JOB", .file), isRepeatable: true),
        options: [jobs, all, bare, only, color])

    static func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
        try ArgumentParser.parse(words, for: spec)
    }

    @Test(arguments: [
        ["--jobs", "8", "x"], ["--jobs=8", "x"], ["-j8", "x"], ["-j", "8", "x"], ["x", "-j", "8"], ["-aj8", "x"],
        ["-abj", "8", "x"], ["-j", "1", "x", "--jobs=8"], ["-j", "8", "--", "x"],
    ])
    func valuesHaveManyForms(words: [String]) throws {
        let parsed = try ArgumentParser.parse(words, for: Self.spec)
        #expect(parsed.value(Self.jobs) == "8")
        #expect(parsed.operands == ["x"])
    }

    @Test func anEmptyInlineValueIsAValue() throws {
        #expect(try Self.parse("--jobs=", "x").value(Self.jobs) == "")
        #expect(try Self.parse("--jobs", "", "x").value(Self.jobs) == "")
    }

    @Test func anInlineValueMayHoldEqualSignsAndDashes() throws {
        #expect(try Self.parse("--only=a=b", "x").values(Self.only) == ["a=b"])
        #expect(try Self.parse("--only=--all", "x").values(Self.only) == ["--all"])
    }

    @Test func repeatableValuesAddUp() throws {
        #expect(try Self.parse("--only", "a", "x", "--only=b").values(Self.only) == ["a", "b"])
    }

    @Test func lettersCanBeJoined() throws {
        let parsed = try Self.parse("-ab", "x")
        #expect(parsed.has(Self.all))
        #expect(parsed.has(Self.bare))
    }

    @Test func theLastOfAFlagAndItsNegationWins() throws {
        #expect(try !Self.parse("--all", "--no-all", "x").has(Self.all))
        #expect(try Self.parse("--no-all", "--all", "x").has(Self.all))
        #expect(try !Self.parse("x").has(Self.all))
    }

    @Test func nothingIsAnOptionAfterTheTerminator() throws {
        #expect(try Self.parse("-a", "--", "--jobs", "--", "-a").operands == ["--jobs", "--", "-a"])
    }

    @Test func aLoneDashIsAnOperandOrAValue() throws {
        #expect(try Self.parse("-").operands == ["-"])
        #expect(try Self.parse("--jobs", "-", "x").value(Self.jobs) == "-")
    }

    @Test func helpWinsOverFaults() throws {
        #expect(try Self.parse("--bogus", "--help").has(.help))
        #expect(try Self.parse("-h").has(.help))
        #expect(try !Self.parse("--", "--help").has(.help))
    }

    @Test(arguments: [
        (["--jbos", "8"], UsageError.unknownOption("--jbos", known: spec.options)),
        (["-az"], .unknownOption("-z", known: spec.options)),
        (["--no-jobs"], .unknownOption("--no-jobs", known: spec.options)),
        (["--no-help"], .unknownOption("--no-help", known: spec.options)),
        (["--jobs"], .missingValue(jobs, written: "--jobs", next: nil)),
        (["-aj"], .missingValue(jobs, written: "-j", next: nil)),
        (["--jobs", "--all"], .missingValue(jobs, written: "--jobs", next: "--all")),
        (["--all=yes"], .unexpectedValue(written: "--all", value: "yes")),
        (["--no-all=yes"], .unexpectedValue(written: "--no-all", value: "yes")),
        (["--color", "nver"], .unknownWord(option: "--color", value: "nver", words: ["auto", "never"])),
        (["--color="], .unknownWord(option: "--color", value: "", words: ["auto", "never"])),
        (["-a"], .missingOperand("JOB")),
        ([], .missingOperand("JOB")),
    ])
    func faults(words: [String], error: UsageError) {
        #expect(throws: error) { try ArgumentParser.parse(words, for: Self.spec) }
    }

    @Test func aSecondOperandIsRefusedWhereOneIsTaken() {
        let spec = CommandSpec("test", summary: "", operand: CommandSpec.Operand(ValueSpec("JOB")))
        #expect(throws: UsageError.unexpectedOperand("y")) { try ArgumentParser.parse(["x", "y"], for: spec) }
        let none = CommandSpec("test", summary: "")
        #expect(throws: UsageError.unexpectedOperand("x")) { try ArgumentParser.parse(["x"], for: none) }
    }

    @Test func anOperandOfFixedWordsIsChecked() throws {
        let spec = CommandSpec("test", summary: "", operand: CommandSpec.Operand(.choice(["bash", "zsh"])))
        #expect(try ArgumentParser.parse(["zsh"], for: spec).operands == ["zsh"])
        #expect(throws: UsageError.unknownWord(option: "bash|zsh", value: "sh", words: ["bash", "zsh"])) {
            try ArgumentParser.parse(["sh"], for: spec)
        }
    }

    @Test(arguments: ["0", "-1", "+1", "1.5", "", "1025", "99999999999999999999999", "0x8", "８", " 8"])
    func numbersOutsideOfTheRangeAreRefused(text: String) throws {
        let parsed = try Self.parse("--jobs=" + text, "x")
        #expect(throws: UsageError.self) { try parsed.number(Self.jobs, in: 1...1024) }
    }

    @Test func numbersInTheRangeAreRead() throws {
        #expect(try Self.parse("--jobs=1024", "x").number(Self.jobs, in: 1...1024) == 1024)
        #expect(try Self.parse("--jobs=007", "x").number(Self.jobs, in: 1...1024) == 7)
        #expect(try Self.parse("x").number(Self.jobs, in: 1...1024) == nil)
    }
}
